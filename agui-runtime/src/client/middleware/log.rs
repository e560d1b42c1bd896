//! Tells `tracing` of runs.

use futures::StreamExt;

use super::Next;
use crate::client::Frames;
use crate::protocol::RunAgentInput;
use crate::quoted::quoted;

/// Tells `tracing` of the run at level `debug`, and of every frame at level `trace`: types, never contents.
///
/// ```
/// use agui_runtime::client::{Session, middleware};
///
/// # fn example(upstream: impl agui_runtime::client::Upstream) {
/// let session: Session = Session::new(upstream).with(middleware::log);
/// # }
/// ```
#[allow(clippy::needless_pass_by_value, reason = "a middleware is given what is next")]
pub fn log(input: RunAgentInput, next: Next) -> Frames {
    let (thread_id, run_id) = (quoted(&input.thread_id), quoted(&input.run_id));
    let span = tracing::debug_span!("run", %thread_id, %run_id);
    span.in_scope(|| tracing::debug!(messages = input.messages.len(), "the run is asked for"));
    let mut count = 0_usize;
    next.open(input)
        .inspect(move |frame| {
            let _entered = span.enter();
            match frame {
                Ok(frame) => {
                    tracing::trace!(
                        at = count,
                        event = frame.head().event_type.as_deref().map(quoted).map(tracing::field::display),
                        "a frame"
                    );
                }
                Err(error) => tracing::debug!(at = count, error = %quoted(error), "no more frames"),
            }
            count += 1;
        })
        .boxed()
}
