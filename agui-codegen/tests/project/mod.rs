//! Projects for tests of the command, and its run in them.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A new folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The exit code of the command, and its output: standard output, standard error, and both.
pub struct Ended {
    pub code: i32,
    pub out: String,
    pub err: String,
    pub said: String,
}

impl Ended {
    pub fn assert(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{}", self.said);
        for part in parts {
            assert!(self.said.contains(part), "no {part:?} in: {}", self.said);
        }
    }
}

pub fn run(folder: &Path, arguments: &[&str]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-codegen"));
    // The workspaces of these tests have targets of their own.
    command.current_dir(folder).env_remove("CARGO_TARGET_DIR").args(arguments);
    let output = command.output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    Ended { code: output.status.code().unwrap(), said: format!("{out}{err}"), out, err }
}

/// A workspace of small programs without dependencies: only their answer to the command matters.
pub fn workspace(name: &str, packages: &[(&str, &str)]) -> PathBuf {
    let folder = folder(name);
    let members: Vec<&str> = packages.iter().map(|(package, _)| *package).collect();
    let manifest = format!("[workspace]\nmembers = {members:?}\nresolver = \"3\"\n");
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    for (package, main) in packages {
        fs::create_dir_all(folder.join(package).join("src")).unwrap();
        let manifest = format!("[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        fs::write(folder.join(package).join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join(package).join("src/main.rs"), main).unwrap();
    }
    folder
}
