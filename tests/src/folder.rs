//! Temporary folders that go with their test.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, process};

/// A temporary folder.
#[derive(Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// Makes a folder.
    #[must_use]
    pub fn new(name: &str) -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("agui-killed-{name}-{}-{number}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A rest stays in the system's folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
