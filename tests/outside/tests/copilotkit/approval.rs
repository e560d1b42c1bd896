//! The approval of a call on CopilotKit's page, by the generated hook: approved, with other arguments, refused, and left.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{
    Chromium, CopilotKit, ExampleServer, Generation, artefact, built, finish, target_dir,
};
use serde_json::json;

const LIMIT: Duration = Duration::from_secs(60);

/// Writes the desk's TypeScript with the hooks of CopilotKit, and returns its folder.
fn generated(name: &str) -> PathBuf {
    let folder = target_dir().join("outside/copilotkit-desk").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    let manifest = folder.join("agui.manifest.json");
    let mut desk = Command::new(built("desk"));
    desk.env("AGUI_MANIFEST_OUT", &manifest);
    drop(finish(desk, "", LIMIT).assert_success());
    let mut generator = Command::new(built("agui-codegen"));
    generator.args(["generate", "--react", "v2", "--manifest"]).arg(&manifest);
    generator.arg("--ts").arg(folder.join("ts"));
    drop(finish(generator, "", LIMIT).assert_success());
    folder.join("ts")
}

/// Refunds on the page; without CopilotKit's runtime, a client in the page talks with the agent itself.
fn refund(name: &str, client: Generation, has_runtime: bool) {
    let copilotkit = need!(CopilotKit::ready());
    let chromium = need!(Chromium::ready());
    let desk = ExampleServer::start("desk");
    let address = format!("{}/", desk.url());
    let target = ("desk".to_owned(), json!({ "url": address }));
    let server = copilotkit.serve_page_with([target], "desk.jsx", &generated(name), client);
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
