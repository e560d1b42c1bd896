//! Texts: short ones, formats, and names, descriptions and literals of thousands of characters.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Form, Of, form, of};

/// A long description, one value of thousands of characters, and a name of a hundred.
struct Long;

/// The length of the texts, in characters.
pub(super) const LONG: usize = 8_000;

fn literal() -> String {
    "a long literal, ".repeat(LONG / 16)
}

impl JsonSchema for Long {
    fn schema_name() -> Cow<'static, str> {
        Cow::Owned("L".repeat(100))
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "Ünï ".repeat(LONG / 4),
            "enum": [literal(), "short"],
        })
    }
}

impl Serialize for Long {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&literal())
    }
}

impl<'de> Deserialize<'de> for Long {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == literal() { Ok(Self) } else { Err(serde::de::Error::custom("another text")) }
    }
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Formats {
    id: uuid::Uuid,
    at: chrono::DateTime<chrono::Utc>,
    #[schemars(regex(pattern = "^[a-z]+$"))]
    name: String,
}

pub(super) fn forms() -> Vec<Form> {
    let id = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    vec![
        form::<Of<char>>("character", of("a"), json!([of(7)])),
        form::<Of<String>>("text", of("a".repeat(LONG)), of(7)),
        form::<Of<Long>>("long texts", of(literal()), of("another")),
        form::<Formats>(
            "formats",
            json!({ "id": id, "at": "2026-01-01T00:00:00Z", "name": "a" }),
            json!({ "id": id, "at": 7, "name": "a" }),
        ),
        form::<Of<Option<Value>>>("optional value", of(7), json!(7))
            .lacking_in(&super::SUBSETS, "/properties/value"),
    ]
}
