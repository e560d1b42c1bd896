//! The standard library's types as state.

mod foreign;
mod key;
mod list;
mod map;
mod option;
mod pointer;
mod scalar;
mod text;
mod tuple;
mod value;

pub use key::MapKey;
