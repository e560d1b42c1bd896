//! The engine under [`StateNode`]: compares, writes operations and updates the sent copy in one pass.
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
pub use live::MarkedState;
pub use members::FlatMembers;
pub(crate) use moves::MovedElement;
pub(crate) use node::StateNode;
pub use out::{JsonOut, JsonSerializer, WriteJson};
pub use patch::{PatchText, TextMark};
pub use path::{KeyText, StatePath};
pub(crate) use settle::{least_element, least_structure};
pub use settle::{least_operation, least_set, least_settled};
pub use token::ValueToken;
pub use types::VisitedTypes;
