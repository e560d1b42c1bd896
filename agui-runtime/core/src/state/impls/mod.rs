//! Standard library types, and types from other crates, as state.

#[cfg(feature = "bytes")]
mod bytes;
#[cfg(feature = "chrono")]
mod chrono;
mod foreign;
#[cfg(feature = "jiff")]
mod jiff;
mod key;
mod keyed;
mod list;
mod map;
mod net;
mod nonzero;
mod option;
mod pointer;
mod range;
mod rename;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
mod scalar;
mod set;
mod slice;
mod text;
mod tuple;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;
mod value;

pub use key::MapKey;
