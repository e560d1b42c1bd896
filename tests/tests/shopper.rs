//! The agent of the README and the client programs, run as they are.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{
    Conversation, ExampleServer, Generation, Node, Python, Turn, finish, target_dir, workspace_dir,
};
use serde_json::json;

const LIMIT: Duration = Duration::from_secs(60);

fn shopper(path: &str) -> PathBuf {
    workspace_dir().join("examples/shopper").join(path)
}

/// The program with the address of this test's server instead of the README's.
fn addressed(source: &str, server: &ExampleServer) -> String {
    let here = "http://127.0.0.1:8000/";
    assert!(source.contains(here));
    source.replace(here, &format!("{}/", server.url().trim_end_matches('/')))
}

fn scratch(name: &str, text: &str) -> PathBuf {
    let folder = target_dir().join("outside/shopper");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_typescript_program_type_checks_on_both_clients() {
    let node = need!(Node::ready());
    for generation in Generation::ALL {
        drop(node.type_check("shopper", generation, &[shopper("ts/main.ts")]).assert_success());
    }
}

#[test]
fn a_frontend_tool_without_a_handler_does_not_compile() {
    let node = need!(Node::ready());
    let source = fs::read_to_string(shopper("ts/main.ts")).unwrap();
    let handler = source.lines().find(|line| line.contains("checkout:")).unwrap();
    let generated = shopper("ts/agui/shopper/client.js");
    let without =
        source.replace(handler, "").replace("./agui/shopper/client.js", generated.to_str().unwrap());
    let checked = node.type_check("shopper-without", Generation::V1, &[scratch("without.ts", &without)]);
    assert!(!checked.status.success());
    assert!(checked.stdout.contains("Property 'checkout' is missing"), "{checked}");
}

#[test]
fn the_typescript_program_runs() {
    let node = need!(Node::ready());
    let server = ExampleServer::start("shopper");
    let bundle = addressed(&node.bundle(&shopper("ts/main.ts")), &server);
    let finished = finish(node.command(scratch("main.mjs", &bundle)), "", LIMIT).assert_success();
    let said: Vec<_> = finished.stdout.lines().collect();
    assert_eq!(said, ["[] 0", "looking up rice", "[ 'rice' ] 180"], "{finished}");
    assert_eq!(finished.stderr, "");
}

#[test]
fn the_python_program_type_checks() {
    let python = need!(Python::ready());
    drop(python.type_check(&shopper("python"), &["main.py", "agui"]).assert_success());
}

#[test]
fn the_python_program_runs() {
    let python = need!(Python::ready());
    let server = ExampleServer::start("shopper");
    let program = addressed(&fs::read_to_string(shopper("python/main.py")).unwrap(), &server);
    let mut command = python.command(scratch("main.py", &program));
    command.env("PYTHONPATH", shopper("python"));
    let finished = finish(command, "", LIMIT).assert_success();
    let said: Vec<_> = finished.stdout.lines().collect();
    assert_eq!(said, ["[] 0", "['rice'] 180"], "{finished}");
    assert_eq!(finished.stderr, "");
}

#[test]
fn both_generations_of_the_official_client_finish_without_a_warning() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    let server = ExampleServer::start("shopper");
    for generation in Generation::ALL {
        let talk = Conversation::new(server.url(), generation)
            .then(Turn::say("rice"))
            .then(Turn::answer("checkout", json!(true)))
            .then(Turn::say("unobtainium"));
        let report = node.converse(&talk);
        report.assert_clean();
        for turn in &report.turns {
            python.validate_sse(&turn.body).assert_ok();
        }
        assert_eq!(report.turns[2].state, json!({ "items": ["rice", "unobtainium"], "total": 180 }));
    }
}
