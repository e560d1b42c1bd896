//! Shows frames to somebody else.

use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt;

use super::{Middleware, Next};
use crate::client::{Frame, Frames};
use crate::protocol::RunAgentInput;

/// Shows every frame to somebody else as well, exactly as it came from further in: for looking at a wire. To keep a conversation, use
/// [`record`](super::record).
///
/// ```
/// use agui_runtime::client::{Session, middleware};
///
/// # fn example(upstream: impl agui_runtime::client::Upstream) {
/// let mut count = 0;
/// let session: Session = Session::new(upstream).with(middleware::inspect(move |frame| {
///     count += 1;
///     println!("{count}: {:?}", frame.head().event_type);
/// }));
/// # }
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
