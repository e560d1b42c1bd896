//! The module `client.py`: the typed client and the items that the client yields. The text is in
//! `templates/client.py`.

mod items;
mod methods;

use serde_json::json;

use super::agent::doc;
use super::model::PythonModule;
use super::names::{ClientNames, text};
use super::package::{ERRORS, RECONNECT, exported, has_hands, runs_tools};
use super::types::docstring;
use crate::ir::AgentDecl;
use crate::template::render;

/// Fills `templates/client.py` with the values that the template names.
pub(super) fn client(agent: &AgentDecl, module: &PythonModule, names: &ClientNames) -> String {
    let (slots, base) = (&module.slots, &names.base);
    let (has_hands, asks) = (has_hands(agent), !agent.interrupts.is_empty());
    let has_classes = !slots.tools.is_empty()
        || !slots.events.is_empty()
        || !slots.activities.is_empty()
        || slots.state.is_some()
        || slots.result.is_some();
    let values = json!({
        "activities": items::activities(agent, module, names),
        "agent": agent.name,
        "asks": asks,
        "base": base,
        "doc": docstring(&doc(agent), 0),
        "errors": ERRORS.join(", "),
        "events": items::events(agent, module, names),
        "exported": exported(agent, names).iter().map(|name| text(name)).collect::<Vec<_>>(),
        "forwarded": slots.forwarded,
        "handlers": if has_hands { format!("{base}Tools") } else { "None".into() },
        "has_classes": has_classes,
        "has_hands": has_hands,
        "has_types": has_classes || asks || slots.forwarded.is_some(),
        "interrupts": items::interrupts(agent, module, names),
        "items": items::names(agent, module, names),
        "kind": if asks { "InterruptClient" } else { "AgentClient" },
        "methods": methods::methods(agent, module, names),
        "reconnect": RECONNECT.join(", "),
        "result": slots.result.as_ref().map(|result| json!({ "result": result })),
        "state": slots.state.as_ref().map(|(written, read)| json!({ "written": written, "read": read })),
        "streamed": items::streamed(agent, module, names),
        "support": support(agent),
        "tools": items::tools(agent, module, names),
        "typing": typing(module, has_hands),
    });
    render(include_str!("templates/client.py"), &values)
}

/// Returns the names that `client.py` imports from `typing`.
fn typing(module: &PythonModule, has_hands: bool) -> String {
    let any = module.slots.forwarded.is_none().then_some("Any");
    let protocol = has_hands.then_some("Protocol");
    let names = [any, Some("Optional"), protocol, Some("Union")];
    names.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns the names that `client.py` imports from `_support.py`.
fn support(agent: &AgentDecl) -> String {
    let names = [
        agent.interrupts.is_empty().then_some("AgentClient"),
        Some("Contract"),
        Some("Problem"),
        Some("ToolFailed"),
        (!agent.tools.is_empty()).then_some("ToolItems"),
        runs_tools(agent).then_some("ToolProgress"),
    ];
    names.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
