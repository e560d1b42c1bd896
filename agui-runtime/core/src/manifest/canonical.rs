//! A manifest's canonical text.
//!
//! The manifest's members come in struct order; agents, named types and schema keywords are sorted by name. Three orders carry
//! meaning and stay as in the Rust source: the members of `properties` (the field order, in which a model fills them in), an
//! agent's tools and events, and every JSON array.

use serde_json::{Map, Value};

use super::schema::{Keyword, keyword};
use super::{FORMAT, Manifest, ManifestError};
use crate::protocol::object;

impl Manifest {
    /// Returns the canonical text: indented JSON with a final line feed, equal for equal agents on every machine.
    ///
    /// ```
    /// use agui_runtime::manifest::{AgentSource, Manifest};
    ///
    /// let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
    /// assert!(manifest.to_json().ends_with("}\n"));
    /// # Ok::<(), agui_runtime::manifest::ManifestError>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        // A struct of strings and JSON values cannot fail to serialize: it has no map with other keys and
        // no foreign `Serialize`.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Parses a manifest; the reverse of [`to_json`](Self::to_json).
    ///
    /// # Errors
    ///
    /// [`ManifestError::UnknownFormat`] if `agui_manifest` is not [`FORMAT`], with both versions; [`ManifestError::Json`] if the
    /// text is not JSON or does not have the manifest's shape.
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

/// Sorts the keywords in `schema` by name, at every depth.
pub(super) fn canonical_schema(schema: Value) -> Value {
    let Value::Object(keywords) = schema else { return schema };
    let sorted = by_name(keywords).into_iter().map(|(name, value)| {
        let value = match (keyword(&name), value) {
            (Keyword::Schema, value) => canonical_schema(value),
            (Keyword::SchemaList, Value::Array(list)) => {
                Value::Array(list.into_iter().map(canonical_schema).collect())
            }
            (Keyword::SchemaMap, Value::Object(map)) => {
                Value::Object(object(map.into_iter().map(|(key, inner)| (key, canonical_schema(inner)))))
            }
            (_, value) => value,
        };
        (name, value)
    });
    Value::Object(object(sorted))
}

/// Returns an object's members, sorted by name.
pub(super) fn by_name(object: Map<String, Value>) -> Vec<(String, Value)> {
    let mut members: Vec<_> = object.into_iter().collect();
    members.sort_by(|(a, _), (b, _)| a.cmp(b));
    members
}
