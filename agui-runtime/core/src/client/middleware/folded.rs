//! The conversation for middleware.

use std::fmt;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;

use super::{Reading, expanded};
use crate::client::{ClientError, Frames};
use crate::protocol::{Event, RunAgentInput};
use crate::receive::Reducer;

/// Converts the next layer's frames to typed events, each with the messages and the state after the event (AG-UI 1.0, section
/// "Middleware": *run next with state*).
///
/// Messages and state result from the input and this layer's events alone; other layers do not influence them.
///
/// ```
/// use agui_runtime::client::{Frame, Frames, Next, middleware};
/// use agui_runtime::protocol::RunAgentInput;
/// use futures::{StreamExt, stream};
///
/// /// Stops a run once it has this many messages.
/// fn at_most_two(input: RunAgentInput, next: Next) -> Frames {
///     let folded = middleware::folded(next.open(input.clone()), &input, next.reading());
///     let frames = stream::unfold(folded, |mut folded| async {
///         let frame = match folded.next().await.transpose()? {
///             Ok((_, now)) if now.messages().len() > 2 => return None,
///             Ok((event, _)) => Ok(Frame::from(event)),
///             Err(error) => Err(error),
///         };
///         Some((frame, folded))
///     });
///     frames.boxed()
/// }
/// # use agui_runtime::client::{Replay, Session};
/// # use futures::FutureExt;
/// # let replay = Replay::from_lines(concat!(
/// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
/// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"a","delta":"A"}"#, "\n",
/// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"b","delta":"B"}"#, "\n",
/// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"c","delta":"C"}"#));
/// # let mut session: Session = Session::new(replay).with(at_most_two);
/// # assert_eq!(session.run().now_or_never().unwrap()?.new_messages.len(), 2);
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
pub fn folded(frames: Frames, input: &RunAgentInput, reading: Reading) -> Folded {
    Folded { events: expanded(frames, reading).boxed(), reducer: Reducer::from_input(input) }
}

/// Iterates over events with the conversation; made by [`folded`].
///
/// ```
/// use agui_runtime::client::middleware::{self, Folded, Reading};
/// use agui_runtime::client::{Replay, Upstream};
/// use agui_runtime::protocol::RunAgentInput;
///
/// # futures::executor::block_on(async {
/// let input = RunAgentInput::new("t", "r", []);
/// let replay = Replay::from_lines(r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#);
/// let mut run: Folded = middleware::folded(replay.open(input.clone()), &input, Reading::default());
///
/// while let Some((event, now)) = run.next().await? {
///     println!("{}: {} messages", event.event_type(), now.messages().len());
///     # assert_eq!(now.messages().len(), 1);
/// }
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// # }).unwrap();
/// ```
pub struct Folded {
    events: BoxStream<'static, Result<Event, ClientError>>,
    reducer: Reducer,
}

impl Folded {
    /// Returns the next event, and a reducer with the messages and the state after the event; `None` at the end.
    ///
    /// # Errors
    /// The [`ClientError`] that ends the stream early.
    pub async fn next(&mut self) -> Result<Option<(Event, &Reducer)>, ClientError> {
        let Some(event) = self.events.next().await.transpose()? else { return Ok(None) };
        // Chunks are already expanded, and a warning about an event is not an error.
        let _ = self.reducer.apply(&event);
        Ok(Some((event, &self.reducer)))
    }
}

impl fmt::Debug for Folded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folded").field("reducer", &self.reducer).finish_non_exhaustive()
    }
}
