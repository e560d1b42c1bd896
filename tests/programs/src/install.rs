//! Installs packages once for all test binaries, and again when a lock file changes.

use std::{
    fs::{self, File},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io,
    path::{Path, PathBuf},
};

use crate::place::outside_dir;

/// One installation: its name and the files that decide its content.
pub struct Installation<'a> {
    /// The first part of the folder's name.
    pub name: &'a str,
    /// The program that installs, with its version: another version installs again.
    pub by: &'a str,
    /// The files that list the packages.
    pub files: &'a [PathBuf],
}

impl Installation<'_> {
    /// The folder with everything installed; `install` fills it if that has not been done yet.
    ///
    /// The folder's name holds a hash of the installation's content. A marker is written last, so that an interrupted
    /// installation starts again; a file lock keeps parallel test binaries apart.
    pub fn ready(&self, install: impl FnOnce(&Path)) -> PathBuf {
        self.attempt(install).unwrap_or_else(|cause| panic!("cannot install {}: {cause}", self.name))
    }

    fn attempt(&self, install: impl FnOnce(&Path)) -> io::Result<PathBuf> {
        let folder = outside_dir().join(format!("{}-{:016x}", self.name, self.hash()?));
        let marker = folder.join(".complete");
        if marker.exists() {
            return Ok(folder);
        }
        let _guard = lock(&folder)?;
        if marker.exists() {
            return Ok(folder);
        }
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        install(&folder);
        fs::write(marker, self.by)?;
        Ok(folder)
    }

    fn hash(&self) -> io::Result<u64> {
        let mut hasher = DefaultHasher::new();
        self.by.hash(&mut hasher);
        for file in self.files {
            let content = fs::read(file)
                .map_err(|cause| io::Error::new(cause.kind(), format!("{}: {cause}", file.display())))?;
            content.hash(&mut hasher);
        }
        Ok(hasher.finish())
    }
}

/// Held until dropped; the operating system releases it when the process dies.
#[allow(
    clippy::incompatible_msrv,
    reason = "tests run on the installed stable, only the crates keep the MSRV"
)]
fn lock(folder: &Path) -> io::Result<File> {
    fs::create_dir_all(outside_dir())?;
    let file = File::create(folder.with_extension("lock"))?;
    file.lock()?;
    Ok(file)
}
