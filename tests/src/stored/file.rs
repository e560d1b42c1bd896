//! Files of SQLite that go with their test.

use std::sync::Arc;

use crate::folder::Folder;
use agui_runtime::thread::{Sqlite, ThreadLog};

/// Opens a file.
pub fn open(file: &str) -> Arc<dyn ThreadLog> {
    Arc::new(Sqlite::open(file).unwrap())
}

/// Returns the names of files in a folder, one after the other.
pub fn files(folder: &Folder) -> impl Iterator<Item = String> {
    (0..).map(|number| folder.0.join(format!("{number}.db")).display().to_string())
}

/// Opens one file twice, as two processes do.
pub fn two_on_sqlite() -> (Folder, [Arc<dyn ThreadLog>; 2]) {
    let folder = Folder::new("sqlite");
    let file = folder.0.join("threads.db").display().to_string();
    (folder, [open(&file), open(&file)])
}
