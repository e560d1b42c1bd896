//! The runtime that `#[agui_runtime::main]` puts around an async main.

use std::future::Future;

use crate::{manifest, stderr_log};

/// Runs a future on a new multi-thread runtime. If the system refuses one, the program ends here.
#[doc(hidden)]
pub fn block_on<F: Future>(future: F) -> F::Output {
    stderr_log::begin_later();
    match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(future),
        Err(error) => manifest::give_up(&format!("no async runtime: {error}")),
    }
}
