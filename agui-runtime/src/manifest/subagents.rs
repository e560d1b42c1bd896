//! The questions of the agents that a model may call: the clients of the agent that calls them answer these too.

use super::source::sorted;
use super::{AgentSource, InterruptSource, ToolSource};

/// Returns the agents that this one may call, and those below them, each once. An agent may call itself.
fn below(agent: &AgentSource) -> Vec<AgentSource> {
    let mut found: Vec<AgentSource> = Vec::new();
    let mut due = agent.subagents.clone();
    while let Some(next) = due.pop() {
        let next = next();
        let is_known = |known: &AgentSource| known.rust_path == next.rust_path;
        if !is_known(agent) && !found.iter().any(is_known) {
            due.extend(&next.subagents);
            found.push(next);
        }
    }
    // In the order of their names, so that the manifest does not depend on the order of the lists.
    sorted(found)
}

/// Returns true if a run of the agent may end with a question.
pub(crate) fn asks(agent: &AgentSource) -> bool {
    !asking(agent).is_empty() || !interrupts(agent).is_empty()
}

/// Returns the tools with approval, the agent's own first. A tool that several agents have comes once.
pub(crate) fn asking(agent: &AgentSource) -> Vec<ToolSource> {
    let mut asking: Vec<ToolSource> = Vec::new();
    let below = below(agent);
    let all = agent.tools.iter().chain(below.iter().flat_map(|agent| &agent.tools));
    for tool in all.filter(|tool| tool.approval) {
        let is_same = |known: &ToolSource| {
            known.name == tool.name && known.arguments.rust_path() == tool.arguments.rust_path()
        };
        if !asking.iter().any(is_same) {
            asking.push(tool.clone());
        }
    }
    asking
}

/// Returns the typed questions, the agent's own first. A question that several agents ask comes once.
pub(crate) fn interrupts(agent: &AgentSource) -> Vec<InterruptSource> {
    let mut interrupts = agent.interrupts.clone();
    for asked in below(agent).into_iter().flat_map(|agent| agent.interrupts) {
        let is_same = |known: &InterruptSource| {
            known.reason == asked.reason && known.payload.rust_path() == asked.payload.rust_path()
        };
        if !interrupts.iter().any(is_same) {
            interrupts.push(asked);
        }
    }
    interrupts
}
