//! The approval of a call on CopilotKit's page, by the generated hook: approved, with other arguments, refused, and left.

use std::fs;

use agui_tests::need;
use agui_tests::outside::{
    Chromium, CopilotKit, ExampleServer, Generation, artefact, built, empty, generated,
};
use serde_json::json;

/// How a page reaches the agent.
#[derive(Clone, Copy)]
enum Way {
    /// CopilotKit's runtime.
    Runtime,
    /// A client in the page.
    Direct(Generation),
    /// The agent's server by itself, as in `Server::copilotkit`.
    Server,
}

/// Refunds on the page.
fn refund(name: &str, way: Way) {
    let copilotkit = need!(CopilotKit::ready());
    let chromium = need!(Chromium::ready());
    let desk = ExampleServer::start("desk");
    let address = format!("{}/", desk.url());
    let target = || ("desk".to_owned(), json!({ "url": address }));
    let generated = generated(&built("desk"), &empty(&format!("copilotkit-desk/{name}")));
    let client = if let Way::Direct(client) = way { client } else { Generation::Legacy };
    let targets = match way {
        Way::Server => {
            // The desk is at `/`, which CopilotKit's pages call `default`.
            let agent = generated.join("desk/agent.ts");
            let text = fs::read_to_string(&agent).unwrap();
            let named = text.replace("AGENT = \"desk\"", "AGENT = \"default\"");
            assert_ne!(text, named);
            fs::write(&agent, named).unwrap();
            None
        }
        _ => Some(target()),
    };
    let server = copilotkit.serve_page_with(targets, "desk.jsx", &generated, client);
    let picture = |what: &str| artefact(&format!("copilotkit-approval-{name}-{what}.png"));
    let mut job = json!({ "pictures": { "edited": picture("edited"), "end": picture("end") } });
    let mut page = format!("{}/", server.url());
    match way {
        Way::Runtime => {}
        Way::Direct(_) => job["direct"] = json!(address),
        Way::Server => {
            let runtime = format!("{address}api/copilotkit");
            // The driver opens this address before the script opens its own.
            page.push_str(&format!("?runtime={runtime}"));
            job["runtime"] = json!(runtime);
        }
    }
    chromium.browse(&format!("copilotkit-approval-{name}"), "copilotkit-desk.mjs", &page, &job).assert_ok();
}

#[test]
fn a_customer_approves_edits_and_refuses_by_the_generated_hook() {
    refund("runtime", Way::Runtime);
}

#[test]
fn the_same_with_the_legacy_client_in_the_page() {
    refund("legacy", Way::Direct(Generation::Legacy));
}

#[test]
fn the_same_with_the_current_client_in_the_page() {
    refund("v1", Way::Direct(Generation::V1));
}

#[test]
fn the_same_with_the_server_alone() {
    refund("server", Way::Server);
}
