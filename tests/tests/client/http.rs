//! The bytes on the wire, and the behaviour with servers that break the rules.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agui_runtime::client::{Accept, ClientError, HttpAgent, Next, RunOutcome, Session, TimedOut};
use agui_runtime::protocol::{Message, RunAgentInput};
use agui_runtime::wire::proto;
use serde_json::json;

use crate::script::{Scripted, Step, head};
use crate::{in_time, lines_of, sse_of};

fn session(server: &Scripted) -> Session {
    Session::new(HttpAgent::new(&server.url).unwrap()).with_fixed_ids("1")
}

const STARTED: &str = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";

#[tokio::test]
async fn a_request_is_what_the_protocol_says() {
    let mut server = Scripted::streaming(sse_of(&lines_of("r", &["Hi"]))).await;
    let agent = HttpAgent::new(&server.url).unwrap();
    let agent = agent.header("Accept", "*/*").unwrap().header("X-Tenant", "six").unwrap();
    let agent = agent.header("X-Tenant", "seven").unwrap();
    let agent = agent.append_header("Via", "1.1 a").unwrap().append_header("via", "1.1 b").unwrap();
    assert!(!format!("{agent:?}").contains("seven"), "{agent:?}");
    let mut session: Session = Session::new(agent).with_fixed_ids("1");
    session.set_state(json!({ "n": null }));
    session.say("Hello");
    assert_eq!(in_time(session.run()).await.unwrap().text(), "Hi");

    let seen = server.asked().await;
    assert!(seen.head.starts_with("POST /agent?key=1 HTTP/1.1\r\n"), "{}", seen.head);
    assert_eq!(seen.header("content-type"), ["application/json"]);
    assert_eq!(seen.header("accept"), ["text/event-stream"]);
    assert_eq!(seen.header("x-tenant"), ["seven"], "said twice, the last counts");
    assert_eq!(seen.header("via"), ["1.1 a", "1.1 b"]);
    let expected = json!({
        "threadId": "thread-1", "runId": "run-1-1", "protocolVersion": "1.1",
        "state": { "n": null }, "tools": [], "context": [], "forwardedProps": {},
        "messages": [{ "id": "message-1-1", "role": "user", "content": "Hello" }],
    });
    assert_eq!(seen.json(), expected);
}

#[tokio::test]
async fn a_body_may_come_byte_by_byte() {
    let body = sse_of(&lines_of("r", &["naïve 🦀\u{2028}", "e\u{301}"])).replace("\n\n", "\r\n\r\n");
    let body = format!("\u{feff}: hello\nevent: x\nid: 7\n{body}");
    let sse = head("200 OK", "content-type: text/event-stream\r\n");
    let server = Scripted::start(vec![vec![Step::Send(sse), Step::Drip(body.into_bytes())]]).await;
    let done = in_time(session(&server).run()).await.unwrap();
    assert_eq!(done.text(), "naïve 🦀\u{2028}\n\ne\u{301}");
    assert!(matches!(done.outcome, RunOutcome::Success { .. }));
}

#[tokio::test]
async fn a_rejection_has_a_status_and_what_the_server_says() {
    let json_type = "content-type: application/json; charset=utf-8\r\n";
    let server = Scripted::answering("422 No", json_type, r#"{"error":{"path":"messages"}}"#).await;
    let error = in_time(session(&server).run()).await.unwrap_err();
    assert_eq!(error.to_string(), r#"the server answered with status 422: {"error":{"path":"messages"}}"#);
    let ClientError::Status { status: 422, json: Some(json), .. } = error else { panic!("{error:?}") };
    assert_eq!(json["error"]["path"], "messages");

    let server = Scripted::answering("500 Oh", "content-type: text/plain\r\n", "out of flour\n").await;
    let error = in_time(session(&server).run()).await.unwrap_err();
    let ClientError::Status { status: 500, body, json: None } = error else { panic!("{error:?}") };
    assert_eq!(body, "out of flour\n");

    let long = "é".repeat(1 << 20);
    let server = Scripted::answering("503 Busy", "", &long).await;
    let error = in_time(session(&server).run()).await.unwrap_err();
    assert!(error.is_worth_another_try() && error.to_string().len() < 600, "{error}");
    let ClientError::Status { body, .. } = error else { panic!("{error:?}") };
    assert_eq!(body.len(), 64 << 10);

    let is_repeated =
        |status| ClientError::Status { status, body: String::new(), json: None }.is_worth_another_try();
    let repeated: Vec<u16> = (100..600).filter(|status| is_repeated(*status)).collect();
    assert_eq!(repeated, [408, 425, 429, 503]);
}

#[tokio::test]
async fn a_run_that_never_ends_is_given_up_at_its_limit() {
    let endless = format!("{STARTED}{}", ": still here\n\n".repeat(10_000));
    let server = Scripted::streaming(&endless).await;
    let agent = HttpAgent::new(&server.url).unwrap().max_run(100_000);
    let error = in_time(Session::<serde_json::Value>::new(agent).run()).await.unwrap_err();
    assert!(matches!(error, ClientError::RunTooLong { limit: 100_000 }), "{error:?}");
    assert_eq!(error.to_string(), "the stream of the run is longer than 100000 bytes");

    let body = sse_of(&lines_of("r", &["Hi"]));
    let server = Scripted::streaming(&body).await;
    let agent = HttpAgent::new(&server.url).unwrap().max_run(body.len());
    assert_eq!(in_time(Session::<serde_json::Value>::new(agent).run()).await.unwrap().text(), "Hi");
}

#[tokio::test]
async fn a_stream_that_just_ends_is_truncated_and_no_success() {
    let html = "<html><body>Please log in</body></html>";
    for (kind, body, said) in [
        (
            "text/event-stream",
            format!("{STARTED}data: {{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\"}}\n\n"),
            1,
        ),
        ("text/event-stream", STARTED.to_owned(), 0),
        ("text/event-stream", String::new(), 0),
        ("text/html", html.to_owned(), 0),
    ] {
        let server = Scripted::answering("200 OK", &format!("content-type: {kind}\r\n"), &body).await;
        let mut session = session(&server);
        let done = in_time(session.run()).await.unwrap();
        assert_eq!((done.outcome, session.messages().len()), (RunOutcome::Truncated, said), "{body}");
    }
}

#[tokio::test]
async fn any_content_type_but_the_binary_one_is_read_as_server_sent_events() {
    for kind in ["text/plain", "application/octet-stream", "application/vnd.ag-ui.event+proto; v=1"] {
        let body = sse_of(&lines_of("r", &["Hi"]));
        let server = Scripted::answering("200 OK", &format!("content-type: {kind}\r\n"), body).await;
        assert_eq!(in_time(session(&server).run()).await.unwrap().text(), "Hi", "{kind}");
    }
}

/// The frames of a run that says `Hi`, and of its end.
fn binary_of(lines: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in lines.lines() {
        proto::encode(&serde_json::from_str(line).unwrap(), &mut bytes).unwrap();
    }
    bytes
}

#[tokio::test]
async fn the_binary_encoding_is_read_where_it_comes_and_asked_for_where_it_is_wanted() {
    let type_of = format!("content-type: {}\r\n", proto::CONTENT_TYPE);
    let bytes = binary_of(&lines_of("r", &["naïve 🦀", ""]));
    let script = vec![Step::Send(head("200 OK", &type_of)), Step::Drip(bytes.clone())];
    let mut server = Scripted::start(vec![script]).await;
    let agent = HttpAgent::new(&server.url).unwrap().accept(Accept::Binary);
    let done = in_time(Session::<()>::new(agent).run()).await.unwrap();
    assert_eq!(done.text(), "naïve 🦀");
    let accepted = server.asked().await;
    assert_eq!(accepted.header("accept"), ["application/vnd.ag-ui.event+proto, text/event-stream"]);

    // A body that is cut off within a frame has no end.
    let server = Scripted::answering("200 OK", &type_of, &bytes[..bytes.len() - 1]).await;
    let mut cut = session(&server);
    let error = in_time(cut.run()).await.unwrap_err();
    assert!(matches!(error, ClientError::Frame(_)), "{error:?}");
    assert_eq!(cut.messages().len(), 2);

    let server = Scripted::answering("200 OK", &type_of, [0, 0, 0, 2, 7, 7]).await;
    let error = in_time(session(&server).run()).await.unwrap_err();
    assert!(matches!(&error, ClientError::Refused(refused) if refused.at() == 0), "{error:?}");
}

#[tokio::test]
async fn servers_of_the_snake_case_dialect_are_asked_and_read_in_it() {
    let body = [
        ("status", json!({ "type": "start", "thread_id": "t" })),
        ("message", json!({ "content": "Hel" })),
        ("message", json!({ "content": "lo" })),
        ("tool_call_start", json!({ "toolCallId": "c", "toolCallName": "price" })),
        ("error", json!({ "type": "error", "message": "never mind" })),
        ("tool_result", json!({ "toolCallId": "c", "content": "180" })),
        ("status", json!({ "type": "complete" })),
    ];
    let body: String = body.iter().map(|(name, data)| format!("event: {name}\ndata: {data}\n\n")).collect();
    let mut server = Scripted::streaming(body).await;
    let agent = HttpAgent::new(&server.url).unwrap().accept(Accept::SnakeCase);
    let mut session: Session = Session::new(agent)
        .with_thread_id("t")
        .with_forwarded_props(json!({ "model_id": "m" }).try_into().unwrap());
    session.say("Hi");
    let done = in_time(session.run()).await.unwrap();
    assert_eq!((done.text().as_str(), done.new_messages.len()), ("Hello", 3));
    assert!(matches!(done.outcome, RunOutcome::Success { .. }));
    let asked =
        json!({ "thread_id": "t", "model_id": "m", "messages": [{ "role": "user", "content": "Hi" }] });
    assert_eq!(server.asked().await.json(), asked);

    let failing =
        "event: message\ndata: {\"content\":\"Hm\"}\n\nevent: error\ndata: {\"message\":\"no flour\"}";
    let server = Scripted::streaming(failing).await;
    let agent = HttpAgent::new(&server.url).unwrap().accept(Accept::SnakeCase);
    let done = in_time(Session::<()>::new(agent).run()).await.unwrap();
    assert_eq!(done.outcome, RunOutcome::Failed { message: "no flour".to_owned(), code: None });
}

#[tokio::test]
async fn events_before_an_unreadable_record_take_effect() {
    let body = "event: message\ndata: {\"content\":\"Hello\"}\n\nevent: message\ndata: {\n\n";
    let server = Scripted::streaming(body).await;
    let mut session: Session = Session::new(HttpAgent::new(&server.url).unwrap().accept(Accept::SnakeCase));
    let error = in_time(session.run()).await.unwrap_err();
    assert!(matches!(error, ClientError::Dialect(_)), "{error}");
    assert_eq!(json!(session.messages())[0]["content"], "Hello");
}

#[tokio::test]
async fn losses_of_the_snake_case_dialect_are_reported_to_the_session() {
    let body = [
        ("message", json!({ "content": "Hello", "mood": "good" })),
        ("status", json!({ "type": "complete" })),
    ];
    let body: String = body.iter().map(|(name, data)| format!("event: {name}\ndata: {data}\n\n")).collect();
    let server = Scripted::streaming(body).await;
    let agent = HttpAgent::new(&server.url).unwrap().accept(Accept::SnakeCase);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    // Through a layer as well, and through a shared upstream.
    let mut session: Session = Session::new(Arc::new(agent))
        .with(|input: RunAgentInput, next: Next| next.open(input))
        .with_forwarded_props(json!({ "model_id": "m", "colour": "red" }).try_into().unwrap())
        .with_warnings(move |warning| log.lock().unwrap().push(warning.path().to_owned()));
    session.say("Hi");
    assert_eq!(in_time(session.run()).await.unwrap().text(), "Hello");
    assert_eq!(*heard.lock().unwrap(), ["/forwardedProps/colour", "/mood"]);
}

#[tokio::test]
async fn success_without_a_stream_is_an_error() {
    let server = Scripted::answering("204 No Content", "", "").await;
    let error = in_time(session(&server).run()).await.unwrap_err();
    assert!(matches!(error, ClientError::NoStream { status: 204 }), "{error:?}");
}

/// Its clock stands still, and jumps to the client's limit, once the server has sent all that it ever will: before, it would
/// jump to the limit of connecting too.
#[tokio::test]
async fn a_rejection_that_never_ends_is_a_rejection() {
    let rejecting = head("500 Internal Server Error", "content-length: 1000\r\n");
    let mut server =
        Scripted::start(vec![vec![Step::Send(rejecting), Step::Send(b"no flour".to_vec()), Step::UntilLeft]])
            .await;
    let mut session = session(&server);
    let sent = async {
        server.asked().await;
        server.waits().await;
        tokio::time::pause();
        tokio::time::Instant::now()
    };
    let (sent, error) = tokio::join!(sent, session.run());
    assert!(sent.elapsed() > Duration::from_secs(5), "{:?}", sent.elapsed());
    let error = error.unwrap_err();
    assert!(matches!(&error, ClientError::Status { status: 500, .. }), "{error:?}");
}

#[tokio::test]
async fn a_cut_connection_keeps_what_has_come() {
    let chunked = head("200 OK", "content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n");
    let event = format!(
        "{STARTED}data: {{\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m\",\"delta\":\"Hal\"}}\n\n"
    );
    let chunk = format!("{:x}\r\n{event}\r\n", event.len());
    let server = Scripted::start(vec![vec![Step::Send(chunked), Step::Send(chunk.into_bytes())]]).await;
    let mut session = session(&server);
    let error = in_time(session.run()).await.unwrap_err();
    assert!(matches!(error, ClientError::Network(_)), "{error:?}");
    assert!(!error.to_string().contains("key=1"), "no address, it may hold secrets: {error}");
    let [Message::Assistant(message)] = session.messages() else { panic!("{:?}", session.messages()) };
    assert_eq!(message.content.as_deref(), Some("Hal"));
}

#[tokio::test]
async fn a_stream_is_refused_at_the_event_that_is_wrong() {
    let rows = [
        ("data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\"}\n\n", "S_MALFORMED"),
        ("data: [DONE]\n\n", "S_NOT_JSON"),
        ("data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m\"}\n\n", "V_TEXT_END_NOT_OPEN"),
    ];
    for (wrong, code) in rows {
        let body = format!("{STARTED}data: {{\"type\":\"STATE_SNAPSHOT\",\"snapshot\":7}}\n\n{wrong}");
        let server = Scripted::streaming(body).await;
        let mut session = session(&server);
        let error = in_time(session.run()).await.unwrap_err();
        let ClientError::Refused(refused) = &error else { panic!("{error:?}") };
        assert_eq!(refused.at(), 2, "{error}");
        assert_eq!(refused.code(), code, "{error}");
        assert_eq!(session.state_value(), &json!(7));
    }
}

#[tokio::test]
async fn run_error_is_an_ordinary_end() {
    let body =
        format!("{STARTED}data: {{\"type\":\"RUN_ERROR\",\"message\":\"no flour\",\"code\":\"STOCK\"}}\n\n");
    let server = Scripted::streaming(body).await;
    let done = in_time(session(&server).run()).await.unwrap();
    let failed = RunOutcome::Failed { message: "no flour".to_owned(), code: Some("STOCK".to_owned()) };
    assert_eq!(done.outcome, failed);
}

#[tokio::test]
async fn one_event_has_its_limit() {
    let server = Scripted::streaming(format!("{STARTED}data: {}", "x".repeat(5000))).await;
    let agent = HttpAgent::new(&server.url).unwrap().max_frame(4096);
    let error = in_time(Session::<()>::new(agent).run()).await.unwrap_err();
    assert!(matches!(error, ClientError::TooLong(_)), "{error:?}");
}

#[tokio::test]
async fn every_wait_of_the_client_has_a_time_limit() {
    let short = Duration::from_millis(60);
    let silent = Scripted::start(vec![vec![Step::UntilLeft]]).await;
    let agent = HttpAgent::new(&silent.url).unwrap().idle_timeout(short);
    let error = in_time(Session::<()>::new(agent).run()).await.unwrap_err();
    assert!(matches!(error, ClientError::Timeout { waited_for: TimedOut::NextBytes, .. }), "{error:?}");

    let sse = head("200 OK", "content-type: text/event-stream\r\n");
    let mut script = vec![Step::Send(sse), Step::Send(STARTED.into())];
    for _ in 0..200 {
        script.extend([Step::Wait(short / 10), Step::Send(b": still here\n\n".to_vec())]);
    }
    let slow = Scripted::start(vec![script]).await;
    let agent = HttpAgent::new(&slow.url).unwrap().idle_timeout(short * 50).run_timeout(short * 2);
    let begun = Instant::now();
    let error = in_time(Session::<()>::new(agent).run()).await.unwrap_err();
    assert!(matches!(error, ClientError::Timeout { waited_for: TimedOut::WholeRun, .. }), "{error:?}");
    assert!(begun.elapsed() >= short * 2, "{:?}", begun.elapsed());

    let served = Scripted::streaming(crate::sse_of(&crate::lines_of("r", &["Hi"]))).await;
    let ever = Duration::MAX;
    let agent = HttpAgent::new(&served.url).unwrap().idle_timeout(ever).run_timeout(ever);
    assert_eq!(in_time(Session::<()>::new(agent).run()).await.unwrap().text(), "Hi");
}

#[tokio::test]
async fn a_missing_server_is_reported_as_such() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = in_time(Session::<()>::new(HttpAgent::new(url).unwrap()).run()).await.unwrap_err();
    assert!(matches!(error, ClientError::Connect(_)) && error.is_worth_another_try(), "{error:?}");
    for url in ["ftp://127.0.0.1/", "127.0.0.1", ""] {
        assert!(matches!(HttpAgent::new(url), Err(ClientError::Url { .. })), "{url}");
    }
}

#[tokio::test]
async fn dropping_a_turn_hangs_up() {
    let sse = head("200 OK", "content-type: text/event-stream\r\n");
    let mut server =
        Scripted::start(vec![vec![Step::Send(sse), Step::Send(STARTED.into()), Step::UntilLeft]]).await;
    let mut session = session(&server);
    let mut turn = session.start();
    assert!(in_time(turn.next()).await.unwrap().is_some());
    server.asked().await;
    drop(turn);
    server.left().await;
}
