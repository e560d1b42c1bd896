//! The errors of a whole program, in its terminal and at its clients.

use std::process::Command;
use std::time::{Duration, Instant};

use agui_tests::http::Request;
use agui_tests::outside::ExampleServer;
use serde_json::Value;

use crate::kitchen::asking;

const LIMIT: Duration = Duration::from_secs(20);

const TOOL: &str = "the till does not open: key 4711\\nis \\u{1b}[31mlost";
const RUN: &str = "the till does not open: the door jams";

fn start(arguments: &[&str], variables: &[(&str, &str)]) -> ExampleServer {
    let mut program = Command::new(env!("CARGO_BIN_EXE_failing"));
    program.args(arguments).env_remove("RUST_LOG").envs(variables.iter().copied());
    ExampleServer::spawn("failing", program, LIMIT).unwrap()
}

async fn ask(server: &ExampleServer, wish: &str) -> Vec<Value> {
    let address = server.url().strip_prefix("http://").unwrap().parse().unwrap();
    Request::run("/", asking(wish).to_string()).send(address).await.events()
}

/// Waits for a line of standard error with all of these texts.
async fn line(server: &ExampleServer, texts: &[&str]) -> String {
    let start = Instant::now();
    loop {
        let output = server.output();
        let found = output
            .lines()
            .find(|line| line.starts_with("err: ") && texts.iter().all(|text| line.contains(text)));
        if let Some(line) = found {
            return line.to_owned();
        }
        assert!(start.elapsed() < LIMIT, "no line with {texts:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_program_without_a_log_says_what_went_wrong() {
    for arguments in [&[][..], &["router"]] {
        let server = start(arguments, &[]);
        ask(&server, "open").await;
        let tool = line(&server, &["ERROR", "tool failed", "tool=\"open_till\"", "run_id=r-1", TOOL]).await;
        assert!(!tool.contains('\u{1b}'), "{tool}");
        ask(&server, "close").await;
        line(&server, &["ERROR", "run failed", "run_id=r-1", "thread_id=", RUN]).await;
        let errors = server.output().lines().filter(|line| line.starts_with("err: ")).count();
        assert_eq!(errors, 2, "{}", server.output());
    }
}

#[tokio::test]
async fn a_request_that_is_no_run_begins_the_log_too() {
    let server = start(&["router"], &[("RUST_LOG", "loud?")]);
    let address = server.url().strip_prefix("http://").unwrap().parse().unwrap();
    Request::new("GET", "/nowhere").send(address).await;
    line(&server, &["WARN", "RUST_LOG has parts that name no level", "unread=loud?"]).await;
}

#[tokio::test]
async fn a_log_of_the_program_is_the_only_one() {
    for name in ["own", "late"] {
        let server = start(&[name], &[]);
        ask(&server, "open").await;
        // As that log writes it: without escapes.
        line(&server, &["ERROR", "tool failed", "the till does not open: key 4711"]).await;
        line(&server, &["the log of the program", name]).await;
        let output = server.output();
        assert_eq!(output.matches("tool failed").count(), 1, "{output}");
    }
}

#[tokio::test]
async fn the_environment_chooses_the_levels() {
    let quiet = start(&[], &[("RUST_LOG", "off")]);
    ask(&quiet, "open").await;
    let loud = start(&[], &[("RUST_LOG", "warn,agui_runtime=trace")]);
    ask(&loud, "open").await;
    line(&loud, &["tool failed"]).await;
    let ours = start(&[], &[("RUST_LOG", "agui_runtime=warn")]);
    ask(&ours, "open").await;
    line(&ours, &["tool failed"]).await;
    assert!(!quiet.output().contains("err: "), "{}", quiet.output());
}

#[tokio::test]
async fn a_debug_build_on_this_machine_tells_its_clients_too() {
    let here = start(&[], &[]);
    let elsewhere = start(&["router"], &[]);
    for (server, is_told) in [(&here, true), (&elsewhere, false)] {
        let told = is_told && cfg!(debug_assertions);
        let end = ask(server, "close").await.pop().unwrap();
        let expected = if told { RUN } else { "the agent failed (run r-1)" };
        assert_eq!((end["type"].as_str(), end["message"].as_str()), (Some("RUN_ERROR"), Some(expected)));
        let events = ask(server, "open").await;
        let result = events.iter().find(|event| event["type"] == "TOOL_CALL_RESULT").unwrap();
        assert_eq!(result["content"].as_str().unwrap().contains("key 4711"), told, "{result}");
    }
}
