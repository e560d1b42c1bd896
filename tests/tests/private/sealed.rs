//! Without a store: the client keeps what it cannot read.

use agui_runtime::protocol::{Event, Message, RunAgentInput};
use agui_runtime::receive::ReceivePipeline;
use agui_runtime::testing::{self, RunEnd};
use agui_runtime::{Error, InterruptKey, RunOptions, Server, start};
use futures::StreamExt as _;
use tokio::net::TcpListener;

use crate::desk::{IBAN, Seen, WISHES, assert_shut, file, input, said};

/// Returns the messages that a client holds after a run.
pub(crate) fn held(mut before: Vec<Message>, events: &[Event]) -> Vec<Message> {
    let mut pipeline = ReceivePipeline::new();
    for event in events {
        pipeline.receive(event.clone(), |_, _, _| {}).unwrap();
    }
    before.extend(pipeline.reducer().messages().iter().cloned());
    before
}

/// Runs the desk as a server without a store does, with random ids.
pub(crate) async fn run(seen: &Seen, input: RunAgentInput, secret: u8) -> Vec<Event> {
    let options = RunOptions::default().interrupt_key(InterruptKey::new([secret; 32]).unwrap());
    start(seen.desk().into(), input, options).collect().await
}

#[tokio::test]
async fn no_event_has_anything_of_a_private_call() {
    for wish in WISHES {
        for version in ["1.1", "1.0", "0.9"] {
            for reveal in [false, true] {
                let mut asked = input("r", vec![said("u", wish)]);
                asked.protocol_version = (version != "0.9").then(|| version.to_owned());
                let options = testing::options().reveal_errors(reveal);
                let events = testing::run_with(Seen::default().desk(), asked, options).await;
                assert_shut(&events);
                let shown = events.iter().filter(|event| matches!(event, Event::ToolCallStart(_))).count();
                let expected = usize::from(wish == "both");
                assert_eq!(shown, expected, "{wish}: {}", testing::lines(&events));
            }
        }
    }
}

#[tokio::test]
async fn the_model_remembers_over_runs() {
    for (wish, roles) in [
        ("read", vec!["user", "assistant", "tools", "assistant", "user"]),
        ("talk", vec!["user", "assistant", "tools", "assistant", "user"]),
        ("both", vec!["user", "assistant", "tools", "assistant", "user"]),
    ] {
        let seen = Seen::default();
        let first = run(&seen, input("r-1", vec![said("u-1", wish)]), 1).await;
        assert_shut(&first);
        assert_eq!(seen.private(), [file()], "{wish}");
        let mut messages = held(vec![said("u-1", wish)], &first);
        for number in 2..5 {
            messages.push(said(&format!("u-{number}"), "hello"));
            let later = run(&seen, input(&format!("r-{number}"), messages.clone()), 1).await;
            assert_shut(&later);
            assert_eq!(seen.private(), [file()], "{wish}, run {number}");
            assert_eq!(seen.roles()[..roles.len()], roles, "{wish}, run {number}");
            messages = held(messages, &later);
        }
        // Another call is one more.
        messages.push(said("u-9", "read"));
        assert_shut(&run(&seen, input("r-9", messages), 1).await);
        assert_eq!(seen.private(), [file(), file()], "{wish}");
    }
}

/// The model reads the same turn again, with the public call beside the private one.
#[tokio::test]
async fn a_mixed_turn_stays_one_turn() {
    let seen = Seen::default();
    let first = run(&seen, input("r-1", vec![said("u-1", "both")]), 1).await;
    let mut messages = held(vec![said("u-1", "both")], &first);
    messages.push(said("u-2", "hello"));
    run(&seen, input("r-2", messages), 1).await;
    assert_eq!(seen.calls(), ["price({\"item\":\"rice\"}) -> 4".to_owned(), file()]);
}

#[tokio::test]
async fn failures_are_the_models_alone() {
    for (wish, result) in [
        ("fail", "{\"error\":\"the tool `customer_file` failed\"}"),
        ("panic", "{\"error\":\"the tool `customer_file` failed\"}"),
    ] {
        let seen = Seen::default();
        let events = run(&seen, input("r", vec![said("u", wish)]), 1).await;
        assert_shut(&events);
        assert!(seen.private()[0].ends_with(result), "{:?}", seen.private());
        assert!(matches!(testing::end(&events), RunEnd::Success { .. }));
    }
    let events = run(&Seen::default(), input("r", vec![said("u", "fatal")]), 1).await;
    assert_shut(&events);
    let RunEnd::Failed { message, code } = testing::end(&events) else { panic!("{events:#?}") };
    assert_eq!((message, code), ("a tool ended the run", Some("tool_failed")));
}

/// The run ends with a call to the page, and goes on with its result.
#[tokio::test]
async fn a_private_call_waits_with_a_frontend_call() {
    let seen = Seen::default();
    let mut asked = input("r-1", vec![said("u-1", "page")]);
    let tool = serde_json::json!([{ "name": "checkout", "description": "Asks.", "parameters": {
        "type": "object", "properties": { "total": { "type": "integer" } }, "required": ["total"] } }]);
    asked.tools = serde_json::from_value(tool).unwrap();
    let first = run(&seen, asked.clone(), 1).await;
    assert_shut(&first);
    let mut messages = held(vec![said("u-1", "page")], &first);
    let call = first.iter().find_map(|event| match event {
        Event::ToolCallStart(call) => Some(call.tool_call_id.clone()),
        _ => None,
    });
    let call = call.unwrap();
    messages.push(agui_runtime::protocol::ToolMessage::new("result", "true", call).into());
    let mut resumed = input("r-2", messages);
    resumed.tools = asked.tools;
    let later = run(&seen, resumed, 1).await;
    assert_shut(&later);
    assert_eq!(seen.calls(), ["checkout({\"total\":3}) -> true".to_owned(), file()]);
}

#[tokio::test]
async fn an_agent_without_a_place_does_not_start() {
    // The process has no secret.
    let options = RunOptions::default();
    let events: Vec<_> =
        start(Seen::default().desk().into(), input("r", vec![said("u", "read")]), options).collect().await;
    let RunEnd::Failed { message, code } = testing::end(&events) else { panic!("{events:#?}") };
    assert_eq!(code, Some("no_private_place"));
    assert!(message.contains("set AGUI_SECRET"), "{message}");
    let server = Server::new().agent("/", Seen::default().desk());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let refused = server.serve_on(listener, std::future::ready(())).await.unwrap_err();
    assert!(matches!(refused, Error::NoPrivatePlace { agent: "desk" }), "{refused:?}");
    for hint in ["AGUI_SECRET", "Server::threads"] {
        assert!(refused.to_string().contains(hint), "{refused}");
    }
    let keyed =
        Server::new().agent("/", Seen::default().desk()).interrupt_key(InterruptKey::new([1; 32]).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    keyed.serve_on(listener, std::future::ready(())).await.unwrap();
}

#[test]
fn the_check_finds_a_leak() {
    let leak = agui_runtime::protocol::TextMessageContentEvent::new("m", format!("The account is {IBAN}."));
    let found = std::panic::catch_unwind(|| assert_shut(&[leak.into()]));
    assert!(found.is_err());
}
