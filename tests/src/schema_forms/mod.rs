//! Every form that serde and schemars can write, as arguments of a tool, with the dialects that have no form for it.

mod collections;
mod enums;
mod numbers;
mod places;
mod structs;
mod texts;

use agui_runtime::manifest::TypeSource;
use agui_runtime::model::SchemaDialect;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// All dialects.
pub const DIALECTS: [SchemaDialect; 6] = [
    SchemaDialect::JsonSchema,
    SchemaDialect::OpenAi,
    SchemaDialect::OpenAiStrict,
    SchemaDialect::Anthropic,
    SchemaDialect::AnthropicStrict,
    SchemaDialect::Gemini,
];

/// The dialects of which providers accept only a subset.
pub(crate) const SUBSETS: [SchemaDialect; 3] =
    [SchemaDialect::OpenAiStrict, SchemaDialect::AnthropicStrict, SchemaDialect::Gemini];

/// A type, with values that serde takes and values that it refuses.
#[derive(Debug)]
pub struct Form {
    /// The name of the form.
    pub name: &'static str,
    /// The schema of the type.
    pub schema: Value,
    /// Values that serde takes.
    pub takes: Vec<Value>,
    /// Values that serde refuses.
    pub refuses: Vec<Value>,
    rewrite: fn(&Value) -> Option<Value>,
    lacking: Vec<(SchemaDialect, &'static str)>,
}

pub(crate) fn form<T>(name: &'static str, takes: Value, refuses: Value) -> Form
where
    T: JsonSchema + Serialize + DeserializeOwned,
{
    let list = |values: Value| match values {
        Value::Array(values) => values,
        one => vec![one],
    };
    Form {
        name,
        schema: TypeSource::of::<T>().root_schema().to_value(),
        takes: list(takes),
        refuses: list(refuses),
        rewrite: |value| serde_json::to_value(serde_json::from_value::<T>(value.clone()).ok()?).ok(),
        lacking: Vec::new(),
    }
}

impl Form {
    /// Says that the dialect has no form for it, and the place of the error.
    pub(crate) fn lacking(mut self, dialect: SchemaDialect, path: &'static str) -> Self {
        self.lacking.push((dialect, path));
        self
    }

    /// Says the same of several dialects.
    pub(crate) fn lacking_in(self, dialects: &[SchemaDialect], path: &'static str) -> Self {
        dialects.iter().fold(self, |form, dialect| form.lacking(*dialect, path))
    }

    /// The place for which the dialect has no form.
    #[must_use]
    pub fn lacks(&self, dialect: SchemaDialect) -> Option<&'static str> {
        self.lacking.iter().find(|(lacking, _)| *lacking == dialect).map(|(_, path)| *path)
    }

    /// The value as serde writes it after reading it; `None` if serde refuses it.
    #[must_use]
    pub fn rewritten(&self, value: &Value) -> Option<Value> {
        (self.rewrite)(value)
    }
}

/// All forms.
#[must_use]
pub fn forms() -> Vec<Form> {
    [
        structs::forms(),
        enums::forms(),
        collections::forms(),
        numbers::forms(),
        texts::forms(),
        places::forms(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A tool with one argument of this type.
#[derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
pub(crate) struct Of<T> {
    value: T,
}

/// The arguments of a tool with one argument.
pub(crate) fn of(value: impl Into<Value>) -> Value {
    json!({ "value": value.into() })
}
