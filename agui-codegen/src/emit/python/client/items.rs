//! The item classes that a client yields, and the contracts that name the item classes.

use serde_json::{Value, json};

use super::super::model::PythonModule;
use super::super::names::{ClientNames, text};
use super::super::package::runs_tools;
use super::super::types::{docstring, escaped};
use crate::emit::doc::lines;
use crate::ir::AgentDecl;

/// The maximum line length.
const WIDTH: usize = 88;

pub(super) fn events(agent: &AgentDecl, module: &PythonModule, names: &ClientNames) -> Value {
    let events = agent.events.iter().zip(&names.events).zip(&module.slots.events);
    let values = events.map(|((event, item), value)| {
        let doc = described(&event.description, format!("The custom event `{}`.", event.name));
        json!({ "name": text(&event.name), "item": item, "doc": doc, "value": value })
    });
    values.collect()
}

pub(super) fn activities(agent: &AgentDecl, module: &PythonModule, names: &ClientNames) -> Value {
    let activities = agent.activities.iter().zip(&names.activities).zip(&module.slots.activities);
    let values = activities.map(|((shown, item), content)| {
        let doc = described(&shown.description, format!("The activity `{}`.", shown.activity_type));
        json!({ "name": text(&shown.activity_type), "item": item, "doc": doc, "content": content })
    });
    values.collect()
}

pub(super) fn tools(agent: &AgentDecl, module: &PythonModule, names: &ClientNames) -> Value {
    let tools = agent.tools.iter().zip(names.tools.iter().zip(&names.items)).zip(&module.slots.tools);
    let values = tools.map(|((tool, ((call, result_item, method), item)), (args, result_name))| {
        let name = text(&tool.name);
        let (result, handler) =
            if tool.frontend { ("None", text(method)) } else { (result_item.as_str(), "None".into()) };
        let mut contract = vec![format!("agent.TOOLS[{name}]"), call.clone(), result.into(), handler];
        contract.extend(tool.item().map(|_| item.clone()));
        json!({
            "result_type": result_type(result_name.as_ref()),
            "result_item": (!tool.frontend).then_some(result_item),
            "args": args,
            "call": call,
            "contract": arguments(&name, &contract),
            "name": name,
            "shown": escaped(&tool.name),
        })
    });
    values.collect()
}

/// Prints a tool's arguments, on separate lines if one line is too long.
fn arguments(name: &str, arguments: &[String]) -> String {
    let line = arguments.join(", ");
    if format!("            {name}: ToolItems({line}),").len() <= WIDTH {
        return line;
    }
    let pad = " ".repeat(16);
    format!("\n{pad}{},\n            ", arguments.join(&format!(",\n{pad}")))
}

/// Returns the tools that send the items in a result one by one.
pub(super) fn streamed(agent: &AgentDecl, module: &PythonModule, names: &ClientNames) -> Value {
    let tools = agent.tools.iter().zip(&names.items).zip(&module.slots.items);
    let values = tools.filter_map(|((tool, item), value)| {
        Some(json!({ "item": item, "shown": escaped(&tool.name), "value": value.as_ref()? }))
    });
    values.collect()
}

pub(super) fn interrupts(agent: &AgentDecl, module: &PythonModule, names: &ClientNames) -> Value {
    let interrupts = agent.interrupts.iter().zip(&names.interrupts).zip(&module.slots.interrupts);
    let values = interrupts.map(|((asked, (item, method)), (payload, response))| {
        let types = format!("TypedInterrupt[types.{payload}, types.{response}]");
        let line = format!("class {item}({types}):");
        let head = if line.len() <= WIDTH { line } else { format!("class {item}(\n    {types}\n):") };
        let doc = described(&asked.description, format!("The interrupt `{}`.", asked.reason));
        json!({ "head": head, "doc": doc, "reason": text(&asked.reason), "item": item, "method": text(method) })
    });
    values.collect()
}

/// Returns all item names, in the template's class order.
pub(super) fn names(agent: &AgentDecl, module: &PythonModule, names: &ClientNames) -> Vec<String> {
    let slots = &module.slots;
    let mut items = Vec::new();
    items.extend(slots.state.as_ref().map(|_| "StateChanged".to_owned()));
    items.extend(names.events.iter().chain(&names.activities).cloned());
    items.extend(slots.result.as_ref().map(|_| "Finished".to_owned()));
    for (tool, (call, result_item, _)) in agent.tools.iter().zip(&names.tools) {
        items.push(call.clone());
        items.extend((!tool.frontend).then(|| result_item.clone()));
    }
    items.extend(
        names.items.iter().zip(&slots.items).filter(|(_, ty)| ty.is_some()).map(|(item, _)| item.clone()),
    );
    items.extend(names.interrupts.iter().map(|(item, _)| item.clone()));
    items.extend(runs_tools(agent).then(|| "ToolProgress".to_owned()));
    items.extend(["ToolFailed".into(), "Problem".into()]);
    items
}

/// Returns the annotation for a tool's result.
pub(super) fn result_type(result_name: Option<&String>) -> String {
    result_name.map_or_else(|| "None".into(), |ty| format!("types.{ty}"))
}

/// Returns an item's docstring.
fn described(description: &str, otherwise: String) -> String {
    let lines = lines(description);
    docstring(&if lines.is_empty() { vec![otherwise] } else { lines }, 0)
}
