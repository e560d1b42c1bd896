//! Checks the backend tools of a server's agents before the server listens.

use std::collections::HashSet;

use crate::manifest::{AgentSource, check_plain_object};
use crate::protocol::ToolSide;
use crate::server::Error;

/// Fails for a backend tool that no model could call. A frontend tool's arguments are up to its page.
pub(super) fn check(agents: Vec<AgentSource>) -> Result<(), Error> {
    let (mut due, mut seen) = (agents, HashSet::new());
    while let Some(agent) = due.pop() {
        if !seen.insert(agent.rust_path) {
            continue;
        }
        for tool in agent.tools.iter().filter(|tool| tool.side == ToolSide::Backend) {
            let arguments = tool.arguments.root_schema().to_value();
            if check_plain_object(&arguments).is_err() {
                return Err(Error::ToolArguments { agent: agent.name, tool: tool.name });
            }
        }
        due.extend(agent.subagents.iter().map(|source| source()));
    }
    Ok(())
}
