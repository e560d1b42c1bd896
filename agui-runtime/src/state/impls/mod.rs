//! The standard library's types as state.

mod foreign;
mod key;
mod list;
mod map;
mod option;
mod pointer;
mod rename;
mod scalar;
mod set;
mod slice;
mod splice;
mod text;
mod tuple;
mod value;

pub use key::MapKey;
pub(super) use list::sync_deque_named;
