//! CopilotKit's hook `useThreads` on its page, without CopilotKit's runtime: listed, opened, renamed, archived, deleted.

use std::fs;
use std::process::Command;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{Chromium, CopilotKit, ExampleServer, artefact, built, empty};
use serde_json::json;

use crate::versions;

fn list_and_change(name: &str, is_single: bool) {
    for (suffix, copilotkit) in need!(versions::todays_and_older()) {
        list_and_change_by(&copilotkit, &format!("{name}{suffix}"), is_single);
    }
}

fn list_and_change_by(copilotkit: &CopilotKit, name: &str, is_single: bool) {
    let chromium = need!(Chromium::ready());
    let name = format!("copilotkit-threads-{name}");
    let folder = empty(&name);
    // The second half of a story need not wait.
    fs::write(folder.join("more"), "").unwrap();
    let mut editor = Command::new(built("stored_desk"));
    editor.arg(&folder).arg("0");
    let editor = ExampleServer::spawn("stored_desk", editor, Duration::from_secs(60));
    let editor = editor.unwrap_or_else(|cause| panic!("{cause}"));
    let files = copilotkit.serve_page([], "threads.jsx");
    let runtime = format!("{}/api/copilotkit", editor.url());
    let job = json!({
        "runtime": runtime, "single": is_single, "visitor": "Ada", "picture": artefact(&format!("{name}.png")),
    });
    // The driver opens this address before the script opens its own.
    let single = if is_single { "&single=" } else { "" };
    let url = format!("{}/?visitor=Ada&runtime={runtime}{single}", files.url());
    chromium.browse(&name, "copilotkit-threads.mjs", &url, &job).assert_ok();
}

#[test]
fn the_page_lists_and_changes_its_threads() {
    list_and_change("many", false);
}

#[test]
fn the_page_lists_and_changes_its_threads_at_one_address() {
    list_and_change("single", true);
}
