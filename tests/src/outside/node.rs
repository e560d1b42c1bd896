//! Node with the packages of `tests/node`.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use agui_programs::installed;

use super::{Missing, tests_dir};

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
