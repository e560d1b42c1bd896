//! The engine under [`Node`]: compares, writes operations and updates the sent copy in one pass.
//!
//! Only the thin shells in `impls/` are generic over a user's type. The code that runs on a change is cold and shared.

mod keyed;
pub(super) mod list;
mod live;
pub mod members;
mod moves;
pub(crate) mod node;
pub mod opaque;
pub mod out;
pub mod patch;
pub mod path;
pub mod raw;
mod settle;
pub mod token;
mod types;

pub(crate) use keyed::KeyFunctions;
pub use keyed::{KeyedList, keyed};
pub use live::Marked;
pub use members::Members;
pub(crate) use moves::Moved;
pub(crate) use node::Node;
pub use out::{Json, JsonSerializer, Out};
pub use patch::{Mark, Patch};
pub use path::{KeyText, Path};
pub(crate) use settle::{least_element, least_structure};
pub use settle::{least_operation, least_set, least_settled};
pub use token::Token;
pub use types::Types;
