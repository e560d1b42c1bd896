//! Typed events for middleware.

use std::collections::VecDeque;

use futures_util::{Stream, StreamExt, stream};

use super::Reading;
use crate::client::{ClientError, Frame, Frames, Warnings};
use crate::protocol::Event;
use crate::receive::{ChunkExpander, FrameIntake, ReceiveError};

/// Converts the next layer's frames to typed events, with chunks expanded (AG-UI 1.0, section "Middleware": *run next*).
///
/// Frames are read with the session's strictness, ceiling and warning listener ([`Next::reading`](crate::client::Next::reading)).
/// The event order is checked later, after the outermost middleware.
///
/// ```
/// use agui_runtime::client::{Frame, Frames, Next, Session, middleware};
/// use agui_runtime::protocol::{Event, RunAgentInput};
/// use futures::{StreamExt, TryStreamExt};
///
/// /// Turns all text to upper case.
/// fn louder(input: RunAgentInput, next: Next) -> Frames {
///     middleware::expanded(next.open(input), next.reading())
///         .map_ok(|event| match event {
///             Event::TextMessageContent(mut content) => {
///                 content.delta = content.delta.to_uppercase();
///                 Frame::from(Event::from(content))
///             }
///             event => event.into(),
///         })
///         .boxed()
/// }
/// # use agui_runtime::client::Replay;
/// # use futures::FutureExt;
/// # let replay = Replay::from_lines(concat!(
/// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
/// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#, "\n",
/// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
///
/// let mut session: Session = Session::new(replay).with(louder);
/// assert_eq!(session.run().now_or_never().unwrap()?.text(), "HI");
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
pub fn expanded(frames: Frames, reading: Reading) -> impl Stream<Item = Result<Event, ClientError>> + Send {
    let expansion = Expansion {
        frames,
        intake: reading.intake(),
        warnings: reading.warnings,
        chunks: ChunkExpander::new(),
        ready: VecDeque::new(),
        at: 0,
        failed: false,
    };
    stream::unfold(expansion, |mut expansion| async {
        let event = expansion.event().await?;
        expansion.failed = event.is_err();
        Some((event, expansion))
    })
}

struct Expansion {
    frames: Frames,
    warnings: Warnings,
    intake: FrameIntake,
    chunks: ChunkExpander,
    ready: VecDeque<Event>,
    at: usize,
    failed: bool,
}

impl Expansion {
    async fn event(&mut self) -> Option<Result<Event, ClientError>> {
        while !self.failed {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            match self.frames.next().await? {
                Ok(frame) => {
                    if let Err(error) = self.take(frame) {
                        return Some(Err(error.into()));
                    }
                }
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }

    fn take(&mut self, frame: Frame) -> Result<(), ReceiveError> {
        let at = self.at;
        self.at += 1;
        let read = frame.read(&mut self.intake, &mut |warning| self.warnings.report(warning));
        if let Some(event) = read.map_err(|error| ReceiveError::Rejected { at, error })? {
            let events = self.chunks.expand(event).map_err(|error| ReceiveError::Chunk { at, error })?;
            self.ready.extend(events);
        }
        Ok(())
    }
}
