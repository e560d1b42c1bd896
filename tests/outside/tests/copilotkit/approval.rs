//! The approval of a call on CopilotKit's page, by the generated hook: approved, with other arguments, refused, and left.

use agui_tests::need;
use agui_tests::outside::{
    Chromium, CopilotKit, ExampleServer, Generation, artefact, built, empty, generated,
};
use serde_json::json;

/// Refunds on the page; without CopilotKit's runtime, a client in the page talks with the agent itself.
fn refund(name: &str, client: Generation, has_runtime: bool) {
    let copilotkit = need!(CopilotKit::ready());
    let chromium = need!(Chromium::ready());
    let desk = ExampleServer::start("desk");
    let address = format!("{}/", desk.url());
    let target = ("desk".to_owned(), json!({ "url": address }));
    let generated = generated(&built("desk"), &empty(&format!("copilotkit-desk/{name}")));
    let server = copilotkit.serve_page_with([target], "desk.jsx", &generated, client);
    let picture = |what: &str| artefact(&format!("copilotkit-approval-{name}-{what}.png"));
    let mut job = json!({ "pictures": { "edited": picture("edited"), "end": picture("end") } });
    if !has_runtime {
        job["direct"] = json!(address);
    }
    let page = format!("{}/", server.url());
    chromium.browse(&format!("copilotkit-approval-{name}"), "copilotkit-desk.mjs", &page, &job).assert_ok();
}

#[test]
fn a_customer_approves_edits_and_refuses_by_the_generated_hook() {
    refund("runtime", Generation::Legacy, true);
}

#[test]
fn the_same_with_the_legacy_client_in_the_page() {
    refund("legacy", Generation::Legacy, false);
}

#[test]
fn the_same_with_the_current_client_in_the_page() {
    refund("v1", Generation::V1, false);
}
