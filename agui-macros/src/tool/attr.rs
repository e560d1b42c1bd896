//! The options of `#[tool]`.

use syn::{Ident, LitStr, Path, Token};

use super::default::DefaultValue;
use super::docs;
use super::facts::Facts;
use super::limit::Limits;
use super::policy::Policy;
use super::predict::Prediction;
use crate::attr::{Flag, Key, Keys, Switch, flag, path, text};

#[derive(Clone, Default)]
pub(crate) struct ToolAttr {
    pub(crate) frontend: Option<Flag>,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) approval: Option<Approval>,
    pub(crate) facts: Facts,
    pub(crate) limits: Limits,
    pub(crate) denies_undocumented: Option<Flag>,
    pub(crate) predict: Vec<Prediction>,
    /// The value of an argument that the model leaves out: a key of parameters.
    pub(crate) default: Option<DefaultValue>,
    pub(crate) krate: Option<Path>,
}

/// `approval`, or `approval = policy`.
#[derive(Clone)]
pub(crate) struct Approval {
    pub(crate) key: Ident,
    /// The function or closure that decides if a call asks; every call asks without one.
    pub(crate) policy: Option<Policy>,
}

/// The place of the options of one parameter.
pub(super) const PARAMETER: &str = "a parameter";

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
            name: "title",
            place: "",
            read: |tool, key, input| {
                tool.facts.title = Some(text(key, input)?);
                Ok(())
            },
        },
        Key {
            name: "read_only",
            place: "",
            read: |tool, key, input| flag(&mut tool.facts.read_only, key, input),
        },
        Key {
            name: "destructive",
            place: "",
            read: |tool, key, input| Switch::read(&mut tool.facts.destructive, key, input),
        },
        Key {
            name: "idempotent",
            place: "",
            read: |tool, key, input| flag(&mut tool.facts.idempotent, key, input),
        },
        Key {
            name: "closed_world",
            place: "",
            read: |tool, key, input| flag(&mut tool.facts.closed_world, key, input),
        },
        Key { name: "timeout", place: "", read: |tool, key, input| tool.limits.read_timeout(key, input) },
        Key {
            name: "max_result",
            place: "",
            read: |tool, key, input| tool.limits.read_max_result(key, input),
        },
        Key {
            name: "docs",
            place: "",
            read: |tool, key, input| docs::read(&mut tool.denies_undocumented, key, input),
        },
        Key {
            name: "default",
            place: PARAMETER,
            read: |tool, key, input| {
                tool.default = Some(DefaultValue::read(key, input)?);
                Ok(())
            },
        },
        Key {
            name: "approval",
            place: "",
            read: |tool, key, input| {
                let policy = if input.peek(Token![=]) { Some(Policy::read(key, input)?) } else { None };
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
