//! The requests of the page: the lines about a run and about a recording, the refusals, the files and their policy.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests")]

use agui_inspector::{Agent, Agents, Mounted};
use agui_runtime::Server;
use agui_runtime::client::{ClientError, Frame, Frames, Replay, Upstream};
use agui_runtime::prelude::*;
use agui_runtime::protocol::RunAgentInput;
use axum::Router;
use axum::body::{Body, to_bytes};
use futures::{StreamExt as _, stream};
use http::{Request, Response, StatusCode, header};
use serde_json::{Value, json};
use tower_service::Service as _;

const STARTED: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#;
const FINISHED: &str = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;

/// Greets.
#[agent]
async fn greeter(run: &mut Run<Greeter>, input: Input<Greeter>) -> Result<(), Stop> {
    run.say(format!("Hello {}", input.user_text().unwrap_or_default())).await;
    Ok(())
}

fn page(upstream: impl Upstream) -> Router {
    agui_inspector::routes(Agents::new([Agent::new("/agent", upstream)]))
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

async fn send(mut page: Router, request: Request<Body>) -> (Response<()>, String) {
    let (head, body) = page.call(request).await.unwrap().into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    (Response::from_parts(head, ()), String::from_utf8(body.to_vec()).unwrap())
}

fn post(path: &str, kind: &str, body: impl Into<Body>) -> Request<Body> {
    let request = Request::post(path).header(header::CONTENT_TYPE, kind).header(header::HOST, "127.0.0.1:1");
    request.body(body.into()).unwrap()
}

fn run_request(agent: &str, input: &Value) -> Request<Body> {
    post("/inspector/run", "application/json", json!({ "agent": agent, "input": input }).to_string())
}

fn input() -> Value {
    json!({ "threadId": "t", "runId": "r", "protocolVersion": "1.0", "messages": [{ "id": "1", "role": "user", "content": "Ada" }] })
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The lines about an answer with these frames.
fn judged(frames: &[&str]) -> Vec<Value> {
    let frames: Vec<_> = frames.iter().map(|frame| (*frame).to_owned()).collect();
    let upstream = move |_: RunAgentInput| -> Frames {
        stream::iter(frames.clone().into_iter().map(|frame| Ok(Frame::from(frame)))).boxed()
    };
    let (head, text) = block_on(send(page(upstream), run_request("/agent", &input())));
    assert_eq!(head.status(), StatusCode::OK, "{text}");
    lines(&text)
}

/// The levels and codes of the findings about each event.
fn findings(lines: &[Value]) -> Vec<Vec<String>> {
    let events = lines.iter().filter(|line| line["kind"] == "event");
    let named = |finding: &Value| {
        format!("{} {}", finding["level"].as_str().unwrap(), finding["code"].as_str().unwrap())
    };
    events.map(|event| event["findings"].as_array().unwrap().iter().map(named).collect()).collect()
}

#[test]
fn a_run_of_this_program_is_shown_event_by_event() {
    let router = Server::new().agent("/agent", Greeter::new()).router().unwrap();
    let (head, text) = block_on(send(page(Mounted::new(router, "/agent")), run_request("/agent", &input())));
    assert_eq!(head.headers()[header::CONTENT_TYPE], "application/x-ndjson");
    let lines = lines(&text);
    let texts = lines.iter().filter_map(|line| line["text"].as_str());
    let types: Vec<_> =
        texts.map(|text| serde_json::from_str::<Value>(text).unwrap()["type"].clone()).collect();
    assert_eq!(
        types,
        ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"]
    );
    for event in &lines[..5] {
        assert_eq!(event["findings"], json!([]), "{event}");
        assert_eq!(event["bytes"], event["text"].as_str().unwrap().len());
        assert!(event["at"].as_f64().unwrap() >= 0.0);
    }
    let end = &lines[5];
    assert_eq!((&end["kind"], &end["outcome"]), (&json!("end"), &json!("complete")));
    let messages: Value = serde_json::from_str(end["messages"].as_str().unwrap()).unwrap();
    assert_eq!(messages[1]["content"], "Hello Ada");
}

#[test]
fn the_verifier_speaks_about_each_event() {
    let lines = judged(&[STARTED, r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#, FINISHED]);
    assert_eq!(findings(&lines)[0], [""; 0]);
    assert!(findings(&lines)[1][0].starts_with("refused V_"), "{lines:?}");
    assert_eq!(findings(&lines)[2], ["unread UNREAD"]);
    assert_eq!(lines[3]["outcome"], "refused");
    // Findings count events as the list does: from 1.
    let text = |line: &Value| line["findings"][0]["text"].as_str().unwrap().to_owned();
    assert!(text(&lines[1]).starts_with("event 2, TEXT_MESSAGE_END"), "{}", text(&lines[1]));
    assert!(text(&lines[2]).ends_with("at event 2"), "{}", text(&lines[2]));
    assert!(lines[3]["error"]["text"].as_str().unwrap().starts_with("event 2, "), "{}", lines[3]);
    // A chunk becomes two events, and is one row.
    let chunk = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#;
    let lines = judged(&[STARTED, chunk, r#"{"type":"STEP_FINISHED","stepName":"s"}"#, FINISHED]);
    assert!(text(&lines[2]).starts_with("event 3, STEP_FINISHED"), "{}", text(&lines[2]));
    let lines = judged(&[STARTED, r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"Hi"}"#, FINISHED]);
    assert!(text(&lines[1]).starts_with("event 2: "), "{}", text(&lines[1]));

    let lines = judged(&[STARTED, "{\"type\": <b>", FINISHED]);
    assert!(findings(&lines)[1][0].starts_with("refused "), "{lines:?}");
    assert!(text(&lines[1]).starts_with("event 2: "), "{}", text(&lines[1]));

    let lines = judged(&[
        STARTED,
        r#"{"type":"MOOD"}"#,
        r#"{"type":"CUSTOM","name":"x","value":1,"mood":2}"#,
        FINISHED,
    ]);
    assert_eq!(findings(&lines)[1..3], [["warning NOT_1_0"], ["warning NOT_1_0"]]);

    // A run that answers another input: clients accept it, the specification does not.
    let lines = judged(&[&STARTED.replace("\"r\"", "\"other\""), &FINISHED.replace("\"r\"", "\"other\"")]);
    assert!(findings(&lines)[0][0].starts_with("spec "), "{lines:?}");
    assert_eq!(lines[2]["outcome"], "complete");
}

#[test]
fn chunks_are_shown_with_the_events_that_a_client_reads() {
    let lines = judged(&[STARTED, r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#, FINISHED]);
    assert_eq!(lines[0]["becomes"], json!([]));
    assert_eq!(lines[1]["becomes"], json!(["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]));
    assert_eq!(lines[2]["becomes"], json!(["TEXT_MESSAGE_END", "RUN_FINISHED"]));
}

#[test]
fn a_stream_that_stops_is_no_success() {
    let lines = judged(&[STARTED]);
    assert_eq!(lines[1]["outcome"], "truncated");
    assert_eq!(lines[1]["error"]["code"], "SPEC_TRUNCATED");

    let broken = |_: RunAgentInput| -> Frames {
        let frames = [Ok(Frame::from(STARTED.to_owned())), Err(ClientError::NoStream { status: 204 })];
        stream::iter(frames).boxed()
    };
    let (_, text) = block_on(send(page(broken), run_request("/agent", &input())));
    let end = &lines_of_end(&text);
    assert_eq!(end["outcome"], "broken");
    assert!(end["error"]["text"].as_str().unwrap().contains("204"), "{end}");
}

fn lines_of_end(text: &str) -> Value {
    lines(text).pop().unwrap()
}

#[test]
fn long_events_are_cut_and_endless_streams_stopped() {
    let long = format!(r#"{{"type":"CUSTOM","name":"x","value":"{}"}}"#, "ü".repeat(1 << 20));
    let lines = judged(&[STARTED, &long, FINISHED]);
    assert_eq!((&lines[1]["isCut"], &lines[1]["bytes"]), (&json!(true), &json!(long.len())));
    assert!(lines[1]["text"].as_str().unwrap().len() <= 1 << 20);
    assert_eq!(lines[3]["outcome"], "complete");

    let endless = move |_: RunAgentInput| -> Frames {
        let long = long.clone();
        let first = stream::iter([Ok(Frame::from(STARTED.to_owned()))]);
        let long = long.clone();
        first.chain(stream::repeat_with(move || Ok(Frame::from(long.clone())))).boxed()
    };
    let (_, text) = block_on(send(page(endless), run_request("/agent", &input())));
    assert_eq!(lines_of_end(&text)["error"]["code"], "too_long");
}

#[test]
fn recordings_are_read_as_lines_and_as_server_sent_events() {
    let recorded = format!("{STARTED}\n\n{FINISHED}\n");
    let streamed = format!("data: {STARTED}\n\ndata: {FINISHED}");
    for text in [recorded, streamed] {
        let request = post("/inspector/read", "text/plain", text.clone());
        let (_, answer) = block_on(send(page(Replay::default()), request));
        let lines = lines(&answer);
        assert_eq!(lines.len(), 3, "{text}: {answer}");
        assert_eq!((&lines[0]["text"], &lines[0]["at"]), (&json!(STARTED), &Value::Null));
        assert_eq!(lines[2]["outcome"], "complete");
    }
}

#[test]
fn only_the_named_agents_are_run_and_only_with_an_input() {
    let rows = [
        (run_request("http://10.0.0.1/", &input()), StatusCode::NOT_FOUND, "unknown_agent"),
        (run_request("/agent", &json!({ "threadId": 1 })), StatusCode::UNPROCESSABLE_ENTITY, "threadId"),
    ];
    for (request, status, word) in rows {
        let (head, text) = block_on(send(page(Replay::default()), request));
        assert_eq!(head.status(), status, "{text}");
        assert!(text.contains(word), "{text}");
    }
    let mut foreign = run_request("/agent", &input());
    foreign.headers_mut().insert(header::ORIGIN, "http://127.0.0.1:2".parse().unwrap());
    let (head, _) = block_on(send(page(Replay::default()), foreign));
    assert_eq!(head.status(), StatusCode::FORBIDDEN);
}

#[test]
fn every_file_has_the_policy_and_no_file_names_another_host() {
    let html = block_on(send(page(Replay::default()), Request::get("/").body(Body::empty()).unwrap())).1;
    let quoted = html.split('"').filter(|text| text.starts_with("/inspector/"));
    let mut next: Vec<_> = quoted.map(str::to_owned).collect();
    next.push("/".to_owned());
    let mut seen: Vec<String> = Vec::new();
    while let Some(path) = next.pop() {
        if seen.contains(&path) {
            continue;
        }
        let request = Request::get(path.as_str()).body(Body::empty()).unwrap();
        let (head, text) = block_on(send(page(Replay::default()), request));
        assert_eq!(head.status(), StatusCode::OK, "{path}");
        let policy = head.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(
            policy.contains("require-trusted-types-for 'script'") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert!(!text.replace("http://www.w3.org/2000/svg", "").contains("http://"), "{path}");
        assert!(!text.contains("https://") && !text.contains("innerHTML"), "{path}");
        // The modules that a script imports.
        let imports = text.split("from \"./").skip(1).chain(text.split("import \"./").skip(1));
        next.extend(imports.filter_map(|rest| Some(format!("/inspector/{}", rest.split('"').next()?))));
        seen.push(path);
    }
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/web")).unwrap().count();
    assert_eq!(seen.len(), files, "a file of the page is not used: {seen:?}");
}
