//! The runtime source for a new project: a registry, or a folder.

use std::path::{Path, PathBuf};

use super::NewError;
use crate::arguments::NewArguments;
use crate::relative::relative;

/// The source for `agui-runtime`.
#[derive(Debug)]
pub(super) enum RuntimeSource {
    /// This program's version, from the registry that cargo uses.
    Registry,
    /// A local clone of the project.
    Folder(PathBuf),
}

impl RuntimeSource {
    pub(super) fn from_arguments(options: &NewArguments) -> Result<Self, NewError> {
        let Some(folder) = &options.path else { return Ok(Self::Registry) };
        if !folder.join("agui-runtime/Cargo.toml").is_file() {
            return Err(NewError::NotTheProject { folder: folder.clone() });
        }
        Ok(Self::Folder(folder.clone()))
    }

    /// Returns the source as a `Cargo.toml` line, for a project in the existing folder `project`.
    pub(super) fn dependency(&self, project: &Path) -> Result<String, NewError> {
        Ok(match self {
            Self::Registry => format!("version = {}", toml::Value::from(env!("CARGO_PKG_VERSION"))),
            Self::Folder(folder) if folder.is_absolute() => path(&folder.join("agui-runtime")),
            Self::Folder(folder) => path(&relative(&named(folder)?, &named(project)?).join("agui-runtime")),
        })
    }
}

fn path(path: &Path) -> String {
    format!("path = {}", toml::Value::from(path.display().to_string()))
}

/// Returns the folder's absolute path. The folder's own name stays, even if the folder is a link.
fn named(folder: &Path) -> Result<PathBuf, NewError> {
    let resolve = |path: &Path| {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        path.canonicalize().map_err(|source| NewError::Resolve { path: path.to_owned(), source })
    };
    match (folder.parent(), folder.file_name()) {
        (Some(parent), Some(name)) => Ok(resolve(parent)?.join(name)),
        _ => resolve(folder),
    }
}
