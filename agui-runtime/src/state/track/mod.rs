//! Opt-in tracking: what was changed is remembered, so that a flush need not compare the rest.

mod live;

pub use live::{Live, Mut};
