//! Node, and the packages of a lock file.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{Installation, Missing, Program, finish};

const NODE: Program = Program {
    name: "node",
    variable: "AGUI_NODE",
    at_least: (20, 0),
    how_to_get_it: "install Node.js 20 or newer with npm",
};

const NPM: Program =
    Program { name: "npm", variable: "AGUI_NPM", at_least: (9, 0), how_to_get_it: "npm comes with Node.js" };

const INSTALL_LIMIT: Duration = Duration::from_secs(600);

/// Node, and the folder where the packages of the lock file in `here` are installed. `options` go to npm.
///
/// # Errors
/// [`Missing`] if Node or npm is not on the machine, or too old; see [`need!`](crate::need).
pub fn installed(name: &str, here: &Path, options: &[&str]) -> Result<(PathBuf, PathBuf), Missing> {
    let (program, version) = NODE.find()?;
    let (npm, npm_version) = NPM.find()?;
    let files = ["package.json", "package-lock.json", ".npmrc"];
    let by = format!("node {version}, npm {npm_version}");
    let files_here: Vec<_> = files.iter().map(|file| here.join(file)).collect();
    let packages = Installation { name, by: &by, files: &files_here }.ready(|folder| {
        for file in files {
            let copied = fs::copy(here.join(file), folder.join(file));
            assert!(copied.is_ok(), "{file}: {copied:?}");
        }
        let mut command = Command::new(&npm);
        // No package here needs its install script, so none runs.
        command.args(["ci", "--ignore-scripts"]).args(options).current_dir(folder);
        drop(finish(command, "", INSTALL_LIMIT).assert_success());
    });
    Ok((program, packages))
}
