//! The executor of the engines of this binary.

use std::sync::LazyLock;
use std::thread;

use tokio::runtime::{Builder, Runtime};

static EXECUTOR: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap());

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    EXECUTOR.block_on(work)
}

/// The same from within a future, which an executor does not allow on its own threads.
pub(crate) fn block_within<T: Send>(work: impl Future<Output = T> + Send) -> T {
    thread::scope(|scope| scope.spawn(|| block_on(work)).join().unwrap())
}
