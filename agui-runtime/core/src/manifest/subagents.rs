//! The agents that a model may call: which of them clients address, and the subagents' interrupts, which an agent's clients resume
//! too.

use super::source::sorted;
use super::{AgentSource, InterruptSource, ToolSource};

/// Returns the agents that this one may call, and their subagents, each once. An agent may call itself.
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

/// Returns the agents that clients may address, in the given order: agents declared as served, and agents that no other agent
/// lists.
///
/// The entry to a circle of agents that list each other is unknown. So all of them are returned, unless one is declared as served:
/// then the others count as subagents.
#[must_use]
pub(super) fn entries(agents: Vec<AgentSource>) -> Vec<AgentSource> {
    let reached: Vec<Vec<&str>> =
        agents.iter().map(|agent| below(agent).into_iter().map(|agent| agent.rust_path).collect()).collect();
    let is_below_another = |place: usize, agent: &AgentSource| {
        agents.iter().zip(&reached).enumerate().any(|(above, (other, below_other))| {
            let returns = || reached.get(place).is_some_and(|below| below.contains(&other.rust_path));
            above != place && below_other.contains(&agent.rust_path) && (other.served || !returns())
        })
    };
    let is_entry: Vec<bool> = agents
        .iter()
        .enumerate()
        .map(|(place, agent)| agent.served || !is_below_another(place, agent))
        .collect();
    agents.into_iter().zip(is_entry).filter_map(|(agent, is_entry)| is_entry.then_some(agent)).collect()
}

/// True if the agent's run may end with an interrupt.
pub(crate) fn asks(agent: &AgentSource) -> bool {
    !asking(agent).is_empty() || !interrupts(agent).is_empty()
}

/// Returns the tools with approval, the agent's own first. A tool that several agents share comes once.
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

/// Returns the typed interrupts, the agent's own first. An interrupt that several agents share comes once.
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

#[cfg(test)]
mod tests {
    use super::*;

    type Subagents = Vec<fn() -> AgentSource>;

    fn agent(name: &'static str, subagents: Subagents) -> AgentSource {
        AgentSource { rust_path: name, subagents, ..AgentSource::new(name) }
    }

    fn reader() -> AgentSource {
        agent("reader", vec![])
    }

    fn researcher() -> AgentSource {
        agent("researcher", vec![reader])
    }

    fn writer() -> AgentSource {
        agent("writer", vec![researcher, writer])
    }

    fn ping() -> AgentSource {
        agent("ping", vec![pong])
    }

    fn pong() -> AgentSource {
        agent("pong", vec![ping, reader])
    }

    fn names(agents: Vec<AgentSource>) -> Vec<&'static str> {
        entries(agents).into_iter().map(|agent| agent.name).collect()
    }

    fn served(agent: AgentSource) -> AgentSource {
        AgentSource { served: true, ..agent }
    }

    #[test]
    fn subagents_of_any_level_are_left_out() {
        assert_eq!(names(vec![reader(), researcher(), writer()]), ["writer"]);
    }

    #[test]
    fn an_agent_that_no_linked_one_lists_stays() {
        assert_eq!(names(vec![reader(), researcher()]), ["researcher"]);
        assert_eq!(names(vec![reader()]), ["reader"]);
        assert_eq!(names(vec![writer()]), ["writer"], "an agent that lists itself");
    }

    #[test]
    fn a_subagent_that_is_declared_as_served_stays() {
        assert_eq!(names(vec![served(reader()), researcher(), writer()]), ["reader", "writer"]);
    }

    #[test]
    fn a_circle_stays_unless_its_entry_is_declared() {
        assert_eq!(names(vec![ping(), pong(), reader()]), ["ping", "pong"]);
        assert_eq!(names(vec![served(ping()), pong(), reader()]), ["ping"]);
        assert_eq!(names(vec![served(ping()), served(pong())]), ["ping", "pong"]);
    }
}
