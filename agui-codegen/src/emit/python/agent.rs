//! The module `agent.py`: the names, the hash, and the agent's declarations as values. The text is in
//! `templates/agent.py`.

use serde_json::{Value, json};

use super::literal::{literal, members};
use super::model::PythonModule;
use super::names::text;
use super::types::docstring;
use crate::emit::doc::lines;
use crate::ir::{AgentDecl, ToolDecl};
use crate::template::render;

pub(super) fn agent(agent: &AgentDecl, module: &PythonModule) -> String {
    let slots = &module.slots;
    let tools = agent.tools.iter().zip(&slots.tools);
    let events = agent.events.iter().zip(&slots.events);
    let activities = agent.activities.iter().zip(&slots.activities);
    let values = json!({
        "activities": activities.map(|(shown, ty)| adapter(&shown.activity_type, ty)).collect::<Value>(),
        "asks": !agent.interrupts.is_empty(),
        "definitions": definitions(agent),
        "doc": docstring(&doc(agent), 0),
        "events": events.map(|(event, ty)| adapter(&event.name, ty)).collect::<Value>(),
        "forwarded": slots.forwarded,
        "has_types": agent.slots().next().is_some(),
        "hash": text(&agent.wire),
        "interrupts": interrupts(agent, module),
        "name": text(&agent.name),
        "result": slots.result,
        "shows": !agent.activities.is_empty(),
        "state": slots.state.as_ref().map(|(written, read)| json!({ "written": written, "read": read })),
        "tools": tools.map(|(decl, (params, result))| tool(decl, params, result.as_deref())).collect::<Value>(),
        "version": text(&agent.version),
    });
    render(include_str!("templates/agent.py"), &values)
}

/// Returns the module docstring.
pub(super) fn doc(agent: &AgentDecl) -> Vec<String> {
    if agent.description.trim().is_empty() {
        vec![format!("The agent `{}`.", agent.name)]
    } else {
        lines(&agent.description)
    }
}

fn definitions(agent: &AgentDecl) -> String {
    if agent.out_schemas.is_empty() { "{}".into() } else { members(&agent.out_schemas) }
}

fn adapter(name: &str, ty: &str) -> Value {
    json!({ "name": text(name), "type": ty })
}

fn interrupts(agent: &AgentDecl, module: &PythonModule) -> Value {
    let interrupts = agent.interrupts.iter().zip(&module.slots.interrupts);
    let interrupts = interrupts.map(|(asked, (payload, response))| {
        json!({
            "message": asked.message.as_deref().map_or_else(|| "None".into(), text),
            "payload": payload,
            "reason": text(&asked.reason),
            "response": response,
        })
    });
    interrupts.collect()
}

fn tool(tool: &ToolDecl, params: &str, result: Option<&str>) -> Value {
    let truth = |holds: bool| if holds { "True" } else { "False" };
    let hints = tool.annotations.hints();
    let hints = hints.iter().map(|(name, holds)| json!({ "hint": text(name), "holds": truth(*holds) }));
    json!({
        "description": text(&tool.description),
        "frontend": truth(tool.frontend),
        "hints": hints.collect::<Value>(),
        "name": text(&tool.name),
        "parameters": params,
        "result": result.unwrap_or_default(),
        "schema": literal(&tool.params.schema, 12, 12),
        "title": tool.annotations.title.as_deref().map(text).unwrap_or_default(),
    })
}
