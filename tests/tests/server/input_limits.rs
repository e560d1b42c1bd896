//! The limits of a client's input: size, number, and the server's errors.

use std::iter;

use agui_runtime::Server;
use agui_runtime::http::InputLimits;
use agui_tests::http::Request;
use agui_tests::log::Log;
use serde_json::{Value, json};
use tracing::Level;

use crate::kitchen::{Cook, Served, asking};

/// The status of an answer, with the code, the place and the text of its error.
async fn refused(served: &Served, body: impl Into<Vec<u8>>) -> (u16, String, String, String) {
    let answer = Request::run("/", body).send(served.address).await;
    let error = &answer.json()["error"];
    let text = |member: &str| error[member].as_str().unwrap_or_default().to_owned();
    (answer.status, text("code"), text("path"), text("message"))
}

async fn served(limits: InputLimits) -> Served {
    Served::start(Server::new().agent("/", Cook::new().0).input_limits(limits)).await
}

fn with(member: &str, value: Value) -> Value {
    let mut input = asking("who");
    input[member] = value;
    input
}

/// This number of nested lists.
fn nested(levels: usize) -> Value {
    (1..levels).fold(json!([]), |inside, _| json!([inside]))
}

#[tokio::test]
async fn each_limit_is_named_with_its_figure_and_place() {
    let message = json!({ "id": "s", "role": "system", "content": "" });
    let call = json!({ "id": "c", "type": "function", "function": { "name": "n", "arguments": "{}" } });
    let tool = json!({ "name": "n", "description": "" });
    let members: serde_json::Map<_, _> = (0..41).map(|number| (number.to_string(), json!(number))).collect();
    let state = with("state", json!({ "rows": [0, members] }));
    let limits = InputLimits::default;
    let rows = [
        (
            limits().nodes(50),
            with("forwardedProps", json!({ "many": vec![0; 60] })),
            413,
            "too_many_nodes",
            50,
        ),
        (limits().depth(9), with("state", json!({ "deep": [nested(7)] })), 422, "too_deep", 9),
        (limits().members(40), state, 413, "too_many_members", 40),
        (
            limits().messages(3),
            with("messages", json!([message, message, message, message])),
            413,
            "too_many_messages",
            3,
        ),
        (
            limits().calls(2),
            with(
                "messages",
                json!([message, { "id": "a", "role": "assistant", "toolCalls": [call, call, call] }]),
            ),
            413,
            "too_many_calls",
            2,
        ),
        (limits().tools(2), with("tools", json!([tool, tool, tool])), 413, "too_many_tools", 2),
        (
            limits().text(30),
            with("context", json!([{ "description": "x".repeat(31), "value": "" }])),
            413,
            "text_too_long",
            30,
        ),
        (limits().text(30), with("state", json!({ "x".repeat(31): 0 })), 413, "text_too_long", 30),
        (
            limits().untyped(5_000),
            with("forwardedProps", json!({ "many": vec![0; 60] })),
            413,
            "untyped_too_large",
            5_000,
        ),
    ];
    let places = [
        "forwardedProps.many[",
        "state.deep[0][0][0][0][0][0]",
        "state.rows[1]",
        "messages",
        "messages[1].toolCalls",
        "tools",
        "context[0].description",
        "state",
        "forwardedProps.many[",
    ];
    for ((limits, body, status, code, figure), place) in rows.into_iter().zip(places) {
        let served = served(limits).await;
        let (found, found_code, path, message) = refused(&served, body.to_string()).await;
        assert_eq!((found, &*found_code), (status, code), "{message}");
        assert!(message.starts_with(&format!("expected at most {figure} ")), "{message}");
        assert!(path.starts_with(place), "{path}: {message}");
        assert_eq!(
            Request::run("/", asking("who").to_string()).send(served.address).await.status,
            200,
            "{code}"
        );
    }
}

#[tokio::test]
async fn the_calls_of_a_message_are_counted_before_they_are_read() {
    let served = served(InputLimits::default()).await;
    let call = json!({ "id": "c", "type": "function", "function": { "name": "n", "arguments": "{}" } });
    // Reading the first call would refuse it: 422.
    let calls: Vec<_> = iter::once(json!({ "id": 7 })).chain(iter::repeat_n(call.clone(), 9_000)).collect();
    let message = json!({ "id": "a", "role": "assistant", "toolCalls": calls });
    let (status, code, path, _) = refused(&served, with("messages", json!([message])).to_string()).await;
    assert_eq!((status, &*code, &*path), (413, "too_many_calls", "messages[0].toolCalls"));
    // Other lists of this name have no such limit.
    let state = with("state", json!({ "inner": { "toolCalls": vec![call; 1_001] } }));
    assert_eq!(Request::run("/", state.to_string()).send(served.address).await.status, 200);
}

#[tokio::test]
async fn input_at_a_limit_is_read() {
    let served = served(InputLimits::default().depth(9).messages(2).tools(1).members(7).text(1_000)).await;
    let mut input = with("state", json!({ "deep": nested(7) }));
    input["tools"] = json!([{ "name": "n", "description": "x".repeat(1_000) }]);
    let newest = input["messages"][0].take();
    input["messages"] = json!([{ "id": "s", "role": "system", "content": "" }, newest]);
    let events = Request::run("/", input.to_string()).send(served.address).await.events();
    assert_eq!(events.last().unwrap()["result"], "cook");
}

#[tokio::test]
async fn very_deep_input_is_refused() {
    let served = served(InputLimits::default().depth(usize::MAX)).await;
    let deep = format!("{{\"state\":{}1{}}}", "[".repeat(5_000), "]".repeat(5_000));
    for body in ["[".repeat(100_000), deep, with("state", nested(126)).to_string()] {
        let (status, code, ..) = refused(&served, body).await;
        assert_eq!((status, &*code), (422, "too_deep"));
    }
    let deepest = with("state", nested(125)).to_string();
    assert_eq!(Request::run("/", deepest).send(served.address).await.status, 200);
}

#[tokio::test]
async fn a_member_twice_is_refused_wherever_the_protocol_describes_it() {
    let served = served(InputLimits::default()).await;
    let good = r#"{"threadId":"t","runId":"r","messages":[
        {"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":""}}]},
        {"id":"t","role":"tool","toolCallId":"c","content":[{"type":"image","source":{"type":"url","value":"x"}}]},
        {"id":"u","role":"user","content":"who"}],
        "tools":[{"name":"n","description":""}],"context":[{"description":"d","value":""}],
        "resume":[{"interruptId":"i","status":"cancelled"}],"state":{"a":1},"protocolVersion":"1.0"}"#;
    for (member, place) in [
        (r#""threadId":"t""#, "threadId"),
        (r#""state":{"a":1}"#, "state"),
        (r#""protocolVersion":"1.0""#, "protocolVersion"),
        (r#""id":"a""#, "messages[0].id"),
        (r#""role":"assistant""#, "messages[0].role"),
        (r#""id":"c""#, "messages[0].toolCalls[0].id"),
        (r#""arguments":"""#, "messages[0].toolCalls[0].function.arguments"),
        (r#""toolCallId":"c""#, "messages[1].toolCallId"),
        (r#""type":"image""#, "messages[1].content[0].type"),
        (r#""value":"x""#, "messages[1].content[0].source.value"),
        (r#""content":"who""#, "messages[2].content"),
        (r#""name":"n""#, "tools[0].name"),
        (r#""description":"d""#, "context[0].description"),
        (r#""status":"cancelled""#, "resume[0].status"),
    ] {
        let twice = good.replacen(member, &format!("{member},{member}"), 1);
        let (status, code, path, message) = refused(&served, twice).await;
        let key = place.rsplit('.').next().unwrap();
        assert_eq!((status, &*code, &*path), (422, "duplicate_member", place), "{message}");
        assert!(message.contains(&format!("`{key}`")), "{message}");
    }
    // An escape does not make it another member.
    let (_, code, ..) =
        refused(&served, good.replacen("\"runId\":\"r\"", "\"runId\":\"r\",\"run\\u0049d\":\"s\"", 1)).await;
    assert_eq!(code, "duplicate_member");
    // The server does not judge the application's members and unknown ones.
    for free in [r#""state":{"a":1,"a":2}"#, r#""state":{"a":1},"u":1,"u":2"#] {
        let body = good.replacen(r#""state":{"a":1}"#, free, 1);
        assert_eq!(Request::run("/", body).send(served.address).await.status, 200, "{free}");
    }
}

#[tokio::test]
async fn a_rejection_quotes_at_most_200_characters_and_no_control_characters() {
    let served = served(InputLimits::default()).await;
    let long = format!("\u{1b}[31m{}\n", "🦀é".repeat(20_000));
    let mut bodies = vec![
        with("threadId", json!([long])),
        with("messages", json!(long)),
        with("resume", json!([{ "interruptId": "i", "status": long }])),
        with("protocolVersion", json!(format!("2.{}", "0".repeat(5_000)))),
        with("state", json!({ &long: nested(110) })),
    ];
    bodies.push(json!({ "messages": [{ "id": 5, "role": "user", "content": &long }] }));
    for body in bodies {
        let (status, code, path, message) = refused(&served, body.to_string()).await;
        assert!((400..500).contains(&status), "{status} {message}");
        for text in [code, path, message] {
            assert!(text.chars().count() <= 200, "{} characters: {text}", text.chars().count());
            assert!(!text.contains(char::is_control), "{text:?}");
        }
    }
}

#[tokio::test]
async fn one_request_writes_a_few_short_lines_into_the_log() {
    let (warnings, _recording) = Log::record(Level::WARN);
    let served = served(InputLimits::default()).await;
    warnings.take();
    let mut input = asking("who");
    for number in 0..10_000 {
        input[format!("unknown-{number}")] = json!(0);
    }
    input[format!("forged\nline \u{1b}[31m{}", "x".repeat(50_000))] = json!(0);
    let parts: Vec<_> = (0..500).map(|_| json!({ "type": "hologram\n" })).collect();
    input["messages"]
        .as_array_mut()
        .unwrap()
        .insert(0, json!({ "id": "u", "role": "user", "content": parts }));
    assert_eq!(Request::run("/", input.to_string()).send(served.address).await.status, 200);
    let lines = warnings.take();
    assert!((2..=12).contains(&lines.len()), "{} lines", lines.len());
    for line in &lines {
        assert!(line.len() < 1_000 && !line.contains(char::is_control), "{line:?}");
    }
    let last = lines.last().unwrap();
    assert!(last.contains(&format!("places={}", 10_000 + 1 + 500 - 8)), "{last}");

    input = asking("who");
    input["protocolVersion"] = json!(format!("9\n{}", "9".repeat(50_000)));
    Request::run("/", input.to_string()).send(served.address).await;
    for line in warnings.take() {
        assert!(line.len() < 1_000 && !line.contains(char::is_control), "{line:?}");
    }
}
