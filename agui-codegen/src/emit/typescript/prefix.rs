//! Names derived from an agent's name: classes, types and hooks that collide with no other name in the same
//! files.

use crate::ir::AgentDecl;
use crate::names::{identifier, pascal};

/// Returns the prefix for an agent's names. Neither shared files nor the language has a name with the prefix.
pub(super) fn base(agent: &AgentDecl) -> String {
    let taken = super::taken_by_shared();
    let mut base = identifier(pascal(&agent.name).trim_end_matches("Agent"));
    while own(&base).iter().any(|name| taken.contains(name)) {
        base.push('_');
    }
    base
}

/// Returns the names that an agent's files may declare with the prefix `base`.
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

/// Returns two hooks for each tool: one shows calls, the other asks the user.
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
