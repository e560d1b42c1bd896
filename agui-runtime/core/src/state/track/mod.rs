//! Opt-in tracking: changes are recorded, so that a flush need not compare the rest.

mod chunked;
mod list;
mod live;
mod map;
mod stamp;
mod tracked;
mod transparent;

pub use chunked::ChunkedText;
pub use live::{Live, Mut};
pub use tracked::{Tracked, TrackedCollection};
