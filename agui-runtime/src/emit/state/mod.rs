//! The state of a run: the guard that changes it and sends the differences.

mod by_hand;
mod handle;
mod options;
mod part;

pub use by_hand::PatchState;
pub use handle::{ResendState, StateHandle, Update, UpdateState};
pub use part::HoldsState;

pub(crate) use handle::Earlier;
pub(crate) use options::StateOptions;
