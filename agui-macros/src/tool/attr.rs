//! The options of `#[tool]`.

use syn::{LitStr, Path};

use super::predict::Prediction;
use crate::attr::{Flag, Key, Keys, flag, path, text};

#[derive(Clone, Default)]
pub(crate) struct ToolAttr {
    pub(crate) frontend: Option<Flag>,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) predict: Vec<Prediction>,
    pub(crate) krate: Option<Path>,
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
