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
pub(crate) use docs::{Docs, is_docs};
pub(crate) use inside::inner_attrs;
pub(crate) use keys::{Key, Keys};
pub(crate) use nearest::nearest;
pub(crate) use rename::Rename;
pub(crate) use serde::{SerdeAttrs, SerdeKey};
pub(crate) use value::{Flag, Switch, flag, list, literal, path, text};
