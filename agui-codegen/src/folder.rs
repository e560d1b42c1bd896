//! Reads a folder that contains generated files.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::check::ExistingFiles;
use crate::emit::{GeneratedFile, TargetLanguage};

/// A folder or file that cannot be read.
///
/// ```
/// use agui_codegen::{LANGUAGES, ReadError, read_folder};
///
/// let ReadError { path, .. } = read_folder("Cargo.toml".as_ref(), &LANGUAGES[0], &[]).unwrap_err();
/// assert_eq!(path.as_os_str(), "Cargo.toml", "it is no folder");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct ReadError {
    /// The path.
    pub path: PathBuf,
    /// The system error.
    pub source: std::io::Error,
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> ReadError + '_ {
    |source| ReadError { path: path.to_owned(), source }
}

/// Reads every file in `folder` that may have been generated: files with the language's extension, and the files in
/// `files` that exist. Pass the result to [`check`](crate::check()); a missing folder gives an empty result.
///
/// # Errors
///
/// Returns [`ReadError`] with the path that cannot be read.
///
/// ```
/// use agui_codegen::{LANGUAGES, read_folder};
///
/// assert!(read_folder("nowhere/at/all".as_ref(), &LANGUAGES[0], &[])?.is_empty());
/// # Ok::<(), agui_codegen::ReadError>(())
/// ```
pub fn read_folder(
    folder: &Path,
    language: &TargetLanguage,
    files: &[GeneratedFile],
) -> Result<ExistingFiles, ReadError> {
    let mut existing = ExistingFiles::new();
    collect(folder, "", language, &mut existing)?;
    for file in files {
        let path = folder.join(&file.path);
        match std::fs::read_to_string(&path) {
            Ok(text) => drop(existing.insert(file.path.clone(), text)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(io(&path)(error)),
        }
    }
    Ok(existing)
}

fn collect(
    folder: &Path,
    prefix: &str,
    language: &TargetLanguage,
    existing: &mut ExistingFiles,
) -> Result<(), ReadError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(io(folder)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(io(folder))?;
        let (path, name) = (entry.path(), entry.file_name());
        let Some(name) = name.to_str() else { continue };
        let kind = entry.file_type().map_err(io(&path))?;
        if kind.is_dir() {
            // Installed packages and tool caches are large, and were not generated.
            if name != "node_modules" && name != "__pycache__" && !name.starts_with('.') {
                collect(&path, &format!("{prefix}{name}/"), language, existing)?;
            }
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending == language.extension) {
            // A file that is not text was not generated.
            if let Ok(text) = std::fs::read_to_string(&path) {
                existing.insert(format!("{prefix}{name}"), text);
            }
        }
    }
    Ok(())
}
