//! The conformance tests of thread stores, for the engines of this process. They need no executor.

use std::sync::Arc;

use agui_runtime::thread::{Memory, Sqlite, ThreadLog};
use agui_tests::outside::Missing;
use agui_tests::thread_conformance::Store;
use futures::executor;

use crate::folder::Folder;

#[derive(Default)]
struct InMemory(Memory);

impl Store for InMemory {
    fn node(&self) -> Arc<dyn ThreadLog> {
        Arc::new(self.0.clone())
    }

    fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        executor::block_on(work)
    }
}

struct InFile(Folder);

impl Store for InFile {
    /// As another process would open the file.
    fn node(&self) -> Arc<dyn ThreadLog> {
        Arc::new(Sqlite::open(self.0.file("threads.db")).unwrap())
    }

    fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        executor::block_on(work)
    }
}

mod memory {
    use super::{InMemory, Missing};

    agui_tests::thread_conformance!(Ok::<_, Missing>(InMemory::default()));
}

mod sqlite {
    use super::{Folder, InFile, Missing};

    agui_tests::thread_conformance!(Ok::<_, Missing>(InFile(Folder::new())));
}
