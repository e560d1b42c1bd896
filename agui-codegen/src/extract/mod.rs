//! How the manifest is obtained: the user's own program is built as it always is, run once, and describes itself. Or a
//! program is written around the user's library, a server asked, a file read.

mod error;
mod http;
mod kept;
mod program;
mod shim;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use agui_codegen::Manifest;

pub(crate) use error::ExtractError;
use program::Program;
pub(crate) use workspace::{Asked, Library, Package, Workspace};

use crate::arguments::Source;

/// The cargo that runs this program, or the one there is.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // `cargo run` and `cargo test` set them. Build scripts that see another value run again, and what depends on them is
    // built again.
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_MANIFEST_PATH");
    command
}

/// Reads a manifest that was written before.
pub(crate) fn read(path: &Path) -> Result<Manifest, ExtractError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ExtractError::Read { path: path.to_owned(), source })?;
    Manifest::from_json(&text)
        .map_err(|source| ExtractError::Manifest { from: path.display().to_string(), source })
}

/// Asks a server that runs.
pub(crate) fn fetch(url: &str, source: &Source) -> Result<Manifest, ExtractError> {
    let text = http::get(url, Duration::from_secs(source.timeout))
        .map_err(|reason| ExtractError::Url { url: url.to_owned(), reason })?;
    Manifest::from_json(&text).map_err(|source| ExtractError::Manifest { from: url.to_owned(), source })
}

/// Builds the program of `package`, or one around its library, and asks it for its manifest.
pub(crate) fn run(
    workspace: &Workspace,
    package: &Package,
    source: &Source,
) -> Result<Manifest, ExtractError> {
    let asked = package.asked(source.bin.as_deref())?;
    let name = match asked {
        Asked::Binary(binary) => binary,
        Asked::Library(_) => shim::NAME,
    };
    let place = kept::Place::new(workspace, package, name, source);
    if let Some(manifest) = place.read() {
        return parse(&manifest, name);
    }
    let program = match asked {
        Asked::Binary(binary) => Program {
            name: binary.to_owned(),
            select: vec!["--package".into(), package.name.clone().into(), "--bin".into(), binary.into()],
            is_shim: false,
        },
        Asked::Library(library) => Program {
            name: shim::NAME.into(),
            select: vec!["--manifest-path".into(), shim::write(workspace, package, library, source)?.into()],
            is_shim: true,
        },
    };
    let folder = workspace.target.join("agui-codegen");
    std::fs::create_dir_all(&folder).map_err(|source| ExtractError::Read { path: folder.clone(), source })?;
    // Two commands at once must not take each other's answer.
    let answer = folder.join(format!("{}-{}.json", package.name, std::process::id()));
    // One of a command that was killed, and had this number, is none.
    let _ = std::fs::remove_file(&answer);
    let started = SystemTime::now();
    let asked = program.build(workspace, package, source).and_then(|command| {
        let executable = PathBuf::from(command.get_program());
        program::ask(command, &answer, Duration::from_secs(source.timeout))?;
        let manifest = std::fs::read_to_string(&answer);
        let manifest = manifest.map_err(|source| ExtractError::Read { path: answer.clone(), source })?;
        place.write(workspace, package, &executable, started, &manifest);
        Ok(manifest)
    });
    // It may not be there; what matters was said already.
    let _ = std::fs::remove_file(&answer);
    parse(&asked?, name)
}

fn parse(manifest: &str, program: &str) -> Result<Manifest, ExtractError> {
    Manifest::from_json(manifest)
        .map_err(|source| ExtractError::Manifest { from: format!("the program `{program}`"), source })
}
