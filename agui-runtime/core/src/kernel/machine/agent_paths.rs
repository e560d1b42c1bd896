//! Agent paths, which the ids of typed interrupts contain.
//!
//! Subagent ids differ in each run, so a path lists the names of the agents through which the run delegated, each with an ordinal
//! among the delegations to that name.

use std::collections::HashMap;

use super::super::called::{is_awaited_subagent, is_handoff};
use super::super::question_id::escape;
use super::{ROOT, RunKernel, RunSpan, SpanSlot};

/// An agent that delegates in a run, or was delegated to.
#[derive(Clone, Debug, Default)]
pub(super) struct AgentPath {
    path: String,
    delegated: HashMap<String, u64>,
}

impl RunKernel {
    /// Returns the path of the agent at `by`, `name:1/name:2` with escaped names; empty for the run's own agent.
    pub(crate) fn agent_path(&self, by: SpanSlot) -> String {
        self.agent_paths.get(&self.agent_of(by)).map_or_else(String::new, |agent| agent.path.clone())
    }

    /// Returns the path of the next agent named `name` to which this agent delegates.
    pub(crate) fn delegate(&mut self, by: SpanSlot, name: &str) -> String {
        let name = escape(name);
        let agent = self.agent_paths.entry(self.agent_of(by)).or_default();
        let count = agent.delegated.entry(name.clone()).or_default();
        *count += 1;
        joined(&agent.path, &format!("{name}:{count}"))
    }

    /// Returns the path of the agent that a call in this agent runs.
    pub(crate) fn delegate_call(&self, by: SpanSlot, step: &str) -> String {
        joined(&self.agent_path(by), step)
    }

    /// Returns the agent at `by` and all enclosing agents, innermost first.
    pub(crate) fn agents_around(&self, by: SpanSlot) -> Vec<SpanSlot> {
        let mut agents = vec![self.agent_of(by)];
        while let Some(open) = agents.last().and_then(|agent| self.spans.get(agent)) {
            agents.push(self.agent_of(open.parent));
        }
        agents
    }

    /// True if a tool call runs this agent or an enclosing agent: the parent then waits for the call's result.
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only the model loop reads it"))]
    pub(crate) fn is_in_call(&self, by: SpanSlot) -> bool {
        let is_called = |agent: &SpanSlot| match self.spans.get(agent).map(|open| &open.span) {
            Some(RunSpan::Subagent { id }) => is_awaited_subagent(id),
            _ => false,
        };
        self.agents_around(by).iter().any(is_called)
    }

    /// True for the run's own agent, and for an agent that took the conversation over: the agent that the user talks to.
    pub(crate) fn talks_to_user(&self, by: SpanSlot) -> bool {
        let is_outer = |agent: &SpanSlot| match self.spans.get(agent).map(|open| &open.span) {
            Some(RunSpan::Subagent { id }) => is_handoff(id),
            _ => true,
        };
        self.agents_around(by).iter().all(is_outer)
    }

    /// Sets the path that a subagent's interrupts name.
    pub(crate) fn set_agent_path(&mut self, subagent: SpanSlot, path: String) {
        self.agent_paths.insert(subagent, AgentPath { path, ..AgentPath::default() });
    }

    pub(crate) fn agent_of(&self, by: SpanSlot) -> SpanSlot {
        let mut slot = by;
        while let Some(open) = self.spans.get(&slot) {
            if matches!(open.span, RunSpan::Subagent { .. }) {
                return slot;
            }
            slot = open.parent;
        }
        ROOT
    }
}

fn joined(path: &str, step: &str) -> String {
    if path.is_empty() { step.to_owned() } else { format!("{path}/{step}") }
}
