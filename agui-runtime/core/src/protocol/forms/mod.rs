//! The forms of a declared type: one list of members becomes a struct, its readers and its writers.
//!
//! | file | content |
//! |---|---|
//! | `object` `union` `string_set` | the macros that declare types |
//! | `members` `into_member` | members read and written by serde; values that constructors take |
//! | `scan` `scanned` | the fast reader for well-formed text |
//! | `print` `printed` | the fast writer |
//! | `shape` | the declarations as data |
//! | `since` | members that earlier versions do not have |

pub(super) mod into_member;
pub(crate) mod members;
pub(super) mod object;
pub(crate) mod print;
pub(super) mod printed;
pub(crate) mod scan;
#[cfg(feature = "receive")]
pub(super) mod scanned;
pub(crate) mod shape;
pub(crate) mod since;
pub(super) mod string_set;
pub(super) mod union;
