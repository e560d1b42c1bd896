//! A schema with everything it needs, and what its file is called.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// `root` as a document: the types it refers to are in it. A root that is nothing but a reference is what it refers to.
pub(super) fn complete(root: &Value, definitions: &Map<String, Value>) -> Value {
    let target = match root.as_object() {
        Some(object) if object.len() == 1 => name(root).and_then(|name| definitions.get(name)),
        _ => None,
    };
    let root = target.unwrap_or(root);
    let mut document = Map::new();
    document.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    match root {
        Value::Object(members) => document.extend(members.clone()),
        Value::Bool(false) => drop(document.insert("not".into(), Value::Object(Map::new()))),
        _ => {}
    }
    let mut needed: BTreeMap<&str, &Value> = BTreeMap::new();
    let mut due = vec![root];
    while let Some(value) = due.pop() {
        if let Some((name, schema)) = name(value).and_then(|name| definitions.get_key_value(name))
            && needed.insert(name, schema).is_none()
        {
            due.push(schema);
        }
        match value {
            Value::Object(members) => due.extend(members.values()),
            Value::Array(items) => due.extend(items),
            _ => {}
        }
    }
    if !needed.is_empty() {
        let needed = needed.into_iter().map(|(name, schema)| (name.to_owned(), schema.clone()));
        document.insert("$defs".into(), Value::Object(needed.collect()));
    }
    Value::Object(document)
}

/// The definition that a schema refers to.
fn name(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// What the files of `names` are called: what no file system minds, each once.
pub(super) fn file_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let file = |name: &str| {
        let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let base: String = name.chars().map(plain).collect();
        let base = if base.trim_matches('.').is_empty() { format!("_{base}") } else { base };
        let mut file = base.clone();
        let mut count = 1;
        // Some file systems do not tell capitals apart.
        while !taken.insert(file.to_lowercase()) {
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
        let names = ["Page", "page", "a/b", "a:b", "..", "oven.temperature"];
        assert_eq!(
            file_names(names.into_iter()),
            ["Page", "page_2", "a_b", "a_b_2", "_..", "oven.temperature"]
        );
    }

    #[test]
    fn a_document_is_whole_and_no_more() {
        let definitions = json!({
            "A": {"type": "array", "items": {"$ref": "#/$defs/A"}},
            "B": {"type": "string"},
        });
        let definitions = definitions.as_object().unwrap();
        let document = complete(&json!({"$ref": "#/$defs/A"}), definitions);
        assert_eq!(document["type"], "array");
        assert_eq!(document["$defs"], json!({"A": definitions["A"]}));
        assert_eq!(complete(&json!(false), definitions)["not"], json!({}));
        assert!(complete(&json!(true), definitions).get("$defs").is_none());
    }
}
