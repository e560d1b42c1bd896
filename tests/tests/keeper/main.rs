//! An agent with questions, and generated clients that answer, from `examples/keeper`.

mod forged;

use agui_tests::need;
use agui_tests::outside::{ClientPrograms, Conversation, ExampleServer, Generation, Node, Python, Turn};
use serde_json::json;

const KEEPER: ClientPrograms = ClientPrograms("keeper");

#[test]
fn the_typescript_program_type_checks_on_both_clients() {
    let node = need!(Node::ready());
    KEEPER.assert_typescript_checks(&node);
}

#[test]
fn an_answer_of_another_type_does_not_compile() {
    let node = need!(Node::ready());
    let checked =
        KEEPER.type_check_with(&node, "{ approved: path !== \"notes.txt\" }", "{ approved: \"yes\" }");
    assert!(!checked.status.success());
    assert!(checked.stdout.contains("Type 'string' is not assignable to type 'boolean'"), "{checked}");
}

#[test]
fn the_typescript_program_runs_on_both_clients() {
    let node = need!(Node::ready());
    let server = ExampleServer::start("keeper");
    for generation in Generation::ALL {
        let finished = KEEPER.run_typescript(&node, generation, &server);
        let said: Vec<_> = finished.stdout.lines().collect();
        assert_eq!(
            said,
            [
                "Delete it for good? old.txt 0",
                "Delete it for good? notes.txt 0",
                "Delete it for good? draft.txt 0",
                "[ 'deleted old.txt' ]",
            ],
            "{finished}"
        );
        assert_eq!(finished.stderr, "");
    }
}

#[test]
fn the_python_program_type_checks() {
    let python = need!(Python::ready());
    KEEPER.assert_python_checks(&python);
}

#[test]
fn the_python_program_runs() {
    let python = need!(Python::ready());
    let server = ExampleServer::start("keeper");
    let finished = KEEPER.run_python(&python, &server);
    let said: Vec<_> = finished.stdout.lines().collect();
    assert_eq!(
        said,
        [
            "None",
            "Delete it for good? old.txt 0",
            "Delete it for good? notes.txt 0",
            "Delete it for good? draft.txt 0",
            "['deleted older.txt']",
        ],
        "{finished}"
    );
    assert!(finished.stderr.contains("cancelled: the user has left"), "{finished}");
}

#[test]
fn both_generations_of_the_official_client_finish_without_a_warning() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    let server = ExampleServer::start("keeper");
    for generation in Generation::ALL {
        let talk = Conversation::new(server.url(), generation)
            .then(Turn::say("old.txt notes.txt"))
            .then(Turn::resume("resolved", Some(json!({"approved": true}))));
        let report = node.converse(&talk);
        report.assert_clean();
        // The second run answers calls of the first, which this validator does not know.
        python.validate_sse(&report.turns[0].body).assert_ok();
        assert!(report.turns[1].body.contains("deleted notes.txt"), "{}", report.turns[1].body);
    }
}
