//! What `#[agent]` and `#[agui_runtime::main]` make of a program, written by hand: the agent is known to the linker, and
//! `main` asks for the manifest before anything else.

use agui_runtime::__private::{block_on, init, inventory};
use agui_runtime::manifest::{AgentSource, hook::AgentEntry};

fn porter() -> AgentSource {
    AgentSource {
        name: "porter",
        description: "Carries",
        version: "1.0.0",
        rust_path: "registered::Porter",
        state: None,
        tools: vec![],
        events: vec![],
    }
}

inventory::submit! {
    AgentEntry {
        source: porter,
        crate_name: env!("CARGO_PKG_NAME"),
        crate_version: env!("CARGO_PKG_VERSION"),
    }
}

fn main() {
    init(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    block_on(async { println!("main ran") });
}
