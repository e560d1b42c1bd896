//! One text for one manifest.
//!
//! The members of the manifest come in the order of its structs, agents and named types are sorted by name, and the
//! keywords of a schema are sorted by name. Three orders carry meaning and stay as the Rust source has them: the
//! members of `properties` (the order of the fields, and the order in which a model fills them in), the tools and
//! events of an agent, and every JSON array.

use serde_json::{Map, Value};

use super::schema::{Keyword, keyword};
use super::{FORMAT, Manifest, ManifestError};

impl Manifest {
    /// The canonical text: indented JSON with a final line feed, the same for the same agents on every machine.
    #[must_use]
    pub fn to_json(&self) -> String {
        // A struct of strings and JSON values has no way to fail: no map with other keys, no foreign `Serialize`.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads a manifest; the reverse of [`to_json`](Self::to_json).
    ///
    /// # Errors
    ///
    /// [`ManifestError::UnknownFormat`] names both versions when `agui_manifest` is not [`FORMAT`];
    /// [`ManifestError::Json`] when the text is not JSON or not of the manifest's shape.
    pub fn from_json(text: &str) -> Result<Self, ManifestError> {
        let value: Value = serde_json::from_str(text)?;
        match value.get("agui_manifest") {
            Some(found) if found.as_u64() != Some(FORMAT) => {
                Err(ManifestError::UnknownFormat { found: found.to_string() })
            }
            _ => Ok(serde_json::from_value(value)?),
        }
    }
}

/// `schema` with its keywords sorted, at every depth.
pub(super) fn canonical_schema(schema: Value) -> Value {
    let Value::Object(object) = schema else { return schema };
    let mut entries: Vec<(String, Value)> = object.into_iter().collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    let sorted = entries.into_iter().map(|(name, value)| {
        let value = match (keyword(&name), value) {
            (Keyword::Schema, value) => canonical_schema(value),
            (Keyword::SchemaList, Value::Array(list)) => {
                Value::Array(list.into_iter().map(canonical_schema).collect())
            }
            (Keyword::SchemaMap, Value::Object(map)) => {
                Value::Object(map.into_iter().map(|(key, inner)| (key, canonical_schema(inner))).collect())
            }
            (_, value) => value,
        };
        (name, value)
    });
    Value::Object(sorted.collect::<Map<_, _>>())
}
