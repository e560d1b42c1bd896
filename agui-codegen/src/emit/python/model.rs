//! A module of types as Python has them, with no decisions left.

use std::collections::{BTreeMap, BTreeSet};

/// `types.py`.
#[derive(Debug, Default)]
pub(super) struct PythonModule {
    /// Classes and aliases, in the order they are printed.
    pub(super) decls: Vec<PythonDecl>,
    /// The imports, by module.
    pub(super) imports: BTreeMap<&'static str, BTreeSet<&'static str>>,
    /// The Python name of each named type.
    pub(super) names: BTreeMap<String, String>,
    /// The names of the types in the agent's places.
    pub(super) slots: SlotNames,
    /// True if string enums are classes.
    pub(super) str_enums: bool,
}

/// The names of types in `types.py`, by their use in the agent.
#[derive(Debug, Default)]
pub(super) struct SlotNames {
    /// The state as the agent writes it, and as it reads it.
    pub(super) state: Option<(String, String)>,
    /// For each tool, its arguments and its answer.
    pub(super) tools: Vec<(String, Option<String>)>,
    /// For each tool, the item of its result, if it may send the items one by one.
    pub(super) items: Vec<Option<String>>,
    /// For each event, its value.
    pub(super) events: Vec<String>,
    /// For each interrupt, its payload and its response.
    pub(super) interrupts: Vec<(String, String)>,
    /// For each activity, its content.
    pub(super) activities: Vec<String>,
    /// The result of a run.
    pub(super) result: Option<String>,
    /// The forwarded props of a run.
    pub(super) forwarded: Option<String>,
}

/// A named declaration.
#[derive(Debug)]
pub(super) enum PythonDecl {
    Class(PydanticModel),
    Alias(TypeAlias),
    Enum(EnumAlias),
}

/// A pydantic model.
#[derive(Debug)]
pub(super) struct PydanticModel {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    pub(super) fields: Vec<ModelField>,
    pub(super) extra: ModelExtra,
}

/// The members that a class keeps besides its fields.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ModelExtra {
    Allow,
    Forbid,
    /// Members of this type.
    Typed(String),
}

/// A field of a [`PydanticModel`].
#[derive(Clone, Debug)]
pub(super) struct ModelField {
    pub(super) attribute: String,
    /// The name on the wire, if it differs.
    pub(super) alias: Option<String>,
    pub(super) annotation: String,
    /// The default, as an expression.
    pub(super) default: Option<String>,
    pub(super) doc: Vec<String>,
}

/// A name for a type.
#[derive(Debug)]
pub(super) struct TypeAlias {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    pub(super) annotation: String,
    /// True if the type refers to itself.
    pub(super) recursive: bool,
}

/// A string enum.
#[derive(Debug)]
pub(super) struct EnumAlias {
    pub(super) name: String,
    /// The name of the tuple of all values.
    pub(super) list: String,
    pub(super) doc: Vec<String>,
    /// The values, each with its description.
    pub(super) values: Vec<(String, Vec<String>)>,
}
