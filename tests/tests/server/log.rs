//! Text from a client is escaped and bounded in the log: it cannot forge a line or control a terminal.

use agui_runtime::Server;
use agui_tests::http::Request;
use agui_tests::log::Log;
use serde_json::{Value, json};
use tracing::Level;

use crate::kitchen::{Cook, Served, asking};

const FORGED: &str = "t\r\n2026-01-01 ERROR forged\u{1b}[31m\u{9b}2J\u{2028}";

fn run(input: &Value) -> Request {
    Request::run("/", input.to_string())
}

fn assert_harmless(lines: &[String]) {
    for line in lines {
        let obeyed = |letter: char| letter.is_control() || ('\u{2028}'..='\u{202e}').contains(&letter);
        assert!(!line.contains(obeyed), "{line:?}");
        assert!(line.len() < 2_000, "{} bytes: {}", line.len(), &line[..200]);
    }
}

#[tokio::test]
async fn ids_and_versions_of_a_client_forge_nothing_in_the_log() {
    let (log, _recording) = Log::record(Level::TRACE);
    let served = Served::start(Server::new().agent("/", Cook::new().0)).await;
    let long = "x".repeat(100_000);
    for (thread, run_id, version) in
        [(FORGED, "r", "1.0"), ("t", FORGED, "1.0"), (&*long, &*long, "1.0"), ("t", "r", FORGED)]
    {
        for wish in ["who", "fail", "panic", "nonsense"] {
            let mut input = asking(wish);
            (input["threadId"], input["runId"]) = (json!(thread), json!(run_id));
            input["protocolVersion"] = json!(version);
            drop(run(&input).send(served.address).await.events());
        }
    }
    let outdated = Request::new("GET", "/capabilities").header("x-agui-manifest", &"y".repeat(5_000));
    outdated.send(served.address).await;
    let lines = log.take();
    assert_harmless(&lines);
    let logged = |text: &str| lines.iter().any(|line| line.contains(text));
    assert!(
        logged(r"gen_ai.conversation.id=t\r\n2026-01-01 ERROR forged\u{1b}[31m\u{9b}2J\u{2028} "),
        "{lines:#?}"
    );
    assert!(logged(r"agui.run.id=t\r\n2026-01-01 ERROR forged"), "{lines:#?}");
    assert!(logged(&format!("gen_ai.conversation.id={}… ", "x".repeat(200))), "{lines:#?}");
}

#[tokio::test]
async fn the_run_id_of_a_failure_is_quoted_to_the_client_too() {
    let served = Served::cook().await;
    let mut input = asking("panic");
    input["runId"] = json!("x".repeat(100_000));
    let events = run(&input).send(served.address).await.events();
    let message = events[1]["message"].as_str().unwrap();
    assert_eq!(message, format!("the agent panicked (run {}…)", "x".repeat(200)));
}

#[tokio::test]
async fn a_server_reveals_errors_where_that_is_asked_for() {
    for (revealing, expected) in
        [(false, "the agent panicked (run r-1)"), (true, "the agent panicked: deliberate")]
    {
        let served = Served::start(Server::new().agent("/", Cook::new().0).reveal_errors(revealing)).await;
        let events = run(&asking("panic")).send(served.address).await.events();
        assert_eq!(events[1]["message"], expected);
    }
}
