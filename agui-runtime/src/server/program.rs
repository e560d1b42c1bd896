//! What `#[agui_runtime::main]` puts around an async main.

use std::future::Future;

use super::manifest;

use crate::manifest::hook;

/// The program's first word: writes the manifest and ends the program when `agui-codegen` asked for it, otherwise does
/// nothing.
pub fn init(crate_name: &str, crate_version: &str) {
    match hook::write_if_asked(crate_name, crate_version, hook::registered()) {
        Ok(false) => {}
        Ok(true) => process::exit(0),
        Err(error) => give_up(format_args!("the manifest was not written: {error}")),
    }
}

/// Runs a future on a runtime of its own, on all cores. Where the system refuses one, the program ends here.
pub fn block_on<F: Future>(future: F) -> F::Output {
    match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(future),
        Err(error) => manifest::give_up(&format!("no async runtime: {error}")),
    }
}
