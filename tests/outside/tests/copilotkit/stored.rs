//! CopilotKit's page of an agent whose server stores its threads: loaded again in the middle of a text and of an approval,
//! also after a restart of the server, and of CopilotKit's runtime, which stores threads in its memory alone.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{
    Chromium, CopilotKit, ExampleServer, Generation, Node, artefact, built, empty, generated,
    runner_of_readme,
};
use serde_json::{Value, json};

use crate::control::Control;
use crate::versions;

const LIMIT: Duration = Duration::from_secs(60);

/// How a page reaches the agent.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// The generated client in the page.
    Direct(Generation),
    /// The agent's server by itself, as in `Server::copilotkit`; all requests to one address if true.
    Server(bool),
    /// CopilotKit's runtime as it comes, with the official client.
    Runtime,
    /// CopilotKit's runtime with the runner of the generator's README, which keeps nothing.
    Runner,
}

/// Starts the agent on the threads in a folder.
pub fn agent(folder: &Path, port: &str) -> ExampleServer {
    let mut desk = Command::new(built("stored_desk"));
    desk.arg(folder).arg(port);
    ExampleServer::spawn("stored_desk", desk, LIMIT).unwrap_or_else(|cause| panic!("{cause}"))
}

/// The port of a server.
pub fn port(server: &ExampleServer) -> String {
    server.url().rsplit(':').next().unwrap().to_owned()
}

/// A script on the page, with restarts of servers.
fn browse(copilotkit: &CopilotKit, name: &str, way: Way, script: &str, mut job: Value) {
    let chromium = need!(Chromium::ready());
    let folder = empty(&format!("copilotkit-stored/{name}"));
    let generated = generated(&built("stored_desk"), &folder);
    let first = agent(&folder, "0");
    let address = format!("{}/editor", first.url());
    let mut serving = json!({ "page": "stored.jsx", "generated": generated });
    if way == Way::Direct(Generation::V1) {
        serving["client"] = json!("ag-ui-client-1");
    }
    if way == Way::Runner {
        let file = folder.join("runner.ts");
        let [runner, _] = runner_of_readme();
        fs::write(&file, runner).unwrap();
        serving["runner"] = json!(file);
    }
    let serve = |port: &str| {
        let mut job = serving.clone();
        job["port"] = json!(port.parse::<u16>().unwrap());
        // The page alone, if the agent's server does the rest.
        let is_served = matches!(way, Way::Server(_));
        let agents = (!is_served).then(|| ("editor".to_owned(), json!({ "url": address })));
        copilotkit.serve_with(agents, job)
    };
    let page = serve("0");
    // The driver opens this address before the script opens its own.
    let url = match way {
        Way::Server(is_single) => {
            let runtime = address.replace("/editor", "/api/copilotkit");
            format!("{}/?runtime={runtime}{}", page.url(), if is_single { "&single=" } else { "" })
        }
        _ => format!("{}/", page.url()),
    };
    let (agent_port, page_port) = (port(&first), port(&page));
    let servers = Mutex::new((Some(first), Some(page)));
    let restart = |server: &str| {
        let mut servers = servers.lock().unwrap_or_else(PoisonError::into_inner);
        // Killed first, for the port.
        match server {
            "agent" => {
                drop(servers.0.take());
                servers.0 = Some(agent(&folder, &agent_port));
            }
            "runtime" => {
                drop(servers.1.take());
                servers.1 = Some(serve(&page_port));
            }
            other => panic!("no server {other}"),
        }
    };
    let picture = |what: &str| artefact(&format!("copilotkit-stored-{name}-{what}.png"));
    job["more"] = json!(folder.join("more"));
    job["published"] = json!(folder.join("published"));
    job["pictures"] =
        json!({ "half": picture("half"), "asked": picture("asked"), "suggested": picture("suggested") });
    job["timeoutMs"] = json!(120_000);
    if let Way::Direct(_) = way {
        job["direct"] = Value::String(address.clone());
    }
    if let Way::Server(is_single) = way {
        job["runtime"] = json!(address.replace("/editor", "/api/copilotkit"));
        job["single"] = json!(is_single);
    }
    Control::with(&restart, |control| {
        job["control"] = json!(control);
        chromium.browse(&format!("copilotkit-stored-{name}"), script, &url, &job).assert_ok();
    });
}

/// The whole conversation, with restarts of servers in the middle of a text, and while a question is open.
fn converse(name: &str, way: Way, in_text: &[&str], in_question: &[&str]) {
    let job = json!({ "inText": in_text, "inQuestion": in_question });
    browse(&need!(CopilotKit::ready()), name, way, "copilotkit-stored.mjs", job);
}

/// The same with the agent's server alone, also by older pages.
fn converse_with_server(name: &str, is_single: bool) {
    for (suffix, copilotkit) in need!(versions::todays_and_older()) {
        let job = json!({ "inText": [], "inQuestion": ["agent"] });
        browse(&copilotkit, &format!("{name}{suffix}"), Way::Server(is_single), "copilotkit-stored.mjs", job);
    }
}

#[test]
fn the_legacy_client_in_the_page() {
    converse("legacy", Way::Direct(Generation::Legacy), &[], &["agent"]);
}

#[test]
fn the_current_client_in_the_page() {
    converse("v1", Way::Direct(Generation::V1), &[], &["agent"]);
}

#[test]
fn the_server_without_a_runtime() {
    converse_with_server("server", false);
}

#[test]
fn the_server_at_one_address() {
    converse_with_server("single", true);
}

#[test]
fn the_runtime_as_it_comes() {
    converse("runtime", Way::Runtime, &[], &["agent"]);
}

#[test]
fn the_runtime_with_a_runner_that_keeps_nothing() {
    converse("runner", Way::Runner, &["runtime"], &["agent", "runtime"]);
}

/// The reason for the runner of the README. If this fails, CopilotKit's runtime has learned to ask its agents.
#[test]
fn the_runtime_as_it_comes_forgets_threads_when_it_is_restarted() {
    browse(&need!(CopilotKit::ready()), "forgets", Way::Runtime, "copilotkit-forgets.mjs", json!({}));
}

#[test]
fn the_runner_of_the_readme_type_checks() {
    let node = need!(Node::ready());
    let copilotkit = need!(CopilotKit::ready());
    let folder = empty("copilotkit-stored/types");
    drop(generated(&built("stored_desk"), &folder));
    let [runner, usage] = runner_of_readme();
    let imports = "import { CopilotRuntime } from \"@copilotkit/runtime/v2\";\n\
                   import { EditorAgent as KeeperAgent } from \"./ts/editor/client.js\";\n\
                   import { ThreadRunner } from \"./runner.js\";\n";
    fs::write(folder.join("runner.ts"), runner).unwrap();
    fs::write(folder.join("serve.ts"), format!("{imports}{usage}export {{ runtime }};\n")).unwrap();
    // `paths` ignore the exports of packages.
    let packages = copilotkit.node_modules();
    let paths = json!({
        "@copilotkit/runtime/v2": [packages.join("@copilotkit/runtime/dist/v2/index.d.mts")],
        "*": [packages.join("*")],
    });
    let _ = node.type_check_with("copilotkit-runner", &paths, &[folder.join("serve.ts")]).assert_success();
}
