//! Shows frames to somebody else.

use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt;

use super::{Middleware, Next};
use crate::client::{Frame, Frames};
use crate::protocol::RunAgentInput;

/// Shows every frame to somebody else as well, as it came from further in: to a file, a log, a test.
///
/// ```
/// use std::fs::File;
/// use std::io::Write;
///
/// use agui_runtime::client::{Session, middleware};
///
/// # fn example(upstream: impl agui_runtime::client::Upstream) -> std::io::Result<()> {
/// let mut file = File::create("conversation.jsonl")?;
/// let session: Session = Session::new(upstream).with(middleware::record(move |frame| {
///     if let Ok(line) = frame.to_text() {
///         writeln!(file, "{line}").expect("there is room");
///     }
/// }));
/// # Ok(())
/// # }
/// ```
pub fn record(each: impl FnMut(&Frame) + Send + 'static) -> impl Middleware {
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
