//! Talks to an agent that is known to be old.

use futures::StreamExt;

use super::{Middleware, Next};
use crate::client::{Frame, Frames};
use crate::protocol::RunAgentInput;
use crate::receive::{Compat, Intake, PeerCeiling, Warning};

/// Talks to an agent that is known to be no newer than this: leaves out of the input what it cannot read, and out of its events what it
/// cannot mean (AG-UI 1.0, section "Eras").
///
/// [`Session::with_ceiling`](crate::client::Session::with_ceiling) does the same for a whole session, outside of all middleware; this is
/// for the middle of a chain, where what is further out is current. Losses are warnings of the session.
///
/// ```
/// use agui_runtime::client::{Session, middleware};
///
/// # fn example(upstream: impl agui_runtime::client::Upstream) -> Result<(), agui_runtime::receive::InvalidCeiling> {
/// let session: Session = Session::new(upstream).with(middleware::compatibility("0.0.39".parse()?));
/// # Ok(())
/// # }
/// ```
pub fn compatibility(ceiling: PeerCeiling) -> impl Middleware {
    move |mut input: RunAgentInput, next: Next| -> Frames {
        let warnings = next.warnings();
        Compat::new().with_ceiling(ceiling).outgoing(&mut input, &mut |warning| warnings.tell(warning));
        let mut intake = next.reading().with_ceiling(ceiling).intake();
        next.open(input)
            .filter_map(move |frame| {
                let frame = match frame {
                    Ok(frame) => {
                        let (frame, odd) = read(&mut intake, frame);
                        odd.into_iter().for_each(|warning| warnings.tell(warning));
                        frame.map(Ok)
                    }
                    Err(error) => Some(Err(error)),
                };
                std::future::ready(frame)
            })
            .boxed()
    }
}

/// The event of a frame, and what is odd about it. A frame that is refused stays as it is, for the session to say where in the stream
/// it stands.
fn read(intake: &mut Intake, frame: Frame) -> (Option<Frame>, Vec<Warning>) {
    let mut odd = Vec::new();
    match frame.clone().read(intake, &mut |warning| odd.push(warning)) {
        Ok(event) => (event.map(Frame::from), odd),
        Err(_) => (Some(frame), Vec::new()),
    }
}
