//! The file under the connections, which can be removed or replaced while open.

use std::path::{Path, PathBuf};

/// A file's identity when it was opened.
pub(super) struct OpenedFile {
    path: PathBuf,
    id: Option<(u64, u64)>,
}

impl OpenedFile {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), id: id(path) }
    }

    /// True if the path still names the opened file. Writes to a removed file are lost with the last connection.
    pub(super) fn is_in_place(&self) -> bool {
        self.id == id(&self.path)
    }
}

/// Returns a file's identity, on systems where an open file can be removed.
fn id(path: &Path) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}
