//! Talks to an agent that is known to be old.

use futures::StreamExt;

use super::{Middleware, Next};
use crate::client::{Frame, Frames, Warnings};
use crate::protocol::RunAgentInput;
use crate::receive::{Compat, PeerCeiling};

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
        let mut compat = Compat::new().with_ceiling(ceiling);
        let warnings = next.warnings();
        compat.outgoing(&mut input, &mut |warning| warnings.tell(warning));
        next.open(input)
            .filter_map(move |frame| {
                let frame = match frame {
                    Ok(frame) => translated(&mut compat, frame, &warnings).map(Ok),
                    Err(error) => Some(Err(error)),
                };
                std::future::ready(frame)
            })
            .boxed()
    }
}

/// What is no JSON stays as it is, for enforcement to refuse.
fn translated(compat: &mut Compat, frame: Frame, warnings: &Warnings) -> Option<Frame> {
    match frame.to_json() {
        Ok(mut event) => {
            compat.event(&mut event, &mut |warning| warnings.tell(warning)).then_some(Frame::Json(event))
        }
        Err(_) => Some(frame),
    }
}
