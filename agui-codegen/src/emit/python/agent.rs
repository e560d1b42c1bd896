//! `agent.py`: the names, the hash, and the agent's declarations as values.

use super::literal::{literal, members};
use super::model::Module;
use super::names::text;
use super::types::docstring;
use crate::emit::doc::lines;
use crate::ir::{AgentDecl, InterruptDecl, ToolDecl};

pub(super) fn agent(agent: &AgentDecl, module: &Module) -> String {
    let mut out = docstring(&doc(agent), 0);
    out.push_str("\nfrom __future__ import annotations\n\nfrom typing import Any\n");
    let slots = &module.slots;
    let adapters = agent.slots().next().is_some();
    let asks = !agent.interrupts.is_empty();
    if adapters {
        out.push_str("\nfrom pydantic import TypeAdapter\n");
    }
    out.push_str(if asks { "\nfrom .._interrupts import InterruptContract" } else { "" });
    out.push_str(if slots.tools.is_empty() {
        "\nfrom .._support import ToolContract\n"
    } else {
        "\nfrom .._support import ToolContract, complete_schema\n"
    });
    if adapters {
        out.push_str("from . import types\n");
    }
    out.push_str(&format!(
        "\nAGENT = {}\n\"\"\"The agent's name on the server.\"\"\"\n\nVERSION = {}\n\"\"\"The version of the package \
         that defines the agent.\"\"\"\n\nMANIFEST_HASH = (\n    {}\n)\n\"\"\"The hash of all JSON that \
         travels; descriptions and order do not change it.\"\"\"\n",
        text(&agent.name),
        text(&agent.version),
        text(&agent.wire),
    ));
    let definitions = if agent.out_schemas.is_empty() { "{}".into() } else { members(&agent.out_schemas) };
    out.push_str(&format!("\n_DEFINITIONS: dict[str, Any] = {definitions}\n"));
    if let Some((written, read)) = &slots.state {
        out.push_str(&format!(
            "\nSTATE: TypeAdapter[types.{written}] = TypeAdapter(types.{written})\n\"\"\"The shared state as the agent \
             writes it.\"\"\"\n\nSTATE_INPUT: TypeAdapter[types.{read}] = TypeAdapter(types.{read})\n\"\"\"The shared \
             state as the agent reads it.\"\"\"\n"
        ));
    }
    let tools = agent
        .tools
        .iter()
        .zip(&slots.tools)
        .map(|(decl, (params, result))| tool(decl, params, result.as_deref()));
    out.push_str(&map("TOOLS: dict[str, ToolContract]", "The tools, by name.", tools));
    let events = agent
        .events
        .iter()
        .zip(&slots.events)
        .map(|(event, ty)| format!("    {}: TypeAdapter(types.{ty}),\n", text(&event.name)));
    out.push_str(&map(
        if slots.events.is_empty() {
            "EVENTS: dict[str, Any]"
        } else {
            "EVENTS: dict[str, TypeAdapter[Any]]"
        },
        "The values of the custom events, by name.",
        events,
    ));
    if asks {
        let interrupts = agent
            .interrupts
            .iter()
            .zip(&slots.interrupts)
            .map(|(asked, (payload, response))| interrupt(asked, payload, response));
        out.push_str(&map(
            "INTERRUPTS: dict[str, InterruptContract]",
            "The interrupts that stop a run, by reason.",
            interrupts,
        ));
    }
    if !slots.activities.is_empty() {
        let shown = agent
            .activities
            .iter()
            .zip(&slots.activities)
            .map(|(shown, ty)| format!("    {}: TypeAdapter(types.{ty}),\n", text(&shown.activity_type)));
        let name = "ACTIVITIES: dict[str, TypeAdapter[Any]]";
        out.push_str(&map(name, "The contents of the activities, by type.", shown));
    }
    for (ty, name, doc) in [
        (&slots.result, "RESULT", "The result of a run."),
        (&slots.forwarded, "FORWARDED_PROPS", "The props that a run may forward to the agent."),
    ] {
        if let Some(ty) = ty {
            out.push_str(&format!(
                "\n{name}: TypeAdapter[types.{ty}] = TypeAdapter(types.{ty})\n\"\"\"{doc}\"\"\"\n"
            ));
        }
    }
    out
}

/// The docstring of the module.
pub(super) fn doc(agent: &AgentDecl) -> Vec<String> {
    if agent.description.trim().is_empty() {
        vec![format!("The agent `{}`.", agent.name)]
    } else {
        lines(&agent.description)
    }
}

fn map(name: &str, doc: &str, entries: impl Iterator<Item = String>) -> String {
    let entries: String = entries.collect();
    let entries = if entries.is_empty() { "{}".into() } else { format!("{{\n{entries}}}") };
    format!("\n{name} = {entries}\n\"\"\"{doc}\"\"\"\n")
}

fn interrupt(asked: &InterruptDecl, payload: &str, response: &str) -> String {
    let reason = text(&asked.reason);
    let message = asked.message.as_deref().map_or_else(|| "None".into(), text);
    format!(
        "    {reason}: InterruptContract(\n        reason={reason},\n        message={message},\n        \
         payload=TypeAdapter(types.{payload}),\n        response=TypeAdapter(types.{response}),\n    ),\n"
    )
}

fn tool(tool: &ToolDecl, params: &str, result: Option<&str>) -> String {
    let name = text(&tool.name);
    let result = result.map_or_else(|| "None".into(), |ty| format!("TypeAdapter(types.{ty})"));
    let schema = literal(&tool.params.schema, 12, 12);
    let title = tool.annotations.title.as_ref().map(|title| format!("        title={},\n", text(title)));
    let hints = tool.annotations.hints();
    let annotations = (!hints.is_empty()).then(|| {
        let hints: String = hints
            .iter()
            .map(|(name, value)| {
                format!("            {}: {},\n", text(name), if *value { "True" } else { "False" })
            })
            .collect();
        format!("        annotations={{\n{hints}        }},\n")
    });
    format!(
        "    {name}: ToolContract(\n        name={name},\n        description={},\n        frontend={},\n        \
         parameters=TypeAdapter(types.{params}),\n        result={result},\n        json_schema=complete_schema(\n            \
         {schema},\n            _DEFINITIONS,\n        ),\n{}{}    ),\n",
        text(&tool.description),
        if tool.frontend { "True" } else { "False" },
        title.unwrap_or_default(),
        annotations.unwrap_or_default(),
    )
}
