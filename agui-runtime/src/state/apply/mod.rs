//! Operations applied to a typed state.

mod target;

pub use target::{Edit, Fault, Target};
