//! JSON Schema: a file for each type and for each place where a value travels, and what the agent can do as AG-UI says
//! it.
//!
//! Each file is complete in itself. Validators, forms and other generators read them without knowing us.

mod capabilities;
mod document;

use serde_json::{Map, Value};

use super::{Emitter, File, MARK};
use crate::ir::{AgentDecl, Api, Direction, Options, Slot};
use crate::lower::module_name;
use document::{complete, file_names};

/// The JSON Schema emitter.
pub(super) struct JsonSchema;

impl Emitter for JsonSchema {
    fn comment(&self, _: &[String]) -> String {
        String::new()
    }

    fn shared(&self, _: &Api) -> Vec<(String, String)> {
        Vec::new()
    }

    fn agent(&self, agent: &AgentDecl, _: &Options) -> Vec<(String, String)> {
        files(agent).into_iter().map(|(path, value)| (format!("{path}.json"), print(&value))).collect()
    }

    fn emit(&self, api: &Api) -> Vec<File> {
        // JSON has no comments, so the mark is a member, and says nothing that changes from one run to the next.
        let mark = format!("{MARK} from {}. Do not edit.", api.origin.krate);
        let mut all = Vec::new();
        for agent in &api.agents {
            let folder = module_name(&agent.name);
            for (path, value) in files(agent) {
                let mut marked = Map::new();
                marked.insert("$comment".into(), Value::String(mark.clone()));
                if let Value::Object(members) = value {
                    marked.extend(members.into_iter().filter(|(name, _)| name != "$comment"));
                }
                all.push(File { path: format!("{folder}/{path}.json"), text: print(&Value::Object(marked)) });
            }
        }
        all.sort_by(|a, b| a.path.cmp(&b.path));
        all
    }
}

fn print(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Every document of an agent, by path.
fn files(agent: &AgentDecl) -> Vec<(String, Value)> {
    let mut files = vec![("capabilities".to_owned(), capabilities::capabilities(agent))];
    let document = |slot: &Slot| complete(&slot.schema, definitions(agent, slot.direction));
    if let Some(state) = &agent.state {
        let (written, read) = (document(&state.out), document(&state.input));
        if written != read {
            files.push(("state.input".into(), read));
        }
        files.push(("state".into(), written));
    }
    let names = file_names(agent.tools.iter().map(|tool| tool.name.as_str()));
    for (tool, name) in agent.tools.iter().zip(names) {
        files.push((format!("tools/{name}.arguments"), document(&tool.params)));
        files.extend(tool.result.iter().map(|result| (format!("tools/{name}.result"), document(result))));
    }
    let names = file_names(agent.events.iter().map(|event| event.name.as_str()));
    for (event, name) in agent.events.iter().zip(names) {
        files.push((format!("events/{name}"), document(&event.value)));
    }
    let names: Vec<&String> = agent.out_schemas.keys().collect();
    for (name, file) in names.iter().zip(file_names(names.iter().map(|name| name.as_str()))) {
        let root = reference(name);
        files.push((format!("types/{file}"), complete(&root, &agent.out_schemas)));
    }
    let names: Vec<&String> = agent.in_schemas.keys().collect();
    for (name, file) in names.iter().zip(file_names(names.iter().map(|name| name.as_str()))) {
        let root = reference(name);
        let read = complete(&root, &agent.in_schemas);
        if !agent.out_schemas.contains_key(*name) {
            files.push((format!("types/{file}"), read));
        } else if read != complete(&root, &agent.out_schemas) {
            files.push((format!("types/{file}.input"), read));
        }
    }
    files
}

fn definitions(agent: &AgentDecl, direction: Direction) -> &Map<String, Value> {
    match direction {
        Direction::Out => &agent.out_schemas,
        Direction::In => &agent.in_schemas,
    }
}

fn reference(name: &str) -> Value {
    serde_json::json!({"$ref": format!("#/$defs/{name}")})
}
