//! Node with the packages of `tests/node`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{Missing, finish, install::Installation, place::tests_dir, program::Program};

const NODE: Program = Program {
    name: "node",
    variable: "AGUI_NODE",
    at_least: (20, 0),
    how_to_get_it: "install Node.js 20 or newer with npm",
};

const NPM: Program =
    Program { name: "npm", variable: "AGUI_NPM", at_least: (9, 0), how_to_get_it: "npm comes with Node.js" };

const INSTALL_LIMIT: Duration = Duration::from_secs(600);

/// Node, ready to run scripts that import the official clients, TypeScript, esbuild and Playwright.
#[derive(Debug, Clone)]
pub struct Node {
    program: PathBuf,
    packages: PathBuf,
}

impl Node {
    /// Finds Node, and installs the packages of `tests/node/package-lock.json` on first use.
    ///
    /// # Errors
    /// [`Missing`] if Node or npm is not on the machine, or too old; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        Self::with_packages("node", &tests_dir().join("node"), &[])
    }

    /// Node with the packages of another lock file, in `here`. `options` go to npm.
    pub(super) fn with_packages(name: &str, here: &Path, options: &[&str]) -> Result<Self, Missing> {
        let (program, packages) = installed(name, here, options)?;
        Ok(Self { program, packages })
    }

    /// A command that runs a script of ours, given relative to `tests/node` (or as an absolute path), with the
    /// installed packages.
    #[must_use]
    pub fn command(&self, script: impl AsRef<Path>) -> Command {
        let here = tests_dir().join("node");
        let mut command = Command::new(&self.program);
        command.arg("--import").arg(here.join("packages.mjs"));
        command.arg(here.join(script)).env("AGUI_NODE_PACKAGES", &self.packages);
        command
    }

    /// A command that runs a program of one of the packages, such as `tsc` or `esbuild`.
    #[must_use]
    pub fn bin(&self, name: &str) -> Command {
        let mut command = Command::new(self.node_modules().join(".bin").join(name));
        // The files in our folders find their packages here.
        command.env("NODE_PATH", self.node_modules());
        command
    }

    /// The folder of the installed packages, for a compiler's `paths`.
    #[must_use]
    pub fn node_modules(&self) -> PathBuf {
        self.packages.join("node_modules")
    }
}

/// Node, and the folder where the packages of the lock file in `here` are installed. `options` go to npm.
pub(super) fn installed(name: &str, here: &Path, options: &[&str]) -> Result<(PathBuf, PathBuf), Missing> {
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
