//! A client of rust-analyzer, as small as the questions in `tests/` need it.

mod connection;
mod session;
mod text;

pub use session::{Definition, Session, compile};
pub use text::{Place, after};
