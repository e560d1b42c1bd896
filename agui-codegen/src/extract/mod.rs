//! Ways to get a manifest. The user's own program is built as usual, runs once, and describes itself. Alternatively, a
//! program is written around the user's library, a server is queried, or a file is read.

mod cache;
mod error;
mod http;
mod origin;
mod program;
mod shim;
mod workspace;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use agui_codegen::Manifest;

pub(crate) use cache::made_of;
pub(crate) use error::ExtractError;
pub(crate) use origin::DependencyOrigin;
use program::ManifestProgram;
pub(crate) use workspace::{CargoWorkspace, PackageLibrary, RequestedProgram, WorkspacePackage};

use crate::arguments::ManifestSource;

/// Returns the cargo that runs this program, or the cargo on the `PATH`.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // `cargo run` and `cargo test` set these variables. Build scripts that see another value run again, and their
    // dependents are built again: ring's script reads the package name.
    let of_a_package = |name: &str| name.starts_with("CARGO_MANIFEST_") || name.starts_with("CARGO_PKG_");
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(of_a_package) {
            command.env_remove(name);
        }
    }
    command
}

/// Reads a manifest file.
pub(crate) fn read(path: &Path) -> Result<Manifest, ExtractError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ExtractError::Read { path: path.to_owned(), source })?;
    Manifest::from_json(&text)
        .map_err(|source| ExtractError::Manifest { from: path.display().to_string(), source })
}

/// Fetches the manifest from a running server.
pub(crate) fn fetch(url: &str, source: &ManifestSource) -> Result<Manifest, ExtractError> {
    let text = http::get(url, Duration::from_secs(source.timeout))
        .map_err(|reason| ExtractError::Url { url: url.to_owned(), reason })?;
    Manifest::from_json(&text).map_err(|source| ExtractError::Manifest { from: url.to_owned(), source })
}

/// Returns the command that builds a package's binary, as `run` does, so that nothing is built twice.
pub(crate) fn build_command(
    workspace: &CargoWorkspace,
    package: &WorkspacePackage,
    binary: &str,
    source: &ManifestSource,
) -> Result<Command, ExtractError> {
    ManifestProgram::binary(package, binary, source).cargo("build", workspace, package, source)
}

/// A program's description.
pub(crate) struct ProgramDescription {
    pub(crate) manifest: Manifest,
    /// The files that the program is built from, as far as cargo lists them: their content and existence decide the
    /// manifest.
    pub(crate) made_of: BTreeSet<PathBuf>,
}

/// Builds the program in `package`, or a program around the package's library, and runs that program for the manifest.
pub(crate) fn run(
    workspace: &CargoWorkspace,
    package: &WorkspacePackage,
    source: &ManifestSource,
) -> Result<ProgramDescription, ExtractError> {
    let asked = package.asked(source.bin.as_deref())?;
    let name = match asked {
        RequestedProgram::Binary(binary) => binary,
        RequestedProgram::Library(_) => shim::NAME,
    };
    let describe = |manifest: &str, made_of: BTreeSet<PathBuf>| match Manifest::from_json(manifest) {
        Ok(manifest) => Ok(ProgramDescription { manifest, made_of }),
        Err(source) => Err(ExtractError::Manifest { from: format!("the program `{name}`"), source }),
    };
    let cache = cache::ManifestCache::new(workspace, package, name, source);
    if let Some((manifest, made_of)) = cache.read() {
        return describe(&manifest, made_of);
    }
    let program = match asked {
        RequestedProgram::Binary(binary) => ManifestProgram::binary(package, binary, source),
        RequestedProgram::Library(library) => ManifestProgram {
            name: shim::NAME.into(),
            select: vec!["--manifest-path".into(), shim::write(workspace, package, library, source)?.into()],
            is_shim: true,
        },
    };
    let folder = workspace.target.join("agui-codegen");
    std::fs::create_dir_all(&folder).map_err(|source| ExtractError::Read { path: folder.clone(), source })?;
    // Two simultaneous commands must not take each other's file.
    let manifest_file = folder.join(format!("{}-{}.json", package.name, std::process::id()));
    // A killed command with the same process id may have left an outdated file.
    let _ = std::fs::remove_file(&manifest_file);
    let started = cache.now();
    let asked = program.build(workspace, package, source).and_then(|(command, file)| {
        let executable = PathBuf::from(command.get_program());
        program::ask(command, &file, &manifest_file, Duration::from_secs(source.timeout))?;
        let manifest = std::fs::read_to_string(&manifest_file);
        let manifest =
            manifest.map_err(|source| ExtractError::Read { path: manifest_file.clone(), source })?;
        let made_of = cache::made_of(workspace, package, &executable);
        if let (Some(made_of), Some(started)) = (&made_of, started) {
            cache.write(&executable, made_of, started, &manifest);
        }
        Ok((manifest, made_of.map(|made_of| made_of.files).unwrap_or_default()))
    });
    // The file may be missing; the relevant error was reported already.
    let _ = std::fs::remove_file(&manifest_file);
    for scratch in program::scratches(&manifest_file) {
        // The file is from a program that was killed before the manifest was complete.
        let _ = std::fs::remove_file(scratch);
    }
    let (manifest, made_of) = asked?;
    describe(&manifest, made_of)
}

#[cfg(test)]
mod tests {
    #[test]
    fn cargo_does_not_know_by_which_package_it_is_run() {
        let command = super::cargo();
        let removed = |name: &str| command.get_envs().any(|(set, value)| set == name && value.is_none());
        for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "CARGO_PKG_VERSION"] {
            assert!(std::env::var_os(name).is_some(), "{name} is set for tests");
            assert!(removed(name), "{name}");
        }
    }
}
