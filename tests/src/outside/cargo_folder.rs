//! A folder outside of this workspace, with cargo's settings for the projects in it.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Finished, cargo, finish, without_package, workspace_dir};

const LIMIT: Duration = Duration::from_secs(1200);

/// The profile in the workspace's `Cargo.toml`: dependencies that the workspace has built in the same form are not built again.
const PROFILE: &str = "[profile.dev]\ndebug = false\n";

/// A folder below the temporary one. Below the workspace, cargo would take every project for a member of the workspace. The folder is
/// kept, so that cargo recognises the packages in it.
#[derive(Debug)]
pub struct CargoFolder {
    /// The folder's path.
    pub path: PathBuf,
}

impl CargoFolder {
    /// Creates the folder with this name for this workspace, if it is missing.
    #[must_use]
    pub fn create(name: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        workspace_dir().hash(&mut hasher);
        let path = std::env::temp_dir().join(format!("{name}-{:x}", hasher.finish()));
        fs::create_dir_all(path.join(".cargo")).unwrap();
        Self { path }
    }

    /// Writes cargo's settings: the folders of the table `[build]`, and the tables after that one.
    pub fn configure(&self, build: &str, tables: &str) {
        let workspace = fs::read_to_string(workspace_dir().join("Cargo.toml")).unwrap();
        assert!(workspace.contains(PROFILE), "the workspace has another profile");
        let config = format!("[build]\n{build}\n\n[net]\noffline = true\n\n{PROFILE}\n{tables}");
        fs::write(self.path.join(".cargo/config.toml"), config).unwrap();
    }

    /// Runs cargo in `folder`, which lies in this one.
    pub fn cargo(&self, folder: &Path, arguments: &[&str]) -> Finished {
        self.run(cargo(), folder, arguments)
    }

    /// Runs a program there.
    pub fn run(&self, mut program: Command, folder: &Path, arguments: &[&str]) -> Finished {
        assert!(folder.starts_with(&self.path));
        without_package(&mut program);
        program.current_dir(folder).args(arguments).env_remove("CARGO_TARGET_DIR");
        finish(program, "", LIMIT)
    }
}
