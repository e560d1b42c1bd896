//! How the manifest is obtained: the user's own program is built as it always is, run once, and describes itself. Or a
//! program is written around the user's library, a server asked, a file read.

mod error;
mod http;
mod kept;
mod origin;
mod program;
mod shim;
mod workspace;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use agui_codegen::Manifest;

pub(crate) use error::ExtractError;
pub(crate) use origin::Origin;
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

/// What a program said of itself.
pub(crate) struct Described {
    pub(crate) manifest: Manifest,
    /// The files that it is made of, as far as cargo says: what they hold, and whether they are there, decides what it says.
    pub(crate) made_of: BTreeSet<PathBuf>,
}

/// Builds the program of `package`, or one around its library, and asks it for its manifest.
pub(crate) fn run(
    workspace: &Workspace,
    package: &Package,
    source: &Source,
) -> Result<Described, ExtractError> {
    let asked = package.asked(source.bin.as_deref())?;
    let name = match asked {
        Asked::Binary(binary) => binary,
        Asked::Library(_) => shim::NAME,
    };
    let describe = |manifest: &str, made_of: BTreeSet<PathBuf>| match Manifest::from_json(manifest) {
        Ok(manifest) => Ok(Described { manifest, made_of }),
        Err(source) => Err(ExtractError::Manifest { from: format!("the program `{name}`"), source }),
    };
    let place = kept::Place::new(workspace, package, name, source);
    if let Some((manifest, made_of)) = place.read() {
        return describe(&manifest, made_of);
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
    let started = place.now();
    let asked = program.build(workspace, package, source).and_then(|command| {
        let executable = PathBuf::from(command.get_program());
        program::ask(command, &answer, Duration::from_secs(source.timeout))?;
        let manifest = std::fs::read_to_string(&answer);
        let manifest = manifest.map_err(|source| ExtractError::Read { path: answer.clone(), source })?;
        let made_of = kept::made_of(workspace, package, &executable);
        if let (Some(made_of), Some(started)) = (&made_of, started) {
            place.write(&executable, made_of, started, &manifest);
        }
        Ok((manifest, made_of.map(|made_of| made_of.files).unwrap_or_default()))
    });
    // It may not be there; what matters was said already.
    let _ = std::fs::remove_file(&answer);
    let (manifest, made_of) = asked?;
    describe(&manifest, made_of)
}
