//! How the manifest is obtained: the user's own program is built as it always is, run once, and describes itself.

mod error;
mod program;
mod workspace;

use std::path::Path;
use std::time::Duration;

use agui_codegen::Manifest;

pub(crate) use error::ExtractError;
pub(crate) use workspace::{Package, Workspace};

use crate::arguments::Source;

/// Reads a manifest that was written before.
pub(crate) fn read(path: &Path) -> Result<Manifest, ExtractError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ExtractError::Read { path: path.to_owned(), source })?;
    Manifest::from_json(&text)
        .map_err(|source| ExtractError::Manifest { from: path.display().to_string(), source })
}

/// Builds the program of `package` and asks it for its manifest.
pub(crate) fn run(
    workspace: &Workspace,
    package: &Package,
    source: &Source,
) -> Result<Manifest, ExtractError> {
    let binary = package.binary(source.bin.as_deref())?;
    let executable = program::build(workspace, package, binary, source)?;
    let folder = workspace.target.join("agui-codegen");
    std::fs::create_dir_all(&folder).map_err(|source| ExtractError::Read { path: folder.clone(), source })?;
    // Two commands at once must not take each other's answer.
    let answer = folder.join(format!("{}-{}.json", package.name, std::process::id()));
    let asked = program::ask(&executable, &package.folder, &answer, Duration::from_secs(source.timeout));
    let text = asked.and_then(|()| {
        std::fs::read_to_string(&answer).map_err(|source| ExtractError::Read { path: answer.clone(), source })
    });
    // It may not be there; what matters was said already.
    let _ = std::fs::remove_file(&answer);
    Manifest::from_json(&text?)
        .map_err(|source| ExtractError::Manifest { from: format!("the program `{binary}`"), source })
}
