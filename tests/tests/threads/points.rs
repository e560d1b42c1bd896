//! Every fault at every write, on the engines of this process.

use std::sync::Arc;

use agui_runtime::thread::{Memory, Sqlite, ThreadLog};
use agui_tests::kept::points::every_fault_at_every_write;

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_at_any_write_in_memory_loses_and_repeats_nothing() {
    let log: Arc<dyn ThreadLog> = Arc::new(Memory::new());
    println!("memory: {}", every_fault_at_every_write([Arc::clone(&log), log]).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_at_any_write_on_sqlite_loses_and_repeats_nothing() {
    let folder = std::env::temp_dir().join(format!("agui-points-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let open = || -> Arc<dyn ThreadLog> { Arc::new(Sqlite::open(folder.join("threads.db")).unwrap()) };
    println!("SQLite: {}", every_fault_at_every_write([open(), open()]).await);
    std::fs::remove_dir_all(&folder).unwrap();
}
