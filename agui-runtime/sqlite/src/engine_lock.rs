//! The lock that shows an engine that no other engine has the file open: then all owners in the file are gone.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::thread::{LogError, OpenError};
use rusqlite::{Connection, TransactionBehavior};

use super::schema::refused;
use super::statements::end_leases;

/// An engine's shared lock on a separate file beside the database. The system releases the lock however the process ends.
///
/// The database itself is not locked: closing a second handle would release SQLite's own locks.
pub(super) struct EngineLock {
    _file: File,
}

/// Other engines that have the same file open.
enum OtherEngines {
    None,
    Some,
}

impl EngineLock {
    /// Takes a new engine's lock. If no other engine has the file open, the file's runs have lost their owners, and their leases
    /// end.
    ///
    /// In a file system without locks no engine takes one: a lost run is found when the lease is over.
    ///
    /// # Errors
    /// Database errors; a damaged database does not open. An [`OpenError`] if the lock file cannot be opened: a later engine that
    /// can open the lock would take this engine's runs for lost.
    pub(super) fn take(path: &Path, db: &mut Connection) -> Result<Option<Self>, OpenError> {
        let refused = |error| refused(path, &error);
        // An engine writes a lease only after it was opened, and engines are opened one after the other: who is alone inside of
        // this transaction is alone until it ends.
        let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(refused)?;
        let file = open_beside(path)?;
        let (lock, others) = match lock(file) {
            Ok(locked) => locked,
            Err(error) => {
                tracing::warn!(
                    file = %quoted(&path.display()),
                    error = %quoted(&error),
                    "the file cannot be locked: after a crash, lost runs are found only when their leases are over"
                );
                return Ok(None);
            }
        };
        if matches!(others, OtherEngines::None) {
            let runs = end_leases(&transaction).map_err(refused)?;
            transaction.commit().map_err(refused)?;
            if runs > 0 {
                tracing::info!(file = %quoted(&path.display()), runs, "the process that had these runs is gone");
            }
        }
        Ok(Some(lock))
    }
}

/// Takes the shared lock, and reports if others hold the lock. Callers are serialized.
fn lock(file: File) -> io::Result<(EngineLock, OtherEngines)> {
    let others = match file.try_lock() {
        // Systems differ in how they change a lock into another.
        Ok(()) => file.unlock().map(|()| OtherEngines::None)?,
        Err(TryLockError::WouldBlock) => OtherEngines::Some,
        Err(TryLockError::Error(error)) => return Err(error),
    };
    file.try_lock_shared()?;
    Ok((EngineLock { _file: file }, others))
}

/// Opens a database's lock file.
fn open_beside(path: &Path) -> Result<File, OpenError> {
    let opened = lock_path(path).and_then(|path| open(&path));
    opened.map_err(|error| LogError::new(format_args!("{}-lock: {error}", path.display())).into())
}

/// Returns the lock file's path, which all names for the database share, as they share the files that SQLite puts beside it.
fn lock_path(path: &Path) -> io::Result<PathBuf> {
    let mut name = OsString::from(path.canonicalize()?);
    name.push("-lock");
    Ok(name.into())
}

/// Opens a lock file, which is never removed: a starting engine may have the file open when another ends.
fn open(path: &Path) -> io::Result<File> {
    let made = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    match made {
        // A file of another user can be locked if it can be read.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => File::open(path).map_err(|_| error),
        made => made,
    }
}
