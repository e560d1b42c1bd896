//! Middleware that logs runs with `tracing`.

use futures_util::StreamExt;

use super::Next;
use crate::client::Frames;
use crate::protocol::RunAgentInput;
use crate::quoted::quoted;

/// Logs each run with `tracing` at level `debug`, and every frame at level `trace`: types, never contents.
///
/// ```
/// use agui_runtime::client::{Replay, Session, middleware};
/// # use futures::FutureExt;
///
/// let replay = Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#);
/// let mut session: Session = Session::new(replay).with(middleware::log);
/// session.run().now_or_never().unwrap()?;
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
#[allow(clippy::needless_pass_by_value, reason = "a middleware takes the next layer by value")]
pub fn log(input: RunAgentInput, next: Next) -> Frames {
    let (thread_id, run_id) = (quoted(&input.thread_id), quoted(&input.run_id));
    let span = tracing::debug_span!("run", %thread_id, %run_id);
    span.in_scope(|| tracing::debug!(messages = input.messages.len(), "requesting a run"));
    let mut count = 0_usize;
    next.open(input)
        .inspect(move |frame| {
            let _entered = span.enter();
            match frame {
                Ok(frame) => {
                    tracing::trace!(
                        at = count,
                        event = frame.head().event_type.as_deref().map(quoted).map(tracing::field::display),
                        "received a frame"
                    );
                }
                Err(error) => tracing::debug!(at = count, error = %quoted(error), "the stream failed"),
            }
            count += 1;
        })
        .boxed()
}
