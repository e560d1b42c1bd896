//! assistant-ui's list of threads, by the adapter of the generator's README, over both generations of the official client.

use std::fs;
use std::process::Command;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{
    AssistantUi, Chromium, ExampleServer, Generation, artefact, built, empty, generated,
    thread_list_adapter_of_readme,
};
use serde_json::json;

const LIMIT: Duration = Duration::from_secs(60);

fn list_and_change(generation: Generation) {
    let assistant_ui = need!(AssistantUi::ready());
    let chromium = need!(Chromium::ready());
    let name = format!("assistant-ui-threads-{}", generation.version());
    let folder = empty(&name);
    let generated = generated(&built("stored_desk"), &folder);
    let adapter = folder.join("adapter.ts");
    fs::write(&adapter, thread_list_adapter_of_readme().replace("./agui/", "./ts/")).unwrap();
    // The second half of a story need not wait.
    fs::write(folder.join("more"), "").unwrap();
    let mut editor = Command::new(built("stored_desk"));
    editor.arg(&folder).arg("0");
    let editor = ExampleServer::spawn("stored_desk", editor, LIMIT).unwrap_or_else(|cause| panic!("{cause}"));
    let page = assistant_ui.serve_threads(generation, &generated, &adapter);
    let job = json!({
        "address": format!("{}/editor", editor.url()), "visitor": "Ada",
        "picture": artefact(&format!("{name}.png")),
    });
    chromium.browse(&name, "assistant-ui-threads.mjs", &format!("{}/", page.url()), &job).assert_ok();
}

#[test]
fn its_list_of_threads_with_the_client_that_it_brings() {
    list_and_change(Generation::Legacy);
}

#[test]
fn its_list_of_threads_with_the_current_client() {
    list_and_change(Generation::V1);
}
