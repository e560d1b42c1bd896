//! The engine under [`Node`](super::Node): compare, write operations, bring the sent copy up to date, in one pass.
//!
//! Nothing in here is generic over a user's type but the thin shells in `impls/`; what runs on a change is cold and shared.

mod keyed;
mod live;
pub mod members;
pub mod opaque;
pub mod out;
pub mod patch;
pub mod path;
pub mod raw;
mod settle;
pub mod token;

pub(crate) use keyed::Key;
pub use keyed::{List, keyed};
pub use live::Marked;
pub use members::Members;
pub use out::{Json, JsonSerializer, Out};
pub use patch::{Mark, Patch};
pub use path::{KeyText, Path};
pub(crate) use settle::{least_element, least_structure};
pub use settle::{least_operation, least_set, least_settled};
pub use token::Token;
