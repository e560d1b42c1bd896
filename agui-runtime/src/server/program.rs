//! What `#[agui_runtime::main]` puts around an async main.

use std::future::Future;

use super::manifest;

/// Runs a future on a runtime of its own, on all cores. Where the system refuses one, the program ends here.
pub fn block_on<F: Future>(future: F) -> F::Output {
    match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(future),
        Err(error) => manifest::give_up(&format!("no async runtime: {error}")),
    }
}
