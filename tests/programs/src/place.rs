//! The places of the workspace, its target folder, and the artefacts of tests.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// The folder of the tests, with their Node and Python parts.
#[must_use]
pub fn tests_dir() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// The root of the workspace.
#[must_use]
pub fn workspace_dir() -> &'static Path {
    tests_dir().parent().unwrap_or(tests_dir())
}

/// The cargo that runs the tests, in the workspace.
#[must_use]
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into()));
    without_package(&mut command);
    command.current_dir(workspace_dir());
    command
}

/// Removes the variables that describe the package of the running test. If they change, build scripts run again (ring's
/// does), and all their dependents are built again.
pub fn without_package(command: &mut Command) {
    let of_a_package = |name: &str| name.starts_with("CARGO_MANIFEST_") || name.starts_with("CARGO_PKG_");
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(of_a_package) {
            command.env_remove(name);
        }
    }
}

/// The workspace's target folder under all settings of cargo.
#[must_use]
pub fn target_dir() -> &'static Path {
    static TARGET: OnceLock<PathBuf> = OnceLock::new();
    TARGET.get_or_init(|| {
        // The usual place of the running program. To ask cargo takes a tenth of a second in each process.
        let usual = workspace_dir().join("target");
        let marked = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
        let program = env::current_exe().unwrap_or_default();
        if program.ancestors().find(marked) == Some(&usual) {
            return usual;
        }
        let output = cargo().args(["metadata", "--no-deps", "--format-version", "1"]).output();
        let output = output.unwrap_or_else(|cause| panic!("cargo metadata: {cause}"));
        serde_json::from_slice::<serde_json::Value>(&output.stdout)
            .ok()
            .and_then(|metadata| Some(PathBuf::from(metadata.get("target_directory")?.as_str()?)))
            .unwrap_or_else(|| panic!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)))
    })
}

/// The folder for the packages and data of the outside programs.
#[must_use]
pub fn outside_dir() -> PathBuf {
    target_dir().join("outside")
}

/// The path for a file that a test leaves for people, such as a screenshot; an older one is removed.
#[must_use]
pub fn artefact(name: &str) -> PathBuf {
    let folder = outside_dir().join("artefacts");
    fs::create_dir_all(&folder).unwrap_or_else(|cause| panic!("{}: {cause}", folder.display()));
    let path = folder.join(name);
    match fs::remove_file(&path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => panic!("{}: {cause}", path.display()),
        _ => path,
    }
}
