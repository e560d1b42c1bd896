//! Middleware that observes frames.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;

use super::{Middleware, Next};
use crate::client::{Frame, Frames};
use crate::protocol::RunAgentInput;

/// Calls a function with every frame as the inner layers deliver the frame: for debugging a stream. To store a conversation, use
/// [`record`](super::record).
///
/// ```
/// use std::sync::mpsc;
///
/// use agui_runtime::client::{Replay, Session, middleware};
/// # use futures::FutureExt;
///
/// let replay = Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#);
/// let (seen, frames) = mpsc::channel();
/// let mut session: Session = Session::new(replay).with(middleware::inspect(move |frame| {
///     let _ = seen.send(frame.clone());
/// }));
/// session.run().now_or_never().unwrap()?;
/// assert_eq!(frames.try_recv().unwrap().head().event_type.as_deref(), Some("RUN_ERROR"));
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
pub fn inspect(each: impl FnMut(&Frame) + Send + 'static) -> impl Middleware {
    let each = Arc::new(Mutex::new(each));
    move |input: RunAgentInput, next: Next| -> Frames {
        let each = Arc::clone(&each);
        next.open(input)
            .inspect(move |frame| {
                if let Ok(frame) = frame {
                    let mut each = each.lock().unwrap_or_else(PoisonError::into_inner);
                    each(frame);
                }
            })
            .boxed()
    }
}
