//! What people choose to have printed besides and otherwise.

use std::collections::{BTreeMap, BTreeSet};

/// What is printed besides what always is; nothing, unless somebody asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Hooks of CopilotKit, in TypeScript.
    pub react: Option<React>,
    /// Schemas of Zod, in TypeScript.
    pub zod: Option<Zod>,
    /// One module for each agent in TypeScript, with nothing beside it but what needs other packages.
    pub single_file: bool,
    /// The texts and numbers that TypeScript tells from other texts and numbers, by the name they have in the generated
    /// code: where [`rename`](crate::choose::rename) gave another, that one.
    pub brand: BTreeSet<String>,
    /// What a text of a format is called in TypeScript: `uuid`, `Uuid`.
    pub formats: BTreeMap<String, String>,
    /// What an object is in Python.
    pub python_style: PythonStyle,
    /// What a type of texts is in Python.
    pub python_enum: PythonEnum,
}

/// Which Zod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zod {
    /// `zod/v3`.
    V3,
    /// `zod/v4`.
    V4,
}

/// What an object is in Python.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PythonStyle {
    /// A model of pydantic, which checks, and a client that uses it.
    #[default]
    Pydantic,
    /// A `TypedDict`: for type checkers alone, without any package.
    TypedDict,
}

/// What a type of texts is in Python.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PythonEnum {
    /// `Literal["open", "done"]`.
    #[default]
    Literal,
    /// A class that is an `Enum` and a `str`.
    StrEnum,
}

/// Whose hooks those are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum React {
    /// `@copilotkit/react-core`.
    V1,
    /// `@copilotkit/react-core/v2`.
    V2,
}
