//! A run's state: the handle that changes it and sends the differences.

mod by_hand;
mod cell;
mod handle;
mod options;
mod part;
mod synced;
mod write;

pub use by_hand::PatchState;
pub use handle::StateHandle;
pub use part::HoldsState;
pub use write::{ResendState, StateUpdate, UpdateState};

pub(crate) use handle::ExistingBaseline;
pub(crate) use options::StateOptions;
