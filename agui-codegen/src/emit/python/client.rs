//! `client.py`: the typed client, and the items that it yields.

use super::agent::doc;
use super::model::Module;
use super::names::{Tools, text};
use super::types::docstring;
use crate::emit::doc::lines;
use crate::ir::AgentDecl;

/// The errors of a run that cannot be resumed.
const ERRORS: [&str; 3] = ["ExpiredError", "ResumeError", "UnansweredError"];

/// The settings and the errors of lost connections.
const RECONNECT: [&str; 4] = ["ConnectionLostError", "ConnectionStatus", "Reconnect", "RefusedError"];

/// `__init__.py`: the client and the items that it yields.
pub(super) fn package(agent: &AgentDecl, names: &Tools) -> String {
    let exported = exported(agent, names);
    let imports: String = exported.iter().map(|name| format!("    {name},\n")).collect();
    format!("{}\nfrom .client import (\n{imports})\n\n{}", docstring(&doc(agent), 0), all(&exported))
}

fn all(exported: &[String]) -> String {
    let list: String = exported.iter().map(|name| format!("    {},\n", text(name))).collect();
    format!("__all__ = [\n{list}]\n")
}

/// The public names of `client.py`, sorted.
fn exported(agent: &AgentDecl, names: &Tools) -> Vec<String> {
    let base = &names.base;
    let mut exported =
        vec![format!("{base}Client"), format!("{base}Item"), "Problem".into(), "ToolFailed".into()];
    exported.extend(RECONNECT.map(str::to_owned));
    if !agent.interrupts.is_empty() {
        exported.extend(ERRORS.map(str::to_owned));
    }
    if has_hands(agent) {
        exported.push(format!("{base}Tools"));
    }
    if agent.state.is_some() {
        exported.push("StateChanged".into());
    }
    if agent.result.is_some() {
        exported.push("Finished".into());
    }
    exported.extend(names.events.iter().cloned());
    exported.extend(names.activities.iter().cloned());
    exported.extend(names.interrupts.iter().map(|(interrupt, _)| interrupt.clone()));
    for (tool, (call, result, _)) in agent.tools.iter().zip(&names.tools) {
        exported.push(call.clone());
        exported.extend((!tool.frontend).then(|| result.clone()));
    }
    let streamed = agent.tools.iter().zip(&names.items).filter(|(tool, _)| tool.item().is_some());
    exported.extend(streamed.map(|(_, item)| item.clone()));
    exported.extend(runs_tools(agent).then(|| "ToolProgress".to_owned()));
    exported.sort();
    exported
}

/// Returns true if the agent runs tools of its own.
fn runs_tools(agent: &AgentDecl) -> bool {
    agent.tools.iter().any(|tool| !tool.frontend)
}

/// Returns true if the client runs tools or answers interrupts.
fn has_hands(agent: &AgentDecl) -> bool {
    !agent.interrupts.is_empty() || agent.tools.iter().any(|tool| tool.frontend)
}

pub(super) fn client(agent: &AgentDecl, module: &Module, names: &Tools) -> String {
    let base = &names.base;
    let slots = &module.slots;
    let (has_hands, asks) = (has_hands(agent), !agent.interrupts.is_empty());
    let mut items = Vec::new();
    let mut out = format!("\"\"\"The client of the agent `{}`.\"\"\"\n", agent.name);
    out.push_str("\nfrom __future__ import annotations\n\nfrom collections.abc import Sequence\n");
    let has_classes = !slots.tools.is_empty()
        || !slots.events.is_empty()
        || !slots.activities.is_empty()
        || slots.state.is_some()
        || slots.result.is_some();
    out.push_str(if has_classes { "from dataclasses import dataclass\n" } else { "" });
    let any = if slots.forwarded.is_some() { "" } else { "Any, " };
    let protocol = if has_hands { "Protocol, " } else { "" };
    out.push_str(&format!("from typing import {any}Optional, {protocol}Union\n"));
    out.push_str(if asks {
        "\nfrom ag_ui.core import Context, Message, ResumeEntry, RunAgentInput\n\nfrom .._interrupts import \
         InterruptClient, TypedInterrupt"
    } else {
        "\nfrom ag_ui.core import Context, Message, RunAgentInput\n"
    });
    out.push_str(&format!("\nfrom .._reconnect import {}", RECONNECT.join(", ")));
    if asks {
        out.push_str(&format!("\nfrom .._resume import {}", ERRORS.join(", ")));
    }
    let items_of_tools = match (slots.tools.is_empty(), runs_tools(agent)) {
        (true, _) => "",
        (false, true) => ", ToolItems, ToolProgress",
        (false, false) => ", ToolItems",
    };
    let base_class = if asks { "" } else { "AgentClient, " };
    out.push_str(&format!(
        "\nfrom .._support import {base_class}Contract, Problem, ToolFailed{items_of_tools}\n"
    ));
    let has_types = has_classes || asks || slots.forwarded.is_some();
    out.push_str(if has_types { "from . import agent, types\n" } else { "from . import agent\n" });

    let mut class = |name: &str, doc: &[String], fields: &[(&str, String)]| {
        items.push(name.to_owned());
        let fields: String = fields.iter().map(|(name, ty)| format!("    {name}: {ty}\n")).collect();
        let doc = docstring(doc, 4);
        out.push_str(&format!("\n\n@dataclass(frozen=True)\nclass {name}:\n{doc}\n{fields}"));
    };
    if let Some((written, _)) = &slots.state {
        class(
            "StateChanged",
            &["The shared state has changed.".into()],
            &[("state", format!("types.{written}"))],
        );
    }
    let described = |description: &str, otherwise: String| {
        let lines = lines(description);
        if lines.is_empty() { vec![otherwise] } else { lines }
    };
    for ((event, item), ty) in agent.events.iter().zip(&names.events).zip(&slots.events) {
        let doc = described(&event.description, format!("The custom event `{}`.", event.name));
        class(item, &doc, &[("value", format!("types.{ty}"))]);
    }
    for ((shown, item), ty) in agent.activities.iter().zip(&names.activities).zip(&slots.activities) {
        let doc = described(&shown.description, format!("The activity `{}`.", shown.activity_type));
        class(item, &doc, &[("id", "str".into()), ("content", format!("types.{ty}"))]);
    }
    if let Some(result) = &slots.result {
        let doc = ["The run has finished with this result.".into()];
        class("Finished", &doc, &[("result", format!("types.{result}"))]);
    }
    for ((tool, (call, result, _)), (params, answer)) in
        agent.tools.iter().zip(&names.tools).zip(&slots.tools)
    {
        let doc = [format!("A call of the tool `{}`.", tool.name)];
        class(call, &doc, &[("id", "str".into()), ("args", format!("types.{params}"))]);
        if !tool.frontend {
            let answer = answer.as_ref().map_or_else(|| "None".into(), |ty| format!("types.{ty}"));
            let doc = [format!("An answer of the tool `{}`.", tool.name)];
            class(result, &doc, &[("id", "str".into()), ("result", answer)]);
        }
    }
    for ((tool, item), ty) in agent.tools.iter().zip(&names.items).zip(&slots.items) {
        if let Some(ty) = ty {
            let doc = [format!("An item of the result of the tool `{}`, before the result.", tool.name)];
            class(item, &doc, &[("id", "str".into()), ("item", format!("types.{ty}"))]);
        }
    }
    for ((asked, (interrupt, _)), (payload, response)) in
        agent.interrupts.iter().zip(&names.interrupts).zip(&slots.interrupts)
    {
        items.push(interrupt.clone());
        let doc = docstring(&described(&asked.description, format!("The interrupt `{}`.", asked.reason)), 4);
        let line = format!("class {interrupt}(TypedInterrupt[types.{payload}, types.{response}]):");
        let head = if line.len() <= 88 {
            line
        } else {
            format!("class {interrupt}(\n    TypedInterrupt[types.{payload}, types.{response}]\n):")
        };
        let reason = text(&asked.reason);
        out.push_str(&format!("\n\n{head}\n{doc}\n    contract = agent.INTERRUPTS[{reason}]\n"));
    }
    items.extend(runs_tools(agent).then(|| "ToolProgress".to_owned()));
    items.extend(["ToolFailed".into(), "Problem".into()]);
    out.push_str(&format!(
        "\n\n{base}Item = Union[\n    {},\n]\n\"\"\"An item of a run, besides its events.\"\"\"\n",
        items.join(",\n    ")
    ));

    if has_hands {
        let doc = if asks {
            "The tools that run here and the interrupts answered here.\n\n    If a tool raises, its answer is an \
             error; if the\n    method of an interrupt raises, the interrupt is cancelled.\n    "
        } else {
            "The tools that run here. If one raises, its answer is an error."
        };
        out.push_str(&format!("\n\nclass {base}Tools(Protocol):\n    \"\"\"{doc}\"\"\"\n"));
        for ((tool, (_, _, method)), (params, answer)) in
            agent.tools.iter().zip(&names.tools).zip(&slots.tools)
        {
            if tool.frontend {
                let answer = answer.as_ref().map_or_else(|| "None".into(), |ty| format!("types.{ty}"));
                out.push_str(&self::method(
                    method,
                    &format!("args: types.{params}"),
                    &answer,
                    &tool.description,
                ));
            }
        }
        for ((asked, (interrupt, method)), (_, response)) in
            agent.interrupts.iter().zip(&names.interrupts).zip(&slots.interrupts)
        {
            let (interrupt, response) = (format!("interrupt: {interrupt}"), format!("types.{response}"));
            out.push_str(&self::method(method, &interrupt, &response, &asked.description));
        }
    }

    let tools = if has_hands { format!("{base}Tools") } else { "None".into() };
    let kind = if asks { "InterruptClient" } else { "AgentClient" };
    out.push_str(&format!("\n\nclass {base}Client({kind}[{base}Item, {tools}]):\n"));
    out.push_str(&docstring(&doc(agent), 4));
    out.push_str("\n    contract = Contract(\n        manifest=agent.MANIFEST_HASH,\n");
    match &slots.state {
        Some(_) => out.push_str(
            "        state=agent.STATE,\n        state_input=agent.STATE_INPUT,\n        state_item=StateChanged,\n",
        ),
        None => out.push_str("        state=None,\n        state_input=None,\n        state_item=None,\n"),
    }
    let events: String = agent
        .events
        .iter()
        .zip(&names.events)
        .map(|(event, item)| {
            let name = text(&event.name);
            format!("            {name}: (agent.EVENTS[{name}], {item}),\n")
        })
        .collect();
    let tool_items: String = agent
        .tools
        .iter()
        .zip(names.tools.iter().zip(&names.items))
        .map(|(tool, ((call, result, method), item))| {
            let name = text(&tool.name);
            let (result, handler) =
                if tool.frontend { ("None", text(method)) } else { (result.as_str(), "None".into()) };
            let mut arguments = vec![format!("agent.TOOLS[{name}]"), call.clone(), result.into(), handler];
            arguments.extend(tool.item().map(|_| item.clone()));
            let line = format!("            {name}: ToolItems({}),\n", arguments.join(", "));
            if line.len() <= 89 {
                line
            } else {
                let pad = " ".repeat(16);
                format!(
                    "            {name}: ToolItems(\n{pad}{},\n            ),\n",
                    arguments.join(&format!(",\n{pad}"))
                )
            }
        })
        .collect();
    let activities: String = agent
        .activities
        .iter()
        .zip(&names.activities)
        .map(|(shown, item)| {
            let name = text(&shown.activity_type);
            format!("            {name}: (agent.ACTIVITIES[{name}], {item}),\n")
        })
        .collect();
    if slots.result.is_some() {
        out.push_str("        result=agent.RESULT,\n        result_item=Finished,\n");
    }
    if slots.forwarded.is_some() {
        out.push_str("        forwarded_props=agent.FORWARDED_PROPS,\n");
    }
    if !activities.is_empty() {
        out.push_str(&format!("        activities={{\n{activities}        }},\n"));
    }
    for (name, entries) in [("events", events), ("tools", tool_items)] {
        let entries = if entries.is_empty() { "{}".into() } else { format!("{{\n{entries}        }}") };
        out.push_str(&format!("        {name}={entries},\n"));
    }
    out.push_str("    )\n");
    if asks {
        let interrupts =
            agent.interrupts.iter().zip(&names.interrupts).map(|(asked, (interrupt, method))| {
                format!("        {}: ({interrupt}, {}),\n", text(&asked.reason), text(method))
            });
        out.push_str(&format!("    interrupts = {{\n{}    }}\n", interrupts.collect::<String>()));
    }
    let (resume, resumed) = if asks {
        (
            "        resume: Sequence[ResumeEntry] = (),\n",
            "\n        ).model_copy(update={\"resume\": list(resume) or None})",
        )
    } else {
        ("", "\n        )")
    };
    let state = slots.state.as_ref().map(|(_, read)| read);
    let parameter =
        state.map_or_else(String::new, |read| format!("        state: Optional[types.{read}] = None,\n"));
    let argument = if state.is_some() { "state" } else { "None" };
    let props =
        slots.forwarded.as_ref().map_or_else(|| "Any".into(), |props| format!("Optional[types.{props}]"));
    out.push_str(&format!(
        "\n    def input(\n        self,\n        messages: Sequence[Message],\n        *,\n{parameter}        thread_id: \
         Optional[str] = None,\n        run_id: Optional[str] = None,\n        context: Sequence[Context] = (),\n        \
         forwarded_props: {props} = None,\n{resume}    ) -> RunAgentInput:\n        \"\"\"The input of a run; missing ids are \
         generated.\"\"\"\n        return self._input(\n            messages,\n            {argument},\n            \
         thread_id=thread_id,\n            run_id=run_id,\n            context=context,\n            \
         forwarded_props=forwarded_props,{resumed}\n\n\n{}",
        all(&exported(agent, names))
    ));
    out
}

/// Prints a method of a handler.
fn method(name: &str, parameter: &str, answer: &str, description: &str) -> String {
    let line = format!("    async def {name}(self, {parameter}) -> {answer}:");
    let head = if line.len() + 4 <= 88 {
        line
    } else {
        format!("    async def {name}(\n        self, {parameter}\n    ) -> {answer}:")
    };
    let doc = docstring(&lines(description), 8);
    if doc.is_empty() { format!("\n{head} ...\n") } else { format!("\n{head}\n{doc}        ...\n") }
}
