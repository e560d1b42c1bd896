//! Options for `#[tool]`.

use syn::{Ident, LitStr, Path, Token};

use super::default::DefaultValue;
use super::docs;
use super::facts::ToolFacts;
use super::limit::ToolLimits;
use super::policy::ApprovalPolicy;
use super::predict::Prediction;
use crate::attr::{AttributeFlag, AttributeSwitch, KeyRow, KeyTable, flag, path, text};

#[derive(Clone, Default)]
pub(crate) struct ToolAttr {
    pub(crate) frontend: Option<AttributeFlag>,
    pub(crate) private: Option<AttributeFlag>,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) approval: Option<ApprovalAttr>,
    pub(crate) facts: ToolFacts,
    pub(crate) limits: ToolLimits,
    pub(crate) denies_undocumented: Option<AttributeFlag>,
    pub(crate) predict: Vec<Prediction>,
    /// Value for an argument that the model leaves out: a parameter key.
    pub(crate) default: Option<DefaultValue>,
    pub(crate) krate: Option<Path>,
}

/// `approval`, or `approval = policy`.
#[derive(Clone)]
pub(crate) struct ApprovalAttr {
    pub(crate) key: Ident,
    /// Function or closure that decides if a call needs approval; without one, every call does.
    pub(crate) policy: Option<ApprovalPolicy>,
}

/// The place name for parameter options.
pub(super) const PARAMETER: &str = "a parameter";

pub(crate) const KEYS: KeyTable<ToolAttr> = KeyTable {
    attribute: "#[tool]",
    rows: &[
        KeyRow { name: "frontend", place: "", read: |tool, key, input| flag(&mut tool.frontend, key, input) },
        KeyRow { name: "private", place: "", read: |tool, key, input| flag(&mut tool.private, key, input) },
        KeyRow {
            name: "name",
            place: "",
            read: |tool, key, input| {
                tool.name = Some(text(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "description",
            place: "",
            read: |tool, key, input| {
                tool.description = Some(text(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "title",
            place: "",
            read: |tool, key, input| {
                tool.facts.title = Some(text(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "read_only",
            place: "",
            read: |tool, key, input| flag(&mut tool.facts.read_only, key, input),
        },
        KeyRow {
            name: "destructive",
            place: "",
            read: |tool, key, input| AttributeSwitch::read(&mut tool.facts.destructive, key, input),
        },
        KeyRow {
            name: "idempotent",
            place: "",
            read: |tool, key, input| flag(&mut tool.facts.idempotent, key, input),
        },
        KeyRow {
            name: "closed_world",
            place: "",
            read: |tool, key, input| flag(&mut tool.facts.closed_world, key, input),
        },
        KeyRow { name: "timeout", place: "", read: |tool, key, input| tool.limits.read_timeout(key, input) },
        KeyRow {
            name: "max_result",
            place: "",
            read: |tool, key, input| tool.limits.read_max_result(key, input),
        },
        KeyRow {
            name: "docs",
            place: "",
            read: |tool, key, input| docs::read(&mut tool.denies_undocumented, key, input),
        },
        KeyRow {
            name: "default",
            place: PARAMETER,
            read: |tool, key, input| {
                tool.default = Some(DefaultValue::read(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "approval",
            place: "",
            read: |tool, key, input| {
                let policy =
                    if input.peek(Token![=]) { Some(ApprovalPolicy::read(key, input)?) } else { None };
                tool.approval = Some(ApprovalAttr { key: key.clone(), policy });
                Ok(())
            },
        },
        KeyRow {
            name: "predict",
            place: "",
            read: |tool, key, input| {
                tool.predict = Prediction::read(key, input)?;
                Ok(())
            },
        },
        KeyRow {
            name: "crate",
            place: "",
            read: |tool, key, input| {
                tool.krate = Some(path(key, input)?);
                Ok(())
            },
        },
    ],
};
