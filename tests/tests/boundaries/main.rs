//! The borders of crates and modules: what each may use, what each shows, and what its docs owe to their readers.
#![allow(clippy::string_slice, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod dependencies;
mod examples;
mod features;
mod floors;
mod heads;
mod helpers;
mod items;
mod left_out;
mod locks;
mod neighbours;
mod pictures;
mod published;
mod reachable;
mod source;
mod surface;

use agui_tests::outside::workspace_dir;

/// Readers are promised a whole support desk in so few lines beside its domain: its orders, its script and its page know nothing of the
/// protocol. The routes that serve the files of the page (`page.rs`) are not counted among the lines.
#[test]
fn the_desk_has_forty_five_lines_beside_its_domain() {
    let of = |file: &str| {
        let path = workspace_dir().join("examples/desk/src").join(file);
        std::fs::read_to_string(path).unwrap()
    };
    let program = of("main.rs");
    for part in ["#[tool]", "#[tool(approval)]", "state = Case", "run.chat(model)", "Server::new()"] {
        assert!(program.contains(part), "{part}");
    }
    assert!(program.lines().count() <= 45, "{}", program.lines().count());
    for domain in ["shop.rs", "script.rs", "page.rs"] {
        let code = of(domain);
        for glue in ["Run<", "Input<", "#[tool", "#[agent", "Event", "ToolCall", "reqwest"] {
            assert!(!code.contains(glue), "{domain} has `{glue}`");
        }
    }
}

/// Readers are promised an agent behind bearer tokens, with a tool that knows its customer, of this length.
#[test]
fn the_agent_behind_bearer_tokens_has_forty_lines() {
    let program = std::fs::read_to_string(workspace_dir().join("examples/members/src/main.rs")).unwrap();
    assert!(program.contains("#[request]") && program.lines().count() <= 40, "{}", program.lines().count());
}
