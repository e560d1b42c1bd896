//! The package file `__init__.py`: the public names from `client.py`. The text is in `templates/package.py`.

use serde_json::json;

use super::agent::doc;
use super::names::{ClientNames, text};
use super::types::docstring;
use crate::ir::AgentDecl;
use crate::template::render;

/// Errors for a run that cannot be resumed.
pub(super) const ERRORS: [&str; 3] = ["ExpiredError", "ResumeError", "UnansweredError"];

/// Settings and errors for lost connections.
pub(super) const RECONNECT: [&str; 4] =
    ["ConnectionLostError", "ConnectionStatus", "Reconnect", "RefusedError"];

pub(super) fn package(agent: &AgentDecl, names: &ClientNames) -> String {
    let imported = exported(agent, names);
    let exported: Vec<String> = imported.iter().map(|name| text(name)).collect();
    let values = json!({ "doc": docstring(&doc(agent), 0), "imported": imported, "exported": exported });
    render(include_str!("templates/package.py"), &values)
}

/// Returns the public names from `client.py`, sorted.
pub(super) fn exported(agent: &AgentDecl, names: &ClientNames) -> Vec<String> {
    let base = &names.base;
    let mut exported =
        vec![format!("{base}Client"), format!("{base}Item"), "Problem".into(), "ToolFailed".into()];
    exported.extend(RECONNECT.map(str::to_owned));
    if !agent.interrupts.is_empty() {
        exported.extend(ERRORS.map(str::to_owned));
    }
    exported.extend(has_hands(agent).then(|| format!("{base}Tools")));
    exported.extend(agent.state.as_ref().map(|_| "StateChanged".to_owned()));
    exported.extend(agent.result.as_ref().map(|_| "Finished".to_owned()));
    exported.extend(names.events.iter().chain(&names.activities).cloned());
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

/// Returns true if tools run in the agent.
pub(super) fn runs_tools(agent: &AgentDecl) -> bool {
    agent.tools.iter().any(|tool| !tool.frontend)
}

/// Returns true if the client runs tools or answers interrupts.
pub(super) fn has_hands(agent: &AgentDecl) -> bool {
    !agent.interrupts.is_empty() || agent.tools.iter().any(|tool| tool.frontend)
}
