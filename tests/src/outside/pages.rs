//! The parts of a web page that uses generated code: bundlers, Vite and its templates, React, and a DOM.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use agui_programs::{installed, tests_dir};

use super::{Finished, Missing, finish};

const LIMIT: Duration = Duration::from_secs(120);

/// A bundler, set to write small code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bundler {
    /// esbuild, which reads TypeScript.
    Esbuild,
    /// rollup, after esbuild has removed the types of each file.
    Rollup,
}

impl Bundler {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Esbuild, Self::Rollup];
}

/// The packages of `tests/node/pages`.
#[derive(Debug, Clone)]
pub struct Pages {
    node: PathBuf,
    packages: PathBuf,
}

impl Pages {
    /// Finds Node, and installs the packages of `tests/node/pages/package-lock.json` on first use.
    ///
    /// # Errors
    /// [`Missing`] if Node or npm is not on the machine, or too old; see [`need!`](crate::need).
    pub fn ready() -> Result<Self, Missing> {
        let (node, packages) = installed("pages", &tests_dir().join("node/pages"), &[])?;
        Ok(Self { node, packages })
    }

    fn bin(&self, name: &str) -> Command {
        let mut command = Command::new(self.packages.join("node_modules/.bin").join(name));
        command.env("NODE_PATH", self.packages.join("node_modules"));
        command
    }

    /// Gives the page in `folder` its packages, as `npm install` does. The folder of the packages is its own, because
    /// tools keep files in it.
    pub fn install(&self, folder: &Path) {
        let here = folder.join("node_modules");
        let made = fs::create_dir(&here);
        assert!(made.is_ok(), "{}: {made:?}", here.display());
        link(&self.packages.join("node_modules"), &here);
    }

    /// Does the same for a page that uses other packages first, such as those of [`CopilotKit`](super::CopilotKit): `others` is
    /// their `node_modules`.
    pub fn install_after(&self, others: &Path, folder: &Path) {
        let here = folder.join("node_modules");
        let made = fs::create_dir(&here);
        assert!(made.is_ok(), "{}: {made:?}", here.display());
        link(others, &here);
        link(&self.packages.join("node_modules"), &here);
    }

    /// Makes the page `name` in `folder` from a template of Vite, as `npm create vite@latest` does.
    pub fn create(&self, folder: &Path, name: &str, template: &str) {
        let mut command = self.bin("create-vite");
        command.args([name, "--template", template, "--no-interactive"]).current_dir(folder);
        drop(finish(command, "", LIMIT).assert_success());
    }

    /// Runs npm in `folder`.
    #[must_use]
    pub fn npm(&self, folder: &Path, arguments: &[&str]) -> Finished {
        finish(self.npm_command(folder, arguments), "", LIMIT)
    }

    /// The command that runs npm in `folder`.
    #[must_use]
    pub fn npm_command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env::var_os("AGUI_NPM").unwrap_or_else(|| "npm".into()));
        command.args(arguments).current_dir(folder);
        command
    }

    /// The bundle of the TypeScript file `entry` in `folder` and all that it imports, without packages.
    #[must_use]
    pub fn bundle(&self, bundler: Bundler, folder: &Path, entry: &str) -> String {
        let out = folder.join("out");
        let minified = ["--minify", "--format=esm", "--log-level=warning"];
        match bundler {
            Bundler::Esbuild => {
                let mut command = self.bin("esbuild");
                command.arg(folder.join(entry)).args(["--bundle", "--packages=external"]).args(minified);
                finish(command, "", LIMIT).assert_success().stdout
            }
            Bundler::Rollup => {
                let mut command = self.bin("esbuild");
                command
                    .arg(format!("--outdir={}", out.display()))
                    .args(["--format=esm", "--log-level=warning"]);
                command.arg(format!("--outbase={}", folder.display())).args(typescript(folder));
                drop(finish(command, "", LIMIT).assert_success());
                let mut command = self.bin("rollup");
                command.arg(out.join(entry).with_extension("js"));
                // The packages are not part of the bundle.
                command.args(["--format", "es", "--silent", "--external", "@ag-ui/client,react,zod/v4"]);
                let whole = finish(command, "", LIMIT).assert_success().stdout;
                let mut command = self.bin("esbuild");
                command.args(minified);
                finish(command, &whole, LIMIT).assert_success().stdout
            }
        }
    }

    /// Bundles the script `entry` in `folder` with its packages, and runs it with `stdin`.
    #[must_use]
    pub fn run(&self, folder: &Path, entry: &str, stdin: &str) -> Finished {
        let bundle = folder.join(entry).with_extension("mjs");
        let mut command = self.bin("esbuild");
        command.arg(folder.join(entry)).arg(format!("--outfile={}", bundle.display())).args([
            "--bundle",
            "--platform=node",
            "--format=esm",
            "--jsx=automatic",
            "--log-level=warning",
            // CommonJS inside of a module needs it.
            "--banner:js=import { createRequire as c } from 'node:module'; const require = c(import.meta.url);",
        ]);
        drop(finish(command, "", LIMIT).assert_success());
        let mut command = Command::new(&self.node);
        command.arg(bundle);
        finish(command, stdin, LIMIT)
    }
}

/// Links each package of `packages` that is not yet in `here`.
fn link(packages: &Path, here: &Path) {
    let entries = fs::read_dir(packages).unwrap_or_else(|cause| panic!("{}: {cause}", packages.display()));
    for package in entries.flatten() {
        let (name, place) = (package.file_name(), here.join(package.file_name()));
        // A scope, or the folder of the programs, has packages of both.
        if name.to_string_lossy().starts_with(['@', '.']) && package.path().is_dir() {
            let made = fs::create_dir_all(&place);
            assert!(made.is_ok(), "{}: {made:?}", place.display());
            link(&package.path(), &place);
        } else if place.symlink_metadata().is_err() {
            let linked = std::os::unix::fs::symlink(package.path(), &place);
            assert!(linked.is_ok(), "{}: {linked:?}", package.path().display());
        }
    }
}

/// The TypeScript files below `folder`.
fn typescript(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|cause| panic!("{}: {cause}", folder.display()));
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("out") {
            found.extend(typescript(&path));
        } else if path.extension().is_some_and(|ending| ending == "ts") {
            found.push(path);
        }
    }
    found
}
