//! The borders of crates and modules: what each may use, what each shows, and what its docs owe to their readers.
#![allow(clippy::string_slice, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod dependencies;
mod examples;
mod floors;
mod heads;
mod helpers;
mod items;
mod reachable;
mod source;
mod surface;

use agui_tests::outside::workspace_dir;

/// Readers are promised an agent behind bearer tokens, with a tool that knows its customer, of this length.
#[test]
fn the_agent_behind_bearer_tokens_has_forty_lines() {
    let program = std::fs::read_to_string(workspace_dir().join("examples/members/src/main.rs")).unwrap();
    assert!(program.contains("#[request]") && program.lines().count() <= 40, "{}", program.lines().count());
}
