//! Providers that fail: each failure has its type, and one that may pass is tried again before anything was streamed.

use std::time::{Duration, Instant};

use agui_runtime::model::{ChatModel as _, ModelError};
use agui_runtime::provider::ModelOptions;
use serde_json::json;

use crate::frames::{Said, opened, turn};
use crate::server::{Answer, DIALECTS, Server, prompt, quick, read};

fn hello(dialect: &str) -> Answer {
    Answer::frames(turn(dialect, &[Said::Text("Hello.".into())]))
}

fn error_of(answer: Answer) -> ModelError {
    let server = Server::start([answer]);
    read(&server.model("openai-chat:m"), &prompt()).error.expect("a failure")
}

#[test]
fn a_status_has_its_type() {
    let body = |message: &str| json!({ "error": { "message": message } }).to_string();
    let error = error_of(Answer::status(401, "", &body("wrong key")));
    assert!(matches!(&error, ModelError::Unauthorized(why) if why == "wrong key"), "{error:?}");
    let error = error_of(Answer::status(429, "retry-after: 7\r\n", &body("slow down")));
    let ModelError::RateLimited { retry_after, .. } = error else { panic!("{error:?}") };
    assert_eq!(retry_after, Some(Duration::from_secs(7)));
    let error = error_of(Answer::status(503, "retry-after-ms: 1500\r\n", "busy"));
    let ModelError::Overloaded { retry_after, .. } = error else { panic!("{error:?}") };
    assert_eq!(retry_after, Some(Duration::from_millis(1500)));
    let long = json!({ "error": { "code": "context_length_exceeded", "message": "too much" } });
    assert!(matches!(error_of(Answer::status(400, "", &long.to_string())), ModelError::TooLong(_)));
    let error = error_of(Answer::status(400, "", &body("prompt is too long: 9 tokens > 8 maximum")));
    assert!(matches!(error, ModelError::TooLong(_)), "{error:?}");
    let error = error_of(Answer::status(404, "", &body("no such model")));
    assert!(
        matches!(&error, ModelError::Refused { status: 404, message } if message == "no such model"),
        "{error:?}"
    );
    // Gemini's errors may stand in a list.
    let error = error_of(Answer::status(400, "", r#"[{"error":{"message":"odd"}}]"#));
    assert!(matches!(&error, ModelError::Refused { message, .. } if message == "odd"), "{error:?}");
}

/// `@copilotkit/aimock` cuts streams off, but reports no error after their beginning.
#[test]
fn an_error_in_the_middle_of_a_stream_has_its_type() {
    for (dialect, frame) in DIALECTS.into_iter().zip([
        json!({ "error": { "message": "busy", "type": "server_error" } }),
        json!({ "type": "error", "code": "server_error", "message": "busy" }),
        json!({ "type": "error", "error": { "type": "overloaded_error", "message": "busy" } }),
        json!({ "error": { "code": 503, "message": "busy", "status": "UNAVAILABLE" } }),
    ]) {
        let mut frames = opened(dialect, &[Said::Text("Once".into())]);
        frames.push(frame.to_string());
        let server = Server::start([Answer::frames(frames), hello(dialect)]);
        let read = read(&server.model(dialect).options(ModelOptions { retries: 2, ..quick() }), &prompt());
        assert!(matches!(read.error, Some(ModelError::Overloaded { .. })), "{dialect}: {read:?}");
        // A streamed text cannot be taken back.
        assert_eq!((read.lines(), server.requests().len()), (vec!["text Once".to_owned()], 1), "{dialect}");
    }
}

#[test]
fn a_failure_that_may_pass_is_tried_again_before_anything_was_streamed() {
    for dialect in DIALECTS {
        let busy = Answer::status(503, "", "busy");
        let limited = Answer::status(429, "retry-after-ms: 10\r\n", "slow down");
        let server = Server::start([busy, limited, hello(dialect)]);
        let began = Instant::now();
        let read = read(&server.model(dialect).options(ModelOptions { retries: 2, ..quick() }), &prompt());
        assert!(read.error.is_none(), "{dialect}: {read:?}");
        assert_eq!((read.lines().len(), server.requests().len()), (2, 3), "{dialect}");
        assert!(began.elapsed() >= Duration::from_millis(250), "{dialect}");
    }
}

#[test]
fn a_reported_failure_before_anything_was_streamed_is_tried_again() {
    let busy = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "busy" } });
    let server = Server::start([Answer::frames([busy.to_string()]), hello("anthropic:m")]);
    let read = read(&server.model("anthropic:m").options(ModelOptions { retries: 1, ..quick() }), &prompt());
    assert_eq!(
        (read.lines(), server.requests().len()),
        (vec!["text Hello.".to_owned(), "end Stop".to_owned()], 2)
    );
}

#[test]
fn a_failure_that_does_not_pass_is_not_tried_again() {
    let options = || ModelOptions { retries: 5, ..quick() };
    for answer in [
        Answer::status(401, "", "no"),
        Answer::status(400, "", "no"),
        Answer::status(429, "retry-after: 3600\r\n", "tomorrow"),
        Answer::frames(["{ garbage"]),
        Answer::frames(["{}"]),
        Answer::frames(["[1]"]),
    ] {
        let server = Server::start([answer.clone()]);
        let read = read(&server.model("gemini:m").options(options()), &prompt());
        assert!(read.error.is_some(), "{:?}", answer.pieces);
        assert_eq!(server.requests().len(), 1, "{:?}", answer.pieces);
    }
}

#[test]
fn garbage_is_malformed_in_each_dialect() {
    for dialect in DIALECTS {
        for garbage in ["{ garbage", "\u{0}\u{1}", "[1]", "17"] {
            let server = Server::start([Answer::frames([garbage])]);
            let read = read(&server.model(dialect), &prompt());
            assert!(matches!(read.error, Some(ModelError::Malformed(_))), "{dialect} {garbage:?}: {read:?}");
        }
    }
}

#[test]
fn an_answer_that_is_no_stream_is_cut_off() {
    for dialect in DIALECTS {
        for body in ["", "\n\n\n", ": ping\n\n", "data: {}\n\n", "data: null\n\n"] {
            let server = Server::start([Answer::status(200, "", body)]);
            let read = read(&server.model(dialect), &prompt());
            assert!(matches!(read.error, Some(ModelError::Truncated)), "{dialect} {body:?}: {read:?}");
        }
    }
}

#[test]
fn a_lost_connection_is_not_taken_for_an_end() {
    let head = "content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n".to_owned();
    let frame = format!("data: {}\n\n", opened("openai-chat:m", &[Said::Text("Once".into())])[0]);
    let chunk = format!("{:x}\r\n{frame}\r\n", frame.len());
    let answer = Answer { headers: head, ..Answer::bytes(vec![chunk]) };
    let server = Server::start([answer]);
    let read = read(&server.model("openai-chat:m"), &prompt());
    assert!(matches!(read.error, Some(ModelError::Unreachable(_))), "{read:?}");
    assert_eq!(read.lines(), ["text Once"]);
}

#[test]
fn a_silent_provider_is_not_waited_for() {
    let options = || ModelOptions { silence: Duration::from_millis(200), ..quick() };
    for dialect in DIALECTS {
        let said = Answer::frames(opened(dialect, &[Said::Text("Once".into())])).hanging();
        for answer in [said, Answer::bytes(vec![]).hanging()] {
            let server = Server::start([answer]);
            let read = read(&server.model(dialect).options(options()), &prompt());
            assert!(matches!(read.error, Some(ModelError::Silent { .. })), "{dialect}: {read:?}");
        }
    }
}

#[test]
fn a_provider_that_is_not_there_is_unreachable() {
    use agui_runtime::provider::HostedModel;
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let model = HostedModel::with_keys(&format!("http://127.0.0.1:{unused}/v1#m"), |_| None)
        .unwrap()
        .options(quick());
    let read = read(&model, &prompt());
    assert!(matches!(read.error, Some(ModelError::Unreachable(_))), "{read:?}");
}

/// A key must not go where the provider's answer points.
#[test]
fn a_redirect_is_not_followed() {
    let other = Server::start([hello("openai-chat:m")]);
    let _ = other.model("openai-chat:m");
    let server = Server::start([Answer::status(307, "location: http://127.0.0.1:9/\r\n", "")]);
    let read = read(&server.model("openai-chat:m"), &prompt());
    assert!(matches!(read.error, Some(ModelError::Refused { status: 307, .. })), "{read:?}");
    assert!(other.requests().is_empty());
}

#[test]
fn a_model_without_its_runtime_says_so() {
    use agui_runtime::model::ChatModel as _;
    use futures::StreamExt as _;
    let server = Server::start([hello("openai-chat:m")]);
    let (model, prompt) = (server.model("openai-chat:m"), prompt());
    let first = futures::executor::block_on(model.respond(&prompt).next());
    assert!(matches!(&first, Some(Err(ModelError::Failed(why))) if why.contains("tokio")), "{first:?}");
}

/// The connection has a thread of its own in such a runtime, so that bytes are always there.
#[test]
fn an_event_without_end_is_left() {
    for dialect in DIALECTS {
        let mut pieces = vec!["data: {\"text\":\"".to_owned()];
        pieces.extend(std::iter::repeat_n("x".repeat(1 << 20), 64));
        let server = Server::start([Answer::bytes(pieces).hanging()]);
        let model = server.model(dialect);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let began = Instant::now();
        let error = runtime.block_on(runtime.spawn(async move {
            let prompt = prompt();
            futures::StreamExt::next(&mut model.respond(&prompt)).await
        }));
        let is_endless = |why: &ModelError| why.to_string().ends_with("malformed: an event does not end");
        assert!(matches!(&error, Ok(Some(Err(why))) if is_endless(why)), "{dialect}: {error:?}");
        assert!(began.elapsed() < Duration::from_secs(9), "{dialect}: {:?}", began.elapsed());
    }
}
