//! Changes the type keys in a manifest, with all references.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::build::Direction;
use super::schema::{Keyword, definition_name, keyword};
use super::{AgentDef, Manifest, ResultDef, TypesDef};
use crate::protocol::object;

impl Manifest {
    /// Returns the schemars name for the type with that key: the path's last segment, unless the type has type parameters or
    /// chooses an id.
    #[must_use]
    pub fn type_name<'m>(&'m self, key: &'m str) -> &'m str {
        self.types.names.get(key).map_or_else(|| last_part(key), String::as_str)
    }

    /// Returns this manifest with other type keys: `key` returns the new key. The hashes stay unchanged.
    #[must_use]
    pub fn rekeyed(&self, key: &dyn Fn(&str) -> String) -> Self {
        let mut manifest = self.clone();
        manifest.agents.iter_mut().for_each(|agent| rekey_agent(agent, key, key));
        let side = |types: &Map<String, Value>| {
            let mut sorted = BTreeMap::new();
            sorted.extend(types.iter().map(|(name, schema)| (key(name), rekeyed(schema, key))));
            object(sorted)
        };
        manifest.types =
            TypesDef { out: side(&self.types.out), input: side(&self.types.input), names: BTreeMap::new() };
        for old in self.types.out.keys().chain(self.types.input.keys()) {
            let (new, name) = (key(old), self.type_name(old));
            if last_part(&new) != name {
                manifest.types.names.insert(new, name.to_owned());
            }
        }
        manifest
    }
}

/// Returns a path's last segment, without type parameters.
pub(super) fn last_part(key: &str) -> &str {
    let path = key.split_once('<').map_or(key, |(path, _)| path);
    path.rsplit_once("::").map_or(path, |(_, last)| last)
}

/// Changes the keys in references within `agent`'s schemas, by direction.
pub(super) fn rekey_agent(
    agent: &mut AgentDef,
    out: &dyn Fn(&str) -> String,
    input: &dyn Fn(&str) -> String,
) {
    visit_schemas(agent, &mut |schema, direction| {
        *schema = match direction {
            Direction::Out => rekeyed(schema, out),
            Direction::In => rekeyed(schema, input),
        };
    });
}

/// Calls `visit` with each schema of `agent`, and the direction.
pub(super) fn visit_schemas(agent: &mut AgentDef, visit: &mut dyn FnMut(&mut Value, Direction)) {
    use Direction::{In, Out};
    if let Some(state) = &mut agent.state {
        visit(&mut state.out, Out);
        visit(&mut state.input, In);
    }
    for tool in &mut agent.tools {
        visit(&mut tool.params.out, Out);
        visit(&mut tool.params.input, In);
        match &mut tool.result {
            Some(ResultDef::Out(schema)) => visit(schema, Out),
            Some(ResultDef::In(schema)) => visit(schema, In),
            None => {}
        }
    }
    agent.events.iter_mut().for_each(|event| visit(&mut event.value, Out));
    for interrupt in &mut agent.interrupts {
        visit(&mut interrupt.payload, Out);
        visit(&mut interrupt.response, In);
    }
    agent.activities.iter_mut().for_each(|activity| visit(&mut activity.content, Out));
    agent.output.iter_mut().for_each(|schema| visit(schema, Out));
    agent.forwarded.iter_mut().for_each(|schema| visit(schema, In));
}

/// Returns `schema` with other keys in references to manifest types.
pub(super) fn rekeyed(schema: &Value, key: &dyn Fn(&str) -> String) -> Value {
    let Value::Object(keywords) = schema else { return schema.clone() };
    let members = keywords.iter().map(|(name, value)| {
        let value = match (keyword(name), value) {
            (Keyword::Data, Value::String(reference)) if name == "$ref" => {
                Value::String(other_reference(reference, key).unwrap_or_else(|| reference.clone()))
            }
            (Keyword::Schema, value) => rekeyed(value, key),
            (Keyword::SchemaList, Value::Array(list)) => {
                Value::Array(list.iter().map(|inner| rekeyed(inner, key)).collect())
            }
            (Keyword::SchemaMap, Value::Object(map)) => {
                Value::Object(object(map.iter().map(|(name, inner)| (name.clone(), rekeyed(inner, key)))))
            }
            (_, value) => value.clone(),
        };
        (name.clone(), value)
    });
    Value::Object(object(members))
}

fn other_reference(reference: &str, key: &dyn Fn(&str) -> String) -> Option<String> {
    let name = definition_name(reference)?;
    let side = if reference.starts_with("#/types/out/") { "out" } else { "in" };
    Some(format!("#/types/{side}/{}", encoded(&key(&name))))
}

/// Encodes a key as a JSON Pointer segment in a URL fragment (RFC 6901, section 6), as schemars does.
fn encoded(key: &str) -> String {
    let mut text = String::with_capacity(key.len());
    for byte in key.bytes() {
        match byte {
            b'~' => text.push_str("~0"),
            b'/' => text.push_str("~1"),
            b'!' | b'$' | b'&'..=b';' | b'=' | b'?'..=b'Z' | b'_' | b'a'..=b'z' => {
                text.push(char::from(byte));
            }
            // Writing into a `String` cannot fail.
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_key_survives_its_reference() {
        for key in ["kitchen::Recipe", "a::Page<b::Größe, [u8; 3]>", "50% ~/x", "Result<uint8, string>"] {
            let schema = json!({"items": {"$ref": "#/types/in/Old"}, "$ref": "#/types/out/Old"});
            let schema = rekeyed(&schema, &|_| key.to_owned());
            for reference in [&schema["items"]["$ref"], &schema["$ref"]] {
                let found = reference.as_str().and_then(definition_name);
                assert_eq!(found.as_deref(), Some(key), "{reference}");
            }
        }
        let other = json!({"$ref": "#/$defs/Old", "properties": {"$ref": {"const": "#/types/in/Old"}}});
        assert_eq!(rekeyed(&other, &|_| "new".to_owned()), other);
    }

    #[test]
    fn the_last_part_of_a_path_has_no_parameters() {
        for (key, last) in [
            ("kitchen::Recipe", "Recipe"),
            ("kitchen::Page<other::Todo>", "Page"),
            ("io.k8s.api.core.v1.Pod", "io.k8s.api.core.v1.Pod"),
            ("Recipe", "Recipe"),
        ] {
            assert_eq!(last_part(key), last);
        }
    }
}
