//! JSON Schema: a file for each type and for each slot where a value travels, and the agent's capabilities in
//! AG-UI's form.
//!
//! Each file is self-contained, so that validators, forms and other generators can read one file alone.

mod capabilities;
mod document;
mod integers;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{GeneratedFile, LanguageEmitter, MARK};
use crate::ir::{AgentDecl, ApiDecl, OutputOptions, TypeSlot, ValueDirection};
use document::{SchemaDocument, file_names, print};

/// The JSON Schema emitter.
pub(super) struct JsonSchemaEmitter;

impl LanguageEmitter for JsonSchemaEmitter {
    fn comment(&self, _: &[String]) -> String {
        String::new()
    }

    fn shared(&self, _: &ApiDecl) -> Vec<(String, String)> {
        Vec::new()
    }

    fn agent(&self, agent: &AgentDecl, _: &OutputOptions) -> Vec<(String, String)> {
        files(agent, MARK)
    }

    fn emit(&self, api: &ApiDecl) -> Vec<GeneratedFile> {
        // JSON has no comments, so the mark is a member. The mark leaves out everything that changes between
        // generator runs.
        let mark = format!("{MARK} from {}. Do not edit.", api.origin.krate);
        let files = api.agents.iter().flat_map(|agent| {
            let files = files(agent, &mark).into_iter();
            files.map(|(path, text)| GeneratedFile { path: format!("{}/{path}", agent.module), text })
        });
        let mut files: Vec<GeneratedFile> = files.collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }
}

/// Returns an agent's documents, by path, with `mark` as the comment.
fn files<'a>(agent: &'a AgentDecl, mark: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut push = |path: String, text: String| files.push((format!("{path}.json"), text));
    let mut capabilities = capabilities::capabilities(agent);
    if let Value::Object(members) = &mut capabilities {
        members.shift_insert(0, "$comment".into(), mark.into());
    }
    push("capabilities".into(), print(&capabilities));
    let document = |slot: &'a TypeSlot| SchemaDocument::new(&slot.schema, definitions(agent, slot.direction));
    if let Some(state) = &agent.state {
        let (written, read) = (document(&state.out), document(&state.input));
        push("state".into(), written.print(mark));
        if written != read {
            push("state.input".into(), read.print(mark));
        }
    }
    let names = file_names(agent.tools.iter().map(|tool| tool.name.as_str()));
    for (tool, name) in agent.tools.iter().zip(names) {
        push(format!("tools/{name}.arguments"), document(&tool.params).print(mark));
        if let Some(result) = &tool.result {
            push(format!("tools/{name}.result"), document(result).print(mark));
        }
    }
    let names = file_names(agent.events.iter().map(|event| event.name.as_str()));
    for (event, name) in agent.events.iter().zip(names) {
        push(format!("events/{name}"), document(&event.value).print(mark));
    }
    let names = file_names(agent.interrupts.iter().map(|asked| asked.reason.as_str()));
    for (asked, name) in agent.interrupts.iter().zip(names) {
        push(format!("interrupts/{name}.payload"), document(&asked.payload).print(mark));
        push(format!("interrupts/{name}.response"), document(&asked.response).print(mark));
    }
    let names = file_names(agent.activities.iter().map(|shown| shown.activity_type.as_str()));
    for (shown, name) in agent.activities.iter().zip(names) {
        push(format!("activities/{name}"), document(&shown.content).print(mark));
    }
    for (slot, name) in [(&agent.result, "result"), (&agent.forwarded, "forwarded_props")] {
        slot.iter().for_each(|slot| push(name.into(), document(slot).print(mark)));
    }
    let names = file_names(agent.catalogs.iter().map(|catalog| catalog.name.as_str()));
    for (catalog, name) in agent.catalogs.iter().zip(names) {
        let mut definition = catalog.definition.clone();
        if let Value::Object(members) = &mut definition {
            // A2UI allows no other member in which the mark can stand.
            members.shift_insert(0, "title".into(), format!("{}: {mark}", catalog.name).into());
        }
        push(format!("catalogs/{name}"), print(&definition));
    }
    types(agent, mark, &mut push);
    files
}

/// Adds a document for each named type, or two if the agent reads the type in another form than it writes.
fn types(agent: &AgentDecl, mark: &str, push: &mut impl FnMut(String, String)) {
    let (out, input) = (&agent.out_schemas, &agent.in_schemas);
    let names: BTreeSet<&str> = out.keys().chain(input.keys()).map(String::as_str).collect();
    for (name, file) in names.iter().zip(file_names(names.iter().copied())) {
        let written = out.get(*name).map(|schema| SchemaDocument::new(schema, out));
        let read = input
            .get(*name)
            .map(|schema| SchemaDocument::new(schema, input))
            .filter(|read| written.as_ref() != Some(read));
        let ending = if written.is_some() { ".input" } else { "" };
        if let Some(written) = written {
            push(format!("types/{file}"), written.print(mark));
        }
        if let Some(read) = read {
            push(format!("types/{file}{ending}"), read.print(mark));
        }
    }
}

fn definitions(agent: &AgentDecl, direction: ValueDirection) -> &Map<String, Value> {
    match direction {
        ValueDirection::Out => &agent.out_schemas,
        ValueDirection::In => &agent.in_schemas,
    }
}
