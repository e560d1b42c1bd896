//! Looks for a program and asks it for its version.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
};

use crate::Missing;

/// A program on the path, or in the place that an environment variable names.
pub struct Program {
    /// The name on the path.
    pub name: &'static str,
    /// The environment variable that names another one.
    pub variable: &'static str,
    /// The oldest supported version: major, minor.
    pub at_least: (u32, u32),
    /// The way to get it.
    pub how_to_get_it: &'static str,
}

impl Program {
    /// The path of the program and its version text.
    pub fn find(&self) -> Result<(PathBuf, String), Missing> {
        self.find_also_in(Vec::new())
    }

    /// The same for a program that some systems do not put on the path.
    pub fn find_also_in(&self, folders: Vec<PathBuf>) -> Result<(PathBuf, String), Missing> {
        let missing = |what: String| Missing {
            what,
            how_to_get_it: format!("{}, or set {}", self.how_to_get_it, self.variable),
        };
        let wanted = env::var_os(self.variable).unwrap_or_else(|| self.name.into());
        let path = on_the_path(wanted.as_ref(), folders)
            .ok_or_else(|| missing(format!("{} not found", wanted.display())))?;
        let version = version_of(&path)
            .map_err(|cause| missing(format!("{} does not start: {cause}", path.display())))?;
        match version_in(&version) {
            Some(found) if found >= self.at_least => Ok((path, version)),
            _ => {
                let (major, minor) = self.at_least;
                Err(missing(format!("{} is '{version}', {major}.{minor} or newer is needed", path.display())))
            }
        }
    }
}

/// The answer to `--version`, which each program gives once: all tests ask for it, and npm needs a sixth of a second.
fn version_of(path: &Path) -> Result<String, String> {
    static ANSWERS: Mutex<BTreeMap<PathBuf, Result<String, String>>> = Mutex::new(BTreeMap::new());
    let mut answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let answer = answers.entry(path.to_owned()).or_insert_with(|| {
        let output = Command::new(path).arg("--version").stdin(Stdio::null()).output();
        let output = output.map_err(|cause| cause.to_string())?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    });
    answer.clone()
}

/// A bare name is looked up as a shell does; a path is taken as it is.
fn on_the_path(wanted: &Path, more: Vec<PathBuf>) -> Option<PathBuf> {
    if wanted.components().count() > 1 {
        return wanted.is_file().then(|| wanted.to_owned());
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).chain(more).map(|folder| folder.join(wanted)).find(|path| path.is_file())
}

/// The first `major.minor` in a program's version text.
fn version_in(text: &str) -> Option<(u32, u32)> {
    text.split_whitespace().find_map(|word| {
        let mut parts = word.trim_start_matches(['v', '=']).split('.');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_say() {
        assert_eq!(version_in("v20.20.2"), Some((20, 20)));
        assert_eq!(version_in("Python 3.11.7"), Some((3, 11)));
        assert_eq!(version_in("Chromium 148.0.7778.167 built on Debian"), Some((148, 0)));
        assert_eq!(version_in("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"), Some((15, 18)));
        assert_eq!(version_in("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0"), Some((7, 0)));
        assert_eq!(version_in("no version here"), None);
    }

    #[test]
    fn a_program_that_is_absent_or_too_old_is_missing() {
        let program = |name, at_least| Program {
            name,
            variable: "AGUI_NOT_SET",
            at_least,
            how_to_get_it: "install it",
        };
        let absent = program("agui-no-such-program", (1, 0)).find().unwrap_err();
        assert_eq!(absent.to_string(), "agui-no-such-program not found; install it, or set AGUI_NOT_SET");
        let old = program("rustc", (999, 0)).find().unwrap_err();
        assert!(old.what.contains("999.0 or newer is needed"), "{old}");
        assert!(program("rustc", (1, 80)).find().is_ok());
    }
}
