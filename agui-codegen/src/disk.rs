//! The folders that contain generated files.

use std::path::{Path, PathBuf};

use agui_codegen::{ExistingFiles, FileDrift, GeneratedFile, MARK, ReadError, check};

/// An error while a folder is read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DiskError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error(
        "{} was not generated: it has no line with `{MARK}`, so it stays as it is; move it, or generate elsewhere",
        path.display()
    )]
    NotOurs { path: PathBuf },
}

fn io(path: &Path) -> impl FnOnce(std::io::Error) -> DiskError + '_ {
    |source| DiskError::Io { path: path.to_owned(), source }
}

/// Returns an error if a file in `files` would overwrite a file that was not generated.
pub(crate) fn refuse_others(
    folder: &Path,
    files: &[GeneratedFile],
    existing: &ExistingFiles,
) -> Result<(), DiskError> {
    let is_other = |file: &&GeneratedFile| existing.get(&file.path).is_some_and(|text| !is_ours(text));
    match files.iter().find(is_other) {
        Some(file) => Err(DiskError::NotOurs { path: folder.join(&file.path) }),
        None => Ok(()),
    }
}

/// Writes the files that differ from `files`, removes stale files, and returns the changes. The caller has already
/// checked that all files in `folder` were generated.
pub(crate) fn write(
    folder: &Path,
    files: &[GeneratedFile],
    existing: &ExistingFiles,
) -> Result<Vec<String>, DiskError> {
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
        if let FileDrift::Stale { path } = drift {
            let path = folder.join(path);
            std::fs::remove_file(&path).map_err(io(&path))?;
            // A folder that still contains a file stays.
            let inside = path.ancestors().skip(1).take_while(|parent| *parent != folder);
            let _ = inside.map(std::fs::remove_dir).take_while(Result::is_ok).count();
            touched.push(format!("removed {}", path.display()));
        }
    }
    Ok(touched)
}

/// Returns true if a file may be overwritten: the file is empty, or was generated.
pub(crate) fn is_ours(text: &str) -> bool {
    text.trim().is_empty() || text.lines().take(5).any(|line| line.contains(MARK))
}
