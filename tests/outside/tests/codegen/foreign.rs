//! Foreign types: schemas of public test suites, as the types of an agent.
//!
//! `tests/fixtures/foreign/README.md` lists their sources. The generated code meets the judges of its suite: recorded
//! results of serde, and the suite's own verdicts.

mod corpus;
mod mutants;
mod suite;

use std::collections::BTreeSet;

use agui_codegen::{Manifest, lower::lower};
use agui_runtime::manifest::{Keyword, keyword};
use serde_json::{Map, Value, json};

/// A foreign schema, for each direction.
#[derive(Clone)]
pub(super) struct Foreign {
    /// The type's name, and the name of its event.
    pub(super) name: String,
    /// The schema for writing.
    pub(super) out: Value,
    /// The schema for reading.
    pub(super) input: Value,
}

/// The reason why a schema has no types: the place, and the message.
pub(super) struct Refusal {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) message: String,
}

/// One agent that sends each of `types` as an event, and takes each as the answer of a tool, as far as they have types.
pub(super) fn manifest(agent: &str, types: &[Foreign]) -> (Manifest, Vec<Refusal>) {
    let Err(error) = lower(&build(agent, types)) else { return (build(agent, types), vec![]) };
    let refusals: Vec<_> = error
        .problems
        .into_iter()
        .map(|problem| {
            let owner = problem.owner.strip_prefix("type `").and_then(|rest| rest.strip_suffix('`'));
            let owner = owner.unwrap_or_else(|| panic!("{problem}")).to_owned();
            let name = owner.split("__").next().unwrap().trim_end_matches("Input").to_owned();
            Refusal { name, path: problem.path, message: problem.message }
        })
        .collect();
    let refused: BTreeSet<&str> = refusals.iter().map(|refusal| refusal.name.as_str()).collect();
    let kept: Vec<Foreign> =
        types.iter().filter(|foreign| !refused.contains(foreign.name.as_str())).cloned().collect();
    assert_eq!(kept.len() + refused.len(), types.len(), "{refused:?}");
    (build(agent, &kept), refusals)
}

fn build(agent: &str, types: &[Foreign]) -> Manifest {
    let (mut out, mut input) = (Map::new(), Map::new());
    let (mut tools, mut events) = (vec![], vec![]);
    for foreign in types {
        let name = &foreign.name;
        definitions(&foreign.out, name, "#/types/out/", &mut out);
        definitions(&foreign.input, name, "#/types/in/", &mut input);
        let nothing = json!({"type": "object"});
        tools.push(json!({
            "name": format!("take_{name}"), "side": "frontend", "description": "",
            "params": {"out": nothing, "in": nothing},
            "result": {"in": {"$ref": format!("#/types/in/{name}")}},
        }));
        let value = json!({"$ref": format!("#/types/out/{name}")});
        events.push(json!({"name": name, "description": "", "value": value}));
    }
    let manifest = json!({
        "agui_manifest": 1, "generator": "test", "crate": {"name": agent, "version": "0.1.0"},
        "agents": [{
            "name": agent, "description": "", "version": "0.1.0", "rust": agent, "tools": tools, "events": events,
        }],
        "types": {"out": out, "in": input},
        "hash": {"wire": "sha256-0", "full": "sha256-0"},
    });
    Manifest::from_json(&manifest.to_string()).unwrap()
}

/// Adds the schema and its definitions to `types`; references to them begin with `place`, because names of one schema
/// mean nothing in another.
fn definitions(schema: &Value, name: &str, place: &str, types: &mut Map<String, Value>) {
    let mut root = schema.clone();
    let own = root.as_object_mut().and_then(|root| root.shift_remove("$defs"));
    for (inner, mut schema) in own.as_ref().and_then(Value::as_object).cloned().unwrap_or_default() {
        refer(&mut schema, name, place);
        types.insert(format!("{name}__{inner}"), schema);
    }
    refer(&mut root, name, place);
    types.insert(name.to_owned(), root);
}

/// Turns references to the schema itself, and to its definitions, to those of `place`.
fn refer(schema: &mut Value, name: &str, place: &str) {
    let Value::Object(members) = schema else { return };
    for (member, value) in members.iter_mut() {
        match (keyword(member), value) {
            (_, Value::String(reference)) if member == "$ref" => {
                if reference == "#" {
                    *reference = format!("{place}{name}");
                } else if let Some(inner) = reference.strip_prefix("#/$defs/").filter(|r| !r.contains('/')) {
                    *reference = format!("{place}{name}__{inner}");
                }
            }
            (Keyword::Schema, value) => refer(value, name, place),
            (Keyword::SchemaList, Value::Array(list)) => {
                list.iter_mut().for_each(|inner| refer(inner, name, place));
            }
            (Keyword::SchemaMap, Value::Object(map)) => {
                map.values_mut().for_each(|inner| refer(inner, name, place));
            }
            _ => {}
        }
    }
}

/// A value, and the judge's verdict on it.
pub(super) fn job(agent: &str, name: &str, way: &str, value: &Value, fits: bool) -> Value {
    json!({"case": agent, "style": "api", "name": name, "way": way, "value": value, "fits": fits})
}
