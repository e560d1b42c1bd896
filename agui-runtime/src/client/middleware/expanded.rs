//! For middleware that wants to read events.

use std::collections::VecDeque;

use futures::{Stream, StreamExt, stream};

use super::Reading;
use crate::client::{ClientError, Frame, Frames, Warnings};
use crate::protocol::Event;
use crate::receive::{Chunks, Intake, ReceiveError};

/// The frames of the next layer as typed events, without chunks (AG-UI 1.0, section "Middleware": *run next*).
///
/// Frames are read as the session reads them ([`Next::reading`](crate::client::Next::reading)): as strict, for an agent as old,
/// and with the same listener for what is left out because AG-UI 1.0 does not know it. The order of events is not looked at: that is
/// done for what the outermost middleware gives.
///
/// ```
/// use agui_runtime::client::{Frame, Frames, Next, middleware};
/// use agui_runtime::protocol::{Event, RunAgentInput};
/// use futures::{StreamExt, TryStreamExt};
///
/// /// Says everything louder.
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
/// ```
pub fn expanded(frames: Frames, reading: Reading) -> impl Stream<Item = Result<Event, ClientError>> + Send {
    let expansion = Expansion {
        frames,
        intake: reading.intake(),
        warnings: reading.warnings,
        chunks: Chunks::new(),
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
    intake: Intake,
    chunks: Chunks,
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
        let read = frame.read(&mut self.intake, &mut |warning| self.warnings.tell(warning));
        if let Some(event) = read.map_err(|error| ReceiveError::Rejected { at, error })? {
            let events = self.chunks.expand(event).map_err(|error| ReceiveError::Chunk { at, error })?;
            self.ready.extend(events);
        }
        Ok(())
    }
}
