//! For middleware that wants to know the conversation.

use std::fmt;

use futures::StreamExt;
use futures::stream::BoxStream;

use super::{Reading, expanded};
use crate::client::{ClientError, Frames};
use crate::protocol::{Event, RunAgentInput};
use crate::receive::Reducer;

/// The frames of the next layer as typed events, each with the messages and the state after it (AG-UI 1.0, section "Middleware": *run next
/// with state*).
///
/// The messages and the state are this reader's own: whatever other layers do, they are what the events of this one say, from the input
/// on.
///
/// ```
/// use agui_runtime::client::{Next, middleware};
/// use agui_runtime::protocol::RunAgentInput;
///
/// async fn longest_message(input: RunAgentInput, next: Next) -> Result<usize, agui_runtime::client::ClientError> {
///     let mut events = middleware::folded(next.open(input.clone()), &input, next.reading());
///     let mut most = 0;
///     while let Some((_, now)) = events.next().await? {
///         most = most.max(now.messages().len());
///     }
///     Ok(most)
/// }
/// ```
pub fn folded(frames: Frames, input: &RunAgentInput, reading: Reading) -> Folded {
    Folded { events: expanded(frames, reading).boxed(), reducer: Reducer::answering(input) }
}

/// Made by [`folded`].
pub struct Folded {
    events: BoxStream<'static, Result<Event, ClientError>>,
    reducer: Reducer,
}

impl Folded {
    /// The next event, and what messages and state are with it; `None` at the end.
    ///
    /// # Errors
    /// What ends the stream early.
    pub async fn next(&mut self) -> Result<Option<(Event, &Reducer)>, ClientError> {
        let Some(event) = self.events.next().await.transpose()? else { return Ok(None) };
        // Chunks are expanded already, and what else is odd about an event is no failure.
        let _ = self.reducer.apply(&event);
        Ok(Some((event, &self.reducer)))
    }
}

impl fmt::Debug for Folded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folded").field("reducer", &self.reducer).finish_non_exhaustive()
    }
}
