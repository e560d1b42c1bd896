//! Middleware for agents of an earlier protocol version.

use futures_util::StreamExt;

use super::{Middleware, Next};
use crate::client::{Frame, Frames};
use crate::protocol::RunAgentInput;
use crate::receive::{FrameIntake, FrameWarning, LegacyTranslator, PeerCeiling};

/// Adapts a session to an agent no newer than `ceiling`: the input loses the members that the agent cannot read, the events lose
/// the members that the agent cannot know (AG-UI 1.0, section "Eras").
///
/// [`Session::with_ceiling`](crate::client::Session::with_ceiling) does the same for a whole session, outside all middleware. Use
/// this function in the middle of a chain whose outer layers are current. Losses become session warnings.
///
/// ```
/// use agui_runtime::client::{Frames, Session, middleware};
/// use agui_runtime::protocol::{Content, RunAgentInput, TextPart, UserMessage};
/// # use agui_runtime::client::{Replay, Upstream};
/// # use agui_runtime::protocol::Message;
/// # use futures::FutureExt;
/// # let upstream = |input: RunAgentInput| -> Frames {
/// #     let Message::User(message) = &input.messages[0] else { panic!("{input:?}") };
/// #     assert_eq!(message.content, Content::Text("Hi".to_owned()));
/// #     Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#).open(input)
/// # };
///
/// let mut session: Session = Session::new(upstream).with(middleware::compatibility("0.0.39".parse()?));
/// // The agent gets a string, because its version knows no parts.
/// session.say(vec![TextPart::new("Hi").into()]);
/// session.run().now_or_never().unwrap()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compatibility(ceiling: PeerCeiling) -> impl Middleware {
    move |mut input: RunAgentInput, next: Next| -> Frames {
        let warnings = next.warnings();
        LegacyTranslator::new()
            .with_ceiling(ceiling)
            .outgoing(&mut input, &mut |warning| warnings.report(warning));
        let mut intake = next.reading().with_ceiling(ceiling).intake();
        next.open(input)
            .filter_map(move |frame| {
                let frame = match frame {
                    Ok(frame) => {
                        let (frame, odd) = read(&mut intake, frame);
                        odd.into_iter().for_each(|warning| warnings.report(warning));
                        frame.map(Ok)
                    }
                    Err(error) => Some(Err(error)),
                };
                std::future::ready(frame)
            })
            .boxed()
    }
}

/// Reads the event of a frame, and returns it with its warnings. A frame that is refused stays unchanged,
/// so that the session reports its place in the stream.
fn read(intake: &mut FrameIntake, frame: Frame) -> (Option<Frame>, Vec<FrameWarning>) {
    let mut odd = Vec::new();
    match frame.clone().read(intake, &mut |warning| odd.push(warning)) {
        Ok(event) => (event.map(Frame::from), odd),
        Err(_) => (Some(frame), Vec::new()),
    }
}
