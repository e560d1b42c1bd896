//! A folder outside of this workspace, with this repository in it as `agui`, like a user's folder.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use agui_tests::outside::{Finished, cargo, finish, target_dir, without_package, workspace_dir};

const LIMIT: Duration = Duration::from_secs(1200);

/// The folder, and cargo's settings in it. It is kept, so that cargo recognises the runtime in it.
pub(crate) struct Outside {
    pub(crate) folder: PathBuf,
}

impl Outside {
    /// The folder without the projects called `names`.
    pub(crate) fn without(names: &[&str]) -> Self {
        let mut hasher = DefaultHasher::new();
        workspace_dir().hash(&mut hasher);
        // Below the workspace, cargo would take every package for a member of it.
        let folder = std::env::temp_dir().join(format!("agui-beside-{:x}", hasher.finish()));
        fs::create_dir_all(folder.join(".cargo")).unwrap();
        names.iter().for_each(|name| drop(fs::remove_dir_all(folder.join(name))));
        match std::os::unix::fs::symlink(workspace_dir(), folder.join("agui")) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => panic!("{error}"),
            _ => {}
        }
        // The build of the workspace is reused: the same folder, and the profile of its `Cargo.toml`.
        let profile = "[profile.dev]\ndebug = false\n";
        let workspace = fs::read_to_string(workspace_dir().join("Cargo.toml")).unwrap();
        assert!(workspace.contains(profile), "the workspace has another profile");
        let config =
            format!("[build]\ntarget-dir = {:?}\n\n[net]\noffline = true\n\n{profile}", target_dir());
        fs::write(folder.join(".cargo/config.toml"), config).unwrap();
        Self { folder }
    }

    /// Runs cargo in `folder`, which lies in this one.
    pub(crate) fn cargo(&self, folder: &Path, arguments: &[&str]) -> Finished {
        self.run(cargo(), folder, arguments)
    }

    /// Runs a program there.
    pub(crate) fn run(&self, mut program: Command, folder: &Path, arguments: &[&str]) -> Finished {
        assert!(folder.starts_with(&self.folder));
        without_package(&mut program);
        program.current_dir(folder).args(arguments).env_remove("CARGO_TARGET_DIR");
        finish(program, "", LIMIT)
    }
}
