//! The options of `#[tool]`.

use syn::{Ident, LitStr, Path, Token};

use super::predict::Prediction;
use crate::attr::{Flag, Key, Keys, flag, path, text};

#[derive(Clone, Default)]
pub(crate) struct ToolAttr {
    pub(crate) frontend: Option<Flag>,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) approval: Option<Approval>,
    pub(crate) predict: Vec<Prediction>,
    pub(crate) krate: Option<Path>,
}

/// `approval`, or `approval = policy`.
#[derive(Clone)]
pub(crate) struct Approval {
    pub(crate) key: Ident,
    /// The function that decides if a call asks; every call asks without one.
    pub(crate) policy: Option<Path>,
}

pub(crate) const KEYS: Keys<ToolAttr> = Keys {
    attribute: "#[tool]",
    rows: &[
        Key { name: "frontend", place: "", read: |tool, key, input| flag(&mut tool.frontend, key, input) },
        Key {
            name: "name",
            place: "",
            read: |tool, key, input| {
                tool.name = Some(text(key, input)?);
                Ok(())
            },
        },
        Key {
            name: "description",
            place: "",
            read: |tool, key, input| {
                tool.description = Some(text(key, input)?);
                Ok(())
            },
        },
        Key {
            name: "approval",
            place: "",
            read: |tool, key, input| {
                let policy = if input.peek(Token![=]) { Some(path(key, input)?) } else { None };
                tool.approval = Some(Approval { key: key.clone(), policy });
                Ok(())
            },
        },
        Key {
            name: "predict",
            place: "",
            read: |tool, key, input| {
                tool.predict = Prediction::read(key, input)?;
                Ok(())
            },
        },
        Key {
            name: "crate",
            place: "",
            read: |tool, key, input| {
                tool.krate = Some(path(key, input)?);
                Ok(())
            },
        },
    ],
};
