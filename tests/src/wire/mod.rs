//! What the tests of the wire format share: the official schema, the fixtures, samples of every type, and generators.

mod equal;
pub mod fixture;
pub mod generate;
pub mod sample;
pub mod schema;
pub mod typed;

pub use equal::equal;
