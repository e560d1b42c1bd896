//! How a program hands over its manifest: it is run with [`OUT`] in its environment, writes the file and exits.
//!
//! `agui-codegen` runs the user's own program, because only the compiled program knows its types. The first line of
//! `#[agui_runtime::main]` asks [`write_if_asked`], and so does `serve`, for programs with a plain `main`.

use std::ffi::OsString;
use std::path::Path;

use super::{AgentSource, Manifest, ManifestError};

/// The environment variable that names the file to write.
pub const OUT: &str = "AGUI_MANIFEST_OUT";

/// What a program that is asked before it knows any agent says on standard error, and goes on: it may come to serve some.
pub const NONE_YET: &str = "agui: no agent is linked into this program so far";

/// One agent of the program. `#[agent]` submits one to `inventory` for each agent type.
#[derive(Debug)]
pub struct AgentEntry {
    /// What the agent says about itself.
    pub source: fn() -> AgentSource,
    /// The package that defines the agent.
    pub crate_name: &'static str,
    /// The version of that package.
    pub crate_version: &'static str,
}

inventory::collect!(AgentEntry);

/// Every agent linked into this program, sorted by name.
///
/// Only agents of crates that the program really uses are there: the linker drops the rest.
#[must_use]
pub fn registered() -> Vec<AgentSource> {
    let mut agents: Vec<AgentSource> =
        inventory::iter::<AgentEntry>().map(|entry| (entry.source)()).collect();
    agents.sort_by(|a, b| (a.name, a.rust_path).cmp(&(b.name, b.rust_path)));
    agents
}

/// Writes the manifest of `agents` when [`OUT`] is set; `Ok(true)` means it did and the program should end here.
///
/// The file appears whole or not at all.
///
/// ```
/// use agui_runtime::manifest::hook;
///
/// // Nobody asked, so nothing is described and nothing is written.
/// assert!(!hook::write_if_asked("kitchen", "0.1.0", hook::registered())?);
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
///
/// # Errors
///
/// Those of [`Manifest::build`], and [`ManifestError::Write`] when the file cannot be written.
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
    let agents: Vec<AgentSource> = agents.into_iter().collect();
    let manifest = Manifest::build(crate_name, crate_version, &agents)?;
    let path = Path::new(path);
    // The process id keeps two programs that are asked for one file at once out of each other's way.
    let mut scratch = path.as_os_str().to_owned();
    scratch.push(format!(".{}.tmp", std::process::id()));
    std::fs::write(&scratch, manifest.to_json())
        .and_then(|()| std::fs::rename(&scratch, path))
        .map_err(|source| ManifestError::Write { path: path.into(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(name: &'static str) -> AgentSource {
        AgentSource { version: "0.1.0", rust_path: name, ..AgentSource::new(name) }
    }

    inventory::submit! { AgentEntry { source: || agent("second"), crate_name: "a", crate_version: "1.0.0" } }
    inventory::submit! { AgentEntry { source: || agent("first"), crate_name: "a", crate_version: "1.0.0" } }

    #[test]
    fn registered_agents_come_sorted() {
        let names: Vec<_> = registered().into_iter().map(|agent| agent.name).collect();
        // The third is an agent that another unit test runs.
        assert_eq!(names, ["first", "second", "writer"]);
    }

    #[test]
    fn the_file_is_the_manifest_and_nothing_is_left_beside_it() {
        let folder = std::env::temp_dir().join(format!("agui-hook-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("manifest.json");
        write(&path.clone().into_os_string(), "kitchen", "0.1.0", registered()).unwrap();
        let manifest = Manifest::from_json(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(manifest.agents.len(), 3);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = write(&"/nowhere/at/all.json".into(), "kitchen", "0.1.0", registered()).unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all.json"), "{error}");
    }
}
