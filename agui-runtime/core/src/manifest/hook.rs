//! The hook by which a program writes the manifest: run with [`OUT`] in the environment, the program writes the file and exits.
//!
//! `agui-codegen` runs the user's own program, because only the compiled program knows the types. The first line of
//! `#[agui_runtime::main]` calls [`write_if_asked`]. `serve` does too, for programs with a plain `main`.

use std::ffi::OsString;
use std::path::Path;

use super::source::sorted;
use super::{AgentSource, Manifest, ManifestError, subagents};

/// The environment variable with the manifest's file path.
///
/// ```no_run
/// use std::process::Command;
///
/// use agui_runtime::manifest::{Manifest, hook};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let status = Command::new("target/debug/kitchen").env(hook::OUT, "manifest.json").status()?;
/// assert!(status.success());
/// let manifest = Manifest::from_json(&std::fs::read_to_string("manifest.json")?)?;
/// # Ok(())
/// # }
/// ```
pub const OUT: &str = "AGUI_MANIFEST_OUT";

/// The line that a program writes to standard error if the manifest is requested before any agent is registered. The program then
/// continues, because agents may be registered later.
///
/// ```no_run
/// use std::process::Command;
///
/// use agui_runtime::manifest::hook;
///
/// # fn main() -> std::io::Result<()> {
/// let output = Command::new("target/debug/kitchen").env(hook::OUT, "manifest.json").output()?;
/// let has_no_agent = String::from_utf8_lossy(&output.stderr).contains(hook::NONE_YET);
/// # Ok(())
/// # }
/// ```
pub const NONE_YET: &str = "agui: no agent is linked into this program so far";

/// One of the program's agents. `#[agent]` submits an entry to `inventory` for each agent type.
///
/// ```
/// use agui_runtime::manifest::AgentSource;
/// use agui_runtime::manifest::hook::AgentEntry;
///
/// let entry = AgentEntry { source: || AgentSource::new("chef"), crate_name: "kitchen", crate_version: "0.1.0" };
/// assert_eq!((entry.source)().name, "chef");
/// ```
#[derive(Debug)]
pub struct AgentEntry {
    /// Returns the agent's declaration.
    pub source: fn() -> AgentSource,
    /// The defining package.
    pub crate_name: &'static str,
    /// The package version.
    pub crate_version: &'static str,
}

inventory::collect!(AgentEntry);

/// Returns every agent linked into this program, sorted by name.
///
/// The linker drops crates from which the program uses nothing; their agents are missing here.
///
/// ```
/// use agui_runtime::manifest::hook;
///
/// assert!(hook::registered().is_sorted_by_key(|agent| agent.name));
/// ```
#[must_use]
pub fn registered() -> Vec<AgentSource> {
    sorted(inventory::iter::<AgentEntry>().map(|entry| (entry.source)()).collect())
}

/// Returns the linked agents that clients may address, in the given order: the manifest's agents, for each of which `agui-codegen`
/// writes a client.
///
/// A program does not know which agents `main` will serve. So an agent listed by another linked agent, at any level, counts as a
/// subagent only and gets no client, unless `#[agent(served)]` declares that the program serves the agent too. If agents list each
/// other in a circle, all of them are returned, or only the declared ones. The other agents' clients have everything needed from
/// the subagents.
///
/// ```
/// use agui_runtime::manifest::AgentSource;
/// use agui_runtime::manifest::hook::entry_agents;
///
/// fn researcher() -> AgentSource {
///     AgentSource { rust_path: "desk::Researcher", ..AgentSource::new("researcher") }
/// }
///
/// let writer = AgentSource {
///     rust_path: "desk::Writer",
///     subagents: vec![researcher],
///     ..AgentSource::new("writer")
/// };
/// let names = |agents| entry_agents(agents).into_iter().map(|agent| agent.name).collect::<Vec<_>>();
/// assert_eq!(names(vec![researcher(), writer.clone()]), ["writer"]);
///
/// // The program serves the researcher too.
/// let served = AgentSource { served: true, ..researcher() };
/// assert_eq!(names(vec![served, writer]), ["researcher", "writer"]);
/// ```
#[must_use]
pub fn entry_agents(linked: Vec<AgentSource>) -> Vec<AgentSource> {
    subagents::entries(linked)
}

/// Writes the manifest for `agents` if [`OUT`] is set. `Ok(true)` means that the file was written and the program should end.
///
/// The file is renamed into place, so readers never see a half-written file.
///
/// ```
/// use agui_runtime::manifest::hook;
///
/// // The variable is not set, so nothing is written.
/// assert!(!hook::write_if_asked("kitchen", "0.1.0", hook::entry_agents(hook::registered()))?);
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
///
/// # Errors
///
/// As [`Manifest::build`], and [`ManifestError::Write`] if the file cannot be written.
pub fn write_if_asked(
    crate_name: &str,
    crate_version: &str,
    agents: impl IntoIterator<Item = AgentSource>,
) -> Result<bool, ManifestError> {
    match std::env::var_os(OUT).filter(|path| !path.is_empty()) {
        Some(path) => write(&path, crate_name, crate_version, agents).map(|()| true),
        None => Ok(false),
    }
}

fn write(
    path: &OsString,
    crate_name: &str,
    crate_version: &str,
    agents: impl IntoIterator<Item = AgentSource>,
) -> Result<(), ManifestError> {
    let path = Path::new(path);
    let failed = |source| ManifestError::Write { path: path.into(), source };
    // Two programs may be asked for one file at the same time; the process id keeps their scratch files
    // apart.
    let mut scratch = path.as_os_str().to_owned();
    scratch.push(format!(".{}.tmp", std::process::id()));
    // An empty file first: the program that asked sees that the answer comes, however long the description takes.
    std::fs::write(&scratch, "").map_err(failed)?;
    let agents: Vec<AgentSource> = agents.into_iter().collect();
    let written = Manifest::build(crate_name, crate_version, &agents).and_then(|manifest| {
        let written = std::fs::write(&scratch, manifest.to_json());
        written.and_then(|()| std::fs::rename(&scratch, path)).map_err(failed)
    });
    if written.is_err() {
        // If it stays, it is empty and has the name of no other answer.
        let _ = std::fs::remove_file(&scratch);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(name: &'static str) -> AgentSource {
        AgentSource { version: "0.1.0", rust_path: name, ..AgentSource::new(name) }
    }

    inventory::submit! { AgentEntry { source: || agent("second"), crate_name: "a", crate_version: "1.0.0" } }
    inventory::submit! { AgentEntry { source: || agent("first"), crate_name: "a", crate_version: "1.0.0" } }

    /// Returns the registered agents without other unit tests' agents.
    fn of_this_test() -> Vec<AgentSource> {
        registered().into_iter().filter(|agent| ["first", "second"].contains(&agent.name)).collect()
    }

    #[test]
    fn registered_agents_are_sorted_by_name() {
        let names: Vec<_> = of_this_test().into_iter().map(|agent| agent.name).collect();
        assert_eq!(names, ["first", "second"]);
    }

    #[test]
    fn the_manifest_is_written_and_no_scratch_file_remains() {
        let folder = std::env::temp_dir().join(format!("agui-hook-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("manifest.json");
        write(&path.clone().into_os_string(), "kitchen", "0.1.0", of_this_test()).unwrap();
        let manifest = Manifest::from_json(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(manifest.agents.len(), 2);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_failure_leaves_no_scratch_file() {
        let folder = std::env::temp_dir().join(format!("agui-hook-failure-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("manifest.json").into_os_string();
        let error = write(&path, "kitchen", "0.1.0", []).unwrap_err();
        assert!(matches!(error, ManifestError::NoAgents { .. }));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_error_names_a_missing_folder() {
        let error = write(&"/nowhere/at/all.json".into(), "kitchen", "0.1.0", of_this_test()).unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all.json"), "{error}");
    }
}
