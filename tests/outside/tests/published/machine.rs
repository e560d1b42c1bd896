//! A machine without Rust: its `PATH` has the named programs alone, and its home is empty.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use agui_tests::outside::{Finished, finish, target_dir};

const LIMIT: Duration = Duration::from_secs(120);

pub(crate) struct Machine {
    path: PathBuf,
    home: PathBuf,
}

impl Machine {
    /// The machine `name` with these programs of this machine.
    pub(crate) fn with(name: &str, programs: &[&str]) -> Self {
        let folder = target_dir().join("outside/published").join(name);
        drop(fs::remove_dir_all(&folder));
        let machine = Self { path: folder.join("bin"), home: folder.join("home") };
        fs::create_dir_all(&machine.path).and_then(|()| fs::create_dir(&machine.home)).unwrap();
        for program in programs {
            symlink(found(program), machine.path.join(program)).unwrap();
        }
        for missing in ["cargo", "rustc", "rustup"] {
            assert!(!programs.contains(&missing), "{missing} is not on this machine");
        }
        machine
    }

    /// An empty folder on the machine.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.home.join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Runs a program in `folder`: the name of one of the machine's programs, or a path.
    pub(crate) fn run(&self, folder: &Path, command: &[&str], variables: &[(&str, &str)]) -> Finished {
        let program = Path::new(command[0]);
        let program = if program.is_absolute() { program.to_owned() } else { self.path.join(program) };
        let mut process = Command::new(program);
        process.args(&command[1..]).current_dir(folder).env_clear();
        process.env("PATH", &self.path).env("HOME", &self.home).envs(variables.iter().copied());
        finish(process, "", LIMIT)
    }
}

/// The file of a program on this machine's `PATH`, or where `AGUI_NODE` and the like name it.
fn found(program: &str) -> PathBuf {
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut files = env::split_paths(&folders).map(|folder| folder.join(program));
    files.find(|file| file.is_file()).unwrap_or_else(|| panic!("{program} is not on the PATH"))
}
