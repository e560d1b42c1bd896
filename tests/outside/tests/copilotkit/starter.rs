//! The page of CopilotKit's quickstart, whose `runtimeUrl` is the agent's server, which is killed and started again.

use std::fs;
use std::sync::{Mutex, PoisonError};

use agui_tests::need;
use agui_tests::outside::{Chromium, CopilotKit, artefact, empty};
use serde_json::json;

use crate::control::Control;
use crate::stored::{agent, port};
use crate::versions;

#[test]
fn the_quickstart_page_needs_an_address_alone_and_goes_on_after_a_restart_of_the_server() {
    for (suffix, copilotkit) in need!(versions::todays_and_older()) {
        start(&copilotkit, &format!("starter{suffix}"));
    }
}

fn start(copilotkit: &CopilotKit, name: &str) {
    let chromium = need!(Chromium::ready());
    let name = format!("copilotkit-{name}");
    let folder = empty(&name);
    // The second half of a story need not wait.
    fs::write(folder.join("more"), "").unwrap();
    let first = agent(&folder, "0");
    let agent_port = port(&first);
    let runtime = format!("{}/api/copilotkit", first.url());
    let server = Mutex::new(Some(first));
    let restart = |_: &str| {
        let mut server = server.lock().unwrap_or_else(PoisonError::into_inner);
        // Killed first, for the port.
        drop(server.take());
        *server = Some(agent(&folder, &agent_port));
    };
    let files = copilotkit.serve_page([], "starter.jsx");
    Control::with(&restart, |control| {
        let job = json!({
            "runtime": runtime, "published": folder.join("published"), "control": control,
            "picture": artefact(&format!("{name}.png")), "timeoutMs": 120_000,
        });
        let url = format!("{}/?runtime={runtime}", files.url());
        chromium.browse(&name, "copilotkit-starter.mjs", &url, &job).assert_ok();
    });
}
