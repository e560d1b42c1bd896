//! The folders that generated files are in.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use agui_codegen::{Drift, Existing, File, Language, MARK, check};

/// Why a folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DiskError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error(
        "{} is not ours: it has no line with `{MARK}`, so it stays as it is; move it, or generate elsewhere",
        path.display()
    )]
    NotOurs { path: PathBuf },
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> DiskError + '_ {
    |source| DiskError::Io { path: path.to_owned(), source }
}

/// Everything in `folder` that can have been generated: files of the language, and files that would be.
pub(crate) fn read(folder: &Path, language: &Language, files: &[File]) -> Result<Existing, DiskError> {
    let mut existing = Existing::new();
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
    language: &Language,
    existing: &mut Existing,
) -> Result<(), DiskError> {
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
            // Packages people install and caches tools make are none of ours, and large.
            if name != "node_modules" && name != "__pycache__" && !name.starts_with('.') {
                collect(&path, &format!("{prefix}{name}/"), language, existing)?;
            }
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending == language.extension) {
            // What is not text was not generated.
            if let Ok(text) = std::fs::read_to_string(&path) {
                existing.insert(format!("{prefix}{name}"), text);
            }
        }
    }
    Ok(())
}

/// Makes `folder` hold `files`: writes what differs, removes what is stale. Gives the paths it touched.
pub(crate) fn write(folder: &Path, files: &[File], existing: &Existing) -> Result<Vec<String>, DiskError> {
    for file in files {
        if existing.get(&file.path).is_some_and(|text| !is_ours(text)) {
            return Err(DiskError::NotOurs { path: folder.join(&file.path) });
        }
    }
    let mut touched = Vec::new();
    for file in files.iter().filter(|file| existing.get(&file.path) != Some(&file.text)) {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(io(parent))?;
        }
        std::fs::write(&path, &file.text).map_err(io(&path))?;
        touched.push(format!("wrote {}", path.display()));
    }
    for drift in check(files, existing) {
        if let Drift::Stale { path } = drift {
            let path = folder.join(path);
            std::fs::remove_file(&path).map_err(io(&path))?;
            touched.push(format!("removed {}", path.display()));
        }
    }
    Ok(touched)
}

fn is_ours(text: &str) -> bool {
    text.trim().is_empty() || text.lines().take(5).any(|line| line.contains(MARK))
}
