//! The attributes that users write: tables of keys, serde's own keys, doc comments.

mod as_string;
mod docs;
mod inside;
mod keys;
mod nearest;
mod rename;
mod serde;
mod value;

pub(crate) use as_string::check_as_string;
pub(crate) use docs::{DocText, is_docs};
pub(crate) use inside::inner_attrs;
pub(crate) use keys::{KeyRow, KeyTable};
pub(crate) use nearest::nearest;
pub(crate) use rename::RenameRule;
pub(crate) use serde::{SerdeAttrs, SerdeKey};
pub(crate) use value::{AttributeFlag, AttributeSwitch, flag, list, literal, path, text};
