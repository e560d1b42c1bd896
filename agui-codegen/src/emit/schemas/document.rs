//! Schemas with every referenced definition, and the schemas' file names.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::integers::{NamedSchemas, write_keywords};
use crate::file_names::{FileNames, is_device};

/// A schema with every referenced definition. The document borrows its parts, because many documents hold the
/// same types.
#[derive(PartialEq)]
pub(super) struct SchemaDocument<'a> {
    root: &'a Value,
    needed: BTreeMap<&'a str, &'a Value>,
}

impl<'a> SchemaDocument<'a> {
    /// Builds a document from `root` and every definition that `root` references. If `root` is only a
    /// reference, the referenced schema replaces `root`.
    pub(super) fn new(root: &'a Value, definitions: &'a Map<String, Value>) -> Self {
        let target = match root.as_object() {
            Some(object) if object.len() == 1 => name(root).and_then(|name| definitions.get(name)),
            _ => None,
        };
        let root = target.unwrap_or(root);
        let mut needed: BTreeMap<&str, &Value> = BTreeMap::new();
        let mut due = vec![root];
        while let Some(value) = due.pop() {
            match value {
                Value::Object(members) => {
                    if let Some((name, schema)) = name(value).and_then(|name| definitions.get_key_value(name))
                        && needed.insert(name, schema).is_none()
                    {
                        due.push(schema);
                    }
                    due.extend(members.values());
                }
                Value::Array(items) => due.extend(items),
                _ => {}
            }
        }
        Self { root, needed }
    }

    /// Returns the document as one schema, to embed in another document.
    pub(super) fn value(&self) -> Value {
        let mut root = self.root.clone();
        if let (Value::Object(members), false) = (&mut root, self.needed.is_empty()) {
            let needed = self.needed.iter().map(|(name, schema)| ((*name).to_owned(), (*schema).clone()));
            members.insert("$defs".to_owned(), Value::Object(needed.collect()));
        }
        root
    }

    /// Prints the document, with `mark` as the comment.
    pub(super) fn print(&self, mark: &str) -> String {
        print(&MarkedSchema { mark, document: self })
    }
}

/// Prints JSON with one line for each member.
pub(super) fn print(value: &impl Serialize) -> String {
    // Serializing values, strings and maps with string keys never fails.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

struct MarkedSchema<'a> {
    mark: &'a str,
    document: &'a SchemaDocument<'a>,
}

impl Serialize for MarkedSchema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SchemaDocument { root, needed } = self.document;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("$comment", self.mark)?;
        map.serialize_entry("$schema", "https://json-schema.org/draft/2020-12/schema")?;
        if let Value::Object(members) = root {
            write_keywords(&mut map, members, Some("$comment"))?;
        }
        if !needed.is_empty() {
            map.serialize_entry(
                "$defs",
                &NamedSchemas(needed.iter().map(|(name, schema)| (*name, *schema))),
            )?;
        }
        map.end()
    }
}

/// Returns the name of the definition that a schema references.
fn name(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// Returns a file name for each name: valid on every file system, and distinct, also with `.input` appended.
pub(super) fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = FileNames::default();
    let file = |name: &str| {
        let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let base: String = name.chars().map(plain).collect();
        let is_no_file = base.trim_matches('.').is_empty() || is_device(&base);
        let base = if is_no_file { format!("_{base}") } else { base };
        let mut file = base.clone();
        let mut count = 1;
        while !taken.take(&[file.clone(), format!("{file}.input")]) {
            count += 1;
            file = format!("{base}_{count}");
        }
        file
    };
    names.map(file).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_have_names_of_their_own() {
        for (names, files) in [
            (["Page", "page", "PAGE"], ["Page", "page_2", "PAGE_3"]),
            (["a/b", "a:b", ".."], ["a_b", "a_b_2", "_.."]),
            (["oven.temperature", "con", "NUL.x"], ["oven.temperature", "_con", "_NUL.x"]),
            (["con", "_con", "é"], ["_con", "_con_2", "é"]),
            (["é", "e\u{301}", "É"], ["é", "e_", "É_2"]),
            (["a", "a.input", "A.input.input"], ["a", "a.input_2", "A.input.input"]),
        ] {
            assert_eq!(file_names(names.into_iter()), files);
        }
    }

    #[test]
    fn a_document_holds_its_references_and_no_more() {
        let definitions = json!({
            "A": {"type": "array", "items": {"$ref": "#/$defs/A"}},
            "B": {"type": "string"},
        });
        let definitions = definitions.as_object().unwrap();
        let document = |root: Value| -> Value {
            serde_json::from_str(&SchemaDocument::new(&root, definitions).print("ours")).unwrap()
        };
        let list = document(json!({"$ref": "#/$defs/A"}));
        assert_eq!(list["type"], "array");
        assert_eq!(list["$comment"], "ours");
        assert_eq!(list["$defs"], json!({"A": definitions["A"]}));
    }
}
