//! The shared parts of the tests of the wire format: the official schema, the fixtures, samples of every type, and
//! generators.

// prost's output for `agui-runtime/core/src/wire/proto/ag_ui.proto`; a test regenerates it.
#[rustfmt::skip]
#[allow(clippy::all, missing_docs, reason = "generated")]
pub mod ag_ui;
mod equal;
pub mod fixture;
pub mod generate;
pub mod sample;
pub mod schema;
pub mod typed;
#[cfg(feature = "optional")]
mod validator;

pub use equal::equal;
