//! The agent of the README and the client programs, run as they are.

use agui_tests::need;
use agui_tests::outside::{ClientPrograms, Conversation, ExampleServer, Generation, Node, Python, Turn};
use serde_json::json;

const SHOPPER: ClientPrograms = ClientPrograms("shopper");

#[test]
fn the_typescript_program_type_checks_on_both_clients() {
    let node = need!(Node::ready());
    SHOPPER.assert_typescript_checks(&node);
}

#[test]
fn a_frontend_tool_without_a_handler_does_not_compile() {
    let node = need!(Node::ready());
    let checked = SHOPPER.type_check_with(&node, "  checkout: ({ total }) => total < 1000, //", "  //");
    assert!(!checked.status.success());
    assert!(checked.stdout.contains("Property 'checkout' is missing"), "{checked}");
}

#[test]
fn the_typescript_program_runs() {
    let node = need!(Node::ready());
    let server = ExampleServer::start("shopper");
    let finished = SHOPPER.run_typescript(&node, Generation::V1, &server);
    let said: Vec<_> = finished.stdout.lines().collect();
    assert_eq!(said, ["[] 0", "looking up rice", "[ 'rice' ] 180"], "{finished}");
    assert_eq!(finished.stderr, "");
}

#[test]
fn the_python_program_type_checks() {
    let python = need!(Python::ready());
    SHOPPER.assert_python_checks(&python);
}

#[test]
fn the_python_program_runs() {
    let python = need!(Python::ready());
    let server = ExampleServer::start("shopper");
    let finished = SHOPPER.run_python(&python, &server);
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
