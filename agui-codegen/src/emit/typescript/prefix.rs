//! The names after an agent's own: classes, types and hooks that nothing else in the same files is named as.

use crate::ir::AgentDecl;
use crate::names::{identifier, pascal};

/// The prefix for an agent's names: neither shared files nor the language has a name with this prefix.
pub(super) fn base(agent: &AgentDecl) -> String {
    let taken = super::taken_by_shared();
    let mut base = identifier(pascal(&agent.name).trim_end_matches("Agent"));
    while own(&base).iter().any(|name| taken.contains(name)) {
        base.push('_');
    }
    base
}

/// The names that an agent's files may have with this prefix.
fn own(base: &str) -> Vec<String> {
    let types = ["Agent", "AgentConfig", "Listeners", "Interrupt", "Call", "Activity"];
    let hooks = [
        "Agent",
        "Tools",
        "Interrupts",
        "State",
        "Messages",
        "Calls",
        "Activities",
        "Status",
        "Connection",
        "Thread",
    ];
    let types = types.iter().map(|ending| format!("{base}{ending}"));
    types.chain(hooks.iter().map(|ending| format!("use{base}{ending}"))).collect()
}

/// For each tool, the hook that shows calls, and the hook that asks the user.
pub(super) fn hooks_of_tools(agent: &AgentDecl) -> Vec<[String; 2]> {
    let mut taken = super::taken_by_shared();
    taken.extend(own(&base(agent)));
    let mut free = |wanted: String| {
        let mut name = wanted;
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        name
    };
    let names = agent.tools.iter().map(|tool| {
        let name = identifier(&pascal(&tool.name));
        [free(format!("use{name}View")), free(format!("use{name}Prompt"))]
    });
    names.collect()
}
