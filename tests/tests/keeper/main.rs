//! An agent with questions, and generated clients that answer, from `examples/keeper`.

mod forged;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{
    Conversation, ExampleServer, Generation, Node, Python, Turn, finish, target_dir, workspace_dir,
};
use serde_json::json;

const LIMIT: Duration = Duration::from_secs(60);

fn keeper(path: &str) -> PathBuf {
    workspace_dir().join("examples/keeper").join(path)
}

/// The program with the address of this test's server instead of the example's.
fn addressed(source: &str, server: &ExampleServer) -> String {
    let here = "http://127.0.0.1:8000/";
    assert!(source.contains(here));
    source.replace(here, &format!("{}/", server.url().trim_end_matches('/')))
}

fn scratch(name: &str, text: &str) -> PathBuf {
    let folder = target_dir().join("outside/keeper");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_typescript_program_type_checks_on_both_clients() {
    let node = need!(Node::ready());
    for generation in Generation::ALL {
        drop(node.type_check("keeper", generation, &[keeper("ts/main.ts")]).assert_success());
    }
}

#[test]
fn an_answer_of_another_type_does_not_compile() {
    let node = need!(Node::ready());
    let source = fs::read_to_string(keeper("ts/main.ts")).unwrap();
    let right = "{ approved: path !== \"notes.txt\" }";
    assert!(source.contains(right));
    let generated = keeper("ts/agui/keeper/client.js");
    let wrong = source
        .replace(right, "{ approved: \"yes\" }")
        .replace("./agui/keeper/client.js", generated.to_str().unwrap());
    let checked = node.type_check("keeper-wrong", Generation::V1, &[scratch("wrong.ts", &wrong)]);
    assert!(!checked.status.success());
    assert!(checked.stdout.contains("Type 'string' is not assignable to type 'boolean'"), "{checked}");
}

#[test]
fn the_typescript_program_runs_on_both_clients() {
    let node = need!(Node::ready());
    let server = ExampleServer::start("keeper");
    let bundle = addressed(&node.bundle(&keeper("ts/main.ts")), &server);
    let legacy = bundle.replace("\"@ag-ui/client\"", "\"ag-ui-client-legacy\"");
    assert_ne!(bundle, legacy);
    for (name, program) in [("main.mjs", bundle), ("legacy.mjs", legacy)] {
        let finished = finish(node.command(scratch(name, &program)), "", LIMIT).assert_success();
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
    drop(python.type_check(&keeper("python"), &["main.py", "agui"]).assert_success());
}

#[test]
fn the_python_program_runs() {
    let python = need!(Python::ready());
    let server = ExampleServer::start("keeper");
    let program = addressed(&fs::read_to_string(keeper("python/main.py")).unwrap(), &server);
    let mut command = python.command(scratch("main.py", &program));
    command.env("PYTHONPATH", keeper("python"));
    let finished = finish(command, "", LIMIT).assert_success();
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
