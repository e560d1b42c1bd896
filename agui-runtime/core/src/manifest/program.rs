//! Hands the program's manifest to `agui-codegen`, which runs the program for that purpose.

use std::io::{self, Write};
use std::process;

use super::{AgentSource, ManifestError, hook};
use crate::causes::Causes;

/// The first statement of `#[agui_runtime::main]`: if the manifest was requested, writes the manifest and ends the program before
/// any user code runs.
///
/// A program without registered agents continues, and checks the request again when agents are served. With the feature
/// `no-manifest-hook` every program continues.
#[cfg(feature = "server")]
#[doc(hidden)]
pub fn init(crate_name: &str, crate_version: &str) {
    if cfg!(feature = "no-manifest-hook") {
        return;
    }
    let agents = hook::entry_agents(hook::registered());
    if !agents.is_empty() {
        end_if(hook::write_if_asked(crate_name, crate_version, agents));
    } else if std::env::var_os(hook::OUT).is_some() {
        // The program that asked shows this to its user, if no manifest follows.
        let _ = writeln!(io::stderr(), "{}", hook::NONE_YET);
    }
}

/// Like `init`, for programs with a plain `main`, called with the served agents.
#[doc(hidden)]
pub fn hand_over_if_asked(served: impl IntoIterator<Item = AgentSource>) {
    if std::env::var_os(hook::OUT).is_some() && !cfg!(feature = "no-manifest-hook") {
        let Program { crate_name, crate_version, agents } = Program::new(served);
        end_if(hook::write_if_asked(&crate_name, &crate_version, agents));
    }
}

fn end_if(written: Result<bool, ManifestError>) {
    match written {
        Ok(false) => {}
        Ok(true) => process::exit(0),
        Err(error) => give_up(&format!("the manifest was not written: {}", Causes(&error))),
    }
}

/// Ends the program with the reason on standard error.
pub(crate) fn give_up(reason: &str) -> ! {
    // If this cannot be written either, only the exit code reports the failure.
    let _ = writeln!(io::stderr(), "error: {reason}");
    process::exit(1)
}

/// The source for a manifest.
pub(crate) struct Program {
    pub(crate) crate_name: String,
    pub(crate) crate_version: String,
    /// The linked agents that clients may address, and the other served agents.
    pub(crate) agents: Vec<AgentSource>,
}

impl Program {
    pub(crate) fn new(served: impl IntoIterator<Item = AgentSource>) -> Self {
        let mut agents = hook::entry_agents(hook::registered());
        let mut served = served.into_iter().peekable();
        let (crate_name, crate_version) = served.peek().map(package).unwrap_or_default();
        for agent in served {
            if agents.iter().all(|known| known.rust_path != agent.rust_path) {
                agents.push(agent);
            }
        }
        Self { crate_name, crate_version, agents }
    }
}

/// Logs each served agent for which `agui-codegen` writes no client: a linked program shows only that another agent lists the
/// agent.
#[cfg(feature = "server")]
pub(crate) fn tell_undeclared(served: &[AgentSource]) {
    for agent in undeclared(served) {
        tracing::warn!(
            agent = agent.name,
            rust = agent.rust_path,
            "this agent is served, but `agui-codegen` takes it for a subagent only and writes no client for it: \
             declare it with `#[agent(served)]`"
        );
    }
}

#[cfg(feature = "server")]
fn undeclared(served: &[AgentSource]) -> Vec<&AgentSource> {
    let linked = hook::registered();
    let entries = hook::entry_agents(linked.clone());
    let has = |agents: &[AgentSource], agent: &AgentSource| {
        agents.iter().any(|known| known.rust_path == agent.rust_path)
    };
    served.iter().filter(|agent| has(&linked, agent) && !has(&entries, agent)).collect()
}

/// Returns the package that defines an agent. An unregistered agent's path contains the crate name.
fn package(agent: &AgentSource) -> (String, String) {
    let known = inventory::iter::<hook::AgentEntry>()
        .find(|entry| (entry.source)().rust_path == agent.rust_path)
        .map(|entry| (entry.crate_name.to_owned(), entry.crate_version.to_owned()));
    known.unwrap_or_else(|| {
        let name = agent.rust_path.split("::").next().unwrap_or_default();
        (name.to_owned(), agent.version.to_owned())
    })
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;

    fn chief() -> AgentSource {
        AgentSource { rust_path: "desk::Chief", subagents: vec![clerk, guard], ..AgentSource::new("chief") }
    }

    fn clerk() -> AgentSource {
        AgentSource { rust_path: "desk::Clerk", ..AgentSource::new("clerk") }
    }

    fn guard() -> AgentSource {
        AgentSource { rust_path: "desk::Guard", served: true, ..AgentSource::new("guard") }
    }

    inventory::submit! { hook::AgentEntry { source: chief, crate_name: "desk", crate_version: "1.0.0" } }
    inventory::submit! { hook::AgentEntry { source: clerk, crate_name: "desk", crate_version: "1.0.0" } }
    inventory::submit! { hook::AgentEntry { source: guard, crate_name: "desk", crate_version: "1.0.0" } }

    /// Returns this module's agents that a server's manifest has.
    fn described(served: Vec<AgentSource>) -> Vec<&'static str> {
        let agents = Program::new(served).agents.into_iter();
        agents.filter(|agent| agent.rust_path.starts_with("desk::")).map(|agent| agent.name).collect()
    }

    #[test]
    fn a_server_describes_a_subagent_that_it_serves() {
        assert_eq!(described(vec![chief()]), ["chief", "guard"]);
        assert_eq!(described(vec![chief(), clerk()]), ["chief", "guard", "clerk"]);
    }

    #[test]
    fn a_served_subagent_without_a_declaration_is_pointed_out() {
        let stranger = AgentSource { rust_path: "desk::Stranger", ..AgentSource::new("stranger") };
        let served = [chief(), clerk(), guard(), stranger];
        let names: Vec<_> = undeclared(&served).iter().map(|agent| agent.name).collect();
        assert_eq!(names, ["clerk"]);
    }
}
