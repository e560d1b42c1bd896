//! The module `agent.ts`: the names, the hash, and the schemas as values. The text is in
//! `templates/agent.ts`.

mod definitions;
mod members;

use serde_json::{Value, json};

use super::jsdoc;
use super::names::{TypeNames, text};
use super::types::TypePrinter;
use crate::emit::doc::lines;
use crate::ir::{AgentDecl, Type, TypeSlot};
use crate::template::render;
use definitions::SchemaDefinitions;
use members::AgentMembers;

pub(super) fn agent(agent: &AgentDecl, names: &TypeNames) -> String {
    let definitions = SchemaDefinitions::new(agent);
    let members = AgentMembers { printer: TypePrinter::new(names, names.prefix), definitions: &definitions };
    let values = json!({
        "activities": agent.activities.iter().map(|shown| members.activity(shown)).collect::<Value>(),
        "arguments": agent.tools.iter().map(|tool| members.argument_type(tool)).collect::<Value>(),
        "asks": !agent.interrupts.is_empty(),
        "backend": tool_names(agent, "BackendToolName", false),
        "definitions": definitions.constants(),
        "doc": jsdoc(&doc(agent), 0),
        "events": agent.events.iter().map(|event| members.event(event)).collect::<Value>(),
        "forwarded": agent.forwarded.as_ref().map(|slot| members.value(slot, "ForwardedProps")),
        "frontend": tool_names(agent, "FrontendToolName", true),
        "has_schemas": agent.slots().next().is_some(),
        "has_types": agent.slots().any(uses_types),
        "hash": text(&agent.wire),
        "imports": definitions.imports(),
        "interrupts": agent.interrupts.iter().map(|asked| members.interrupt(asked)).collect::<Value>(),
        "name": text(&agent.name),
        "result": agent.result.as_ref().map(|slot| members.value(slot, "Result")),
        "results": agent.tools.iter().map(|tool| members.result_type(tool)).collect::<Value>(),
        "shows": !agent.activities.is_empty(),
        "state": agent.state.as_ref().map(|state| members.state(state)),
        "tools": agent.tools.iter().map(|tool| members.tool(tool)).collect::<Value>(),
        "version": text(&agent.version),
    });
    render(include_str!("templates/agent.ts"), &values)
}

fn uses_types(slot: &TypeSlot) -> bool {
    let mut found = false;
    Type::each_ref(&slot.ty, &mut |_| found = true);
    found
}

fn doc(agent: &AgentDecl) -> Vec<String> {
    let mut doc = vec!["The agent's name on the server.".to_owned()];
    if !agent.description.trim().is_empty() {
        doc.push(String::new());
        doc.extend(lines(&agent.description));
    }
    doc
}

/// Returns the union after `export type {ty} =`: the names of all frontend tools, or of all backend tools.
fn tool_names(agent: &AgentDecl, ty: &str, frontend: bool) -> String {
    let tools = agent.tools.iter().filter(|tool| tool.frontend == frontend);
    let names: Vec<String> = tools.map(|tool| text(&tool.name)).collect();
    let line = if names.is_empty() { " never".into() } else { format!(" {}", names.join(" | ")) };
    if line.len() + ty.len() > 74 { format!("\n  | {}", names.join("\n  | ")) } else { line }
}
