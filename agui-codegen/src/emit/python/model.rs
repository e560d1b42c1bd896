//! A Python types module, with no decisions left.

use std::collections::{BTreeMap, BTreeSet};

/// The content for `types.py`.
#[derive(Debug, Default)]
pub(super) struct PythonModule {
    /// Classes and aliases, in output order.
    pub(super) decls: Vec<PythonDecl>,
    /// The imports, by module.
    pub(super) imports: BTreeMap<&'static str, BTreeSet<&'static str>>,
    /// Python names, by type name in the shared representation.
    pub(super) names: BTreeMap<String, String>,
    /// The type names for the agent's slots.
    pub(super) slots: SlotNames,
    /// True if string enums are classes.
    pub(super) str_enums: bool,
}

/// Type names in `types.py`, by slot in the agent.
#[derive(Debug, Default)]
pub(super) struct SlotNames {
    /// The state that the agent writes, and the state that the agent reads.
    pub(super) state: Option<(String, String)>,
    /// For each tool, the arguments and the answer.
    pub(super) tools: Vec<(String, Option<String>)>,
    /// For each tool, the result item if the tool may send result items one by one.
    pub(super) items: Vec<Option<String>>,
    /// For each event, the value.
    pub(super) events: Vec<String>,
    /// For each interrupt, the payload and the response.
    pub(super) interrupts: Vec<(String, String)>,
    /// For each activity, the content.
    pub(super) activities: Vec<String>,
    /// A run's result.
    pub(super) result: Option<String>,
    /// A run's forwarded props.
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

/// The members that a class keeps besides the declared fields.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ModelExtra {
    Allow,
    Forbid,
    /// Members with this type.
    Typed(String),
}

/// A field in a [`PydanticModel`].
#[derive(Clone, Debug)]
pub(super) struct ModelField {
    pub(super) attribute: String,
    /// The wire name, if the wire name differs from the attribute.
    pub(super) alias: Option<String>,
    pub(super) annotation: String,
    /// The default, as a Python expression.
    pub(super) default: Option<String>,
    pub(super) doc: Vec<String>,
}

/// A type alias.
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
    /// The name of the tuple with all values.
    pub(super) list: String,
    pub(super) doc: Vec<String>,
    /// The values, each with a description.
    pub(super) values: Vec<(String, Vec<String>)>,
}
