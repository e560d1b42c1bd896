//! Classes, and the modules beside `types.py`.

use serde_json::{Value, json};

use super::super::agent::doc;
use super::super::lower::lines;
use super::super::names::text;
use super::super::types::{comment, docstring, quoted};
use crate::ir::{AgentDecl, ObjectField};
use crate::template::render;

/// The types in an agent's slots: each wire name with the type name in `types.py`.
#[derive(Default)]
pub(super) struct TypedDictSlots<'a> {
    pub(super) arguments: Vec<(&'a str, String)>,
    pub(super) results: Vec<(&'a str, String)>,
    pub(super) events: Vec<(&'a str, String)>,
    pub(super) payloads: Vec<(&'a str, String)>,
    pub(super) responses: Vec<(&'a str, String)>,
    pub(super) activities: Vec<(&'a str, String)>,
}

/// Prints `agent.py`, with a map from names to types for each slot kind.
pub(super) fn agent(agent: &AgentDecl, slots: &TypedDictSlots<'_>) -> String {
    let maps = [
        ("ToolArguments", "The arguments of each tool, by name.", &slots.arguments),
        ("ToolResults", "The answer of each tool that has one, by name.", &slots.results),
        ("Events", "The value of each custom event, by name.", &slots.events),
        ("InterruptPayloads", "The payload of each interrupt, by reason.", &slots.payloads),
        ("InterruptResponses", "The response to each interrupt, by reason.", &slots.responses),
        ("Activities", "The content of each activity, by type.", &slots.activities),
    ];
    let maps = maps.into_iter().filter(|(_, _, entries)| !entries.is_empty());
    let maps = maps.map(|(name, doc, entries)| {
        let entries = entries.iter().map(|(key, ty)| json!({ "key": text(key), "type": ty }));
        json!({ "name": name, "doc": doc, "entries": entries.collect::<Value>() })
    });
    let values = json!({
        "doc": docstring(&doc(agent), 0),
        "hash": text(&agent.wire),
        "maps": maps.collect::<Value>(),
        "name": text(&agent.name),
        "version": text(&agent.version),
    });
    render(include_str!("../templates/typed_dict_agent.py"), &values)
}

/// Prints `__init__.py`.
pub(in crate::emit::python) fn package(agent: &AgentDecl) -> String {
    let values = json!({ "doc": docstring(&doc(agent), 0) });
    render(include_str!("../templates/typed_dict_package.py"), &values)
}

pub(super) fn class(name: &str, doc: &[String], fields: &[(&ObjectField, String)]) -> String {
    let mut body = docstring(doc, 4);
    if !body.is_empty() && !fields.is_empty() {
        body.push('\n');
    }
    for (field, annotation) in fields {
        let annotation =
            if field.required { annotation.clone() } else { format!("NotRequired[{annotation}]") };
        body.push_str(&format!("    {}: {annotation}\n", field.name));
        body.push_str(&docstring(&lines(&field.doc, &field.ty), 4));
    }
    if body.is_empty() {
        body.push_str("    pass\n");
    }
    format!("class {name}(TypedDict):\n{body}")
}

/// Prints the functional `TypedDict` form, for members that cannot be attributes.
pub(super) fn call(name: &str, doc: &[String], fields: &[(&ObjectField, String)]) -> String {
    let fields: String = fields
        .iter()
        .map(|(field, annotation)| {
            let comment = comment(&lines(&field.doc, &field.ty), 8);
            let annotation = quoted(annotation);
            let annotation = if field.required { annotation } else { format!("NotRequired[{annotation}]") };
            format!("{comment}        {}: {annotation},\n", text(&field.name))
        })
        .collect();
    let doc = docstring(doc, 0);
    format!("{name} = TypedDict(\n    {},\n    {{\n{fields}    }},\n)\n{doc}", text(name))
}
