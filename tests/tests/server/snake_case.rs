//! Runs for clients that speak the snake_case dialect.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::client::{Accept, HttpAgent, RunOutcome, Session};
use agui_runtime::dialect::snake_case::{AGENT_PATH, CHAT_PATH};
use agui_runtime::manifest::AgentSource;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, Interrupt, Message};
use agui_runtime::receive::WarningKind;
use agui_runtime::tools::ToolOf;
use agui_runtime::{Agent, DynAgent, Error, FinishedRun, Policy, Server};
use agui_tests::http::{Request, Whole};
use serde_json::{Value, json};

use crate::kitchen::{Cook, Served, asking};

/// Looks up what something costs.
#[tool]
async fn price(name: String) -> u32 {
    u32::try_from(name.len()).unwrap() * 10
}

#[derive(State, Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Order {
    lines: u32,
}

impl ToolOf<Waiter> for price {}

/// Serves at the table. Handwritten, because an agent of `#[agent]` would be in the manifests of all tests here.
struct Waiter;

impl Agent for Waiter {
    type State = Order;
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        match input.user_text().as_deref().unwrap_or_default() {
            "dinner" => {
                run.state().snapshot(&Order::default()).await?;
                let think = run.reasoning().await;
                let mut thought = think.message().await;
                thought.push("Rice?").await;
                thought.end();
                think.end();
                let step = run.step("look").await;
                run.call(price { name: "rice".to_owned() }).await?.run().await;
                drop(step);
                run.message().name("Ada").await.push("Rice it is.").await;
            }
            "two at once" => {
                let (mut one, mut two) = (run.message().name("a").await, run.message().name("b").await);
                one.push("1").await;
                two.push("2").await;
                one.push("1").await;
            }
            "chunks" => {
                let mut dynamic = run.dynamic(Policy::Strict).pass_chunks();
                for chunk in [
                    json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "role": "assistant", "delta": "by " }),
                    json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": "chunks" }),
                    json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": "c", "toolCallName": "price", "delta": "{}" }),
                ] {
                    dynamic.feed(serde_json::from_value::<Event>(chunk)?).await?;
                }
            }
            "ask" => return Err(Stop::interrupt(Interrupt::new("i", "confirmation"))),
            _ => {
                let messages: Vec<String> =
                    input.messages.iter().map(|message| json!(message).to_string()).collect();
                run.say(json!({ "messages": messages.len(), "props": input.forwarded_props }).to_string())
                    .await;
            }
        }
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        AgentSource {
            description: "Serves at the table",
            version: "1.2.3",
            rust_path: "snake_case::Waiter",
            ..AgentSource::new("waiter")
        }
    }
}

fn chat(body: &Value) -> Request {
    Request::run(CHAT_PATH, body.to_string())
}

fn saying(text: &str) -> Value {
    json!({ "thread_id": "t", "messages": [{ "role": "user", "content": text }] })
}

async fn served() -> Served {
    Served::start(Server::new().snake_case_agent(CHAT_PATH, Waiter)).await
}

/// The records of an answer: their names and contents.
fn records(answer: &Whole) -> Vec<(String, Value)> {
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/event-stream")));
    assert!(!answer.cut);
    let record = |record: &str| {
        let (name, data) = record.split_once('\n').unwrap();
        let data = data.strip_prefix("data: ").unwrap();
        (name.strip_prefix("event: ").unwrap().to_owned(), serde_json::from_str(data).unwrap())
    };
    answer.text().strip_suffix("\n\n").unwrap().split("\n\n").map(record).collect()
}

#[tokio::test]
async fn a_run_is_written_in_the_dialect() {
    let served = served().await;
    let said = records(&chat(&saying("dinner")).send(served.address).await);
    let (call, thought) = (said[6].1["toolCallId"].clone(), said[1].1["messageId"].clone());
    let message = said[2].1["messageId"].clone();
    let expected = [
        ("status", json!({ "type": "start", "thread_id": "t" })),
        ("reasoning_start", json!({ "messageId": thought })),
        ("reasoning_message_start", json!({ "messageId": message, "role": "assistant" })),
        ("reasoning_message_content", json!({ "messageId": message, "delta": "Rice?" })),
        ("reasoning_message_end", json!({ "messageId": message })),
        ("reasoning_end", json!({ "messageId": thought })),
        ("tool_call_start", json!({ "toolCallId": call, "toolCallName": "price" })),
        ("tool_call_args", json!({ "toolCallId": call, "delta": r#"{"name":"rice"}"# })),
        ("tool_call_end", json!({ "toolCallId": call })),
        ("tool_result", json!({ "toolCallId": call, "content": "40", "role": "tool" })),
        ("message", json!({ "content": "Rice it is.", "agent": "Ada" })),
        ("status", json!({ "type": "complete" })),
    ];
    assert_eq!(said, expected.map(|(name, data)| (name.to_owned(), data)));
    // A conversation without a thread gets one, and its id is sent.
    let fresh = json!({ "messages": [{ "role": "user", "content": "hi" }] });
    let said = records(&chat(&fresh).send(served.address).await);
    let thread = said[0].1["thread_id"].as_str().unwrap().to_owned();
    let again = records(&chat(&fresh).send(served.address).await);
    assert!(thread.len() > 20 && again[0].1["thread_id"] != thread, "{thread}");
}

#[tokio::test]
async fn texts_do_not_mix_and_chunks_are_expanded() {
    let served = served().await;
    let said = records(&chat(&saying("two at once")).send(served.address).await);
    let spoken: Vec<&Value> =
        said.iter().filter(|(name, _)| name == "message").map(|(_, data)| data).collect();
    let piece = |content: &str, agent: &str| json!({ "content": content, "agent": agent });
    assert_eq!(spoken, [&piece("1", "a"), &piece("1", "a"), &piece("2", "b")]);

    let said = records(&chat(&saying("chunks")).send(served.address).await);
    let names: Vec<&str> = said.iter().map(|(name, _)| name.as_str()).collect();
    let expected =
        ["status", "message", "message", "tool_call_start", "tool_call_args", "tool_call_end", "status"];
    assert_eq!(names, expected);
}

#[tokio::test]
async fn invalid_ends_are_errors() {
    let server = Server::new().snake_case_agent(CHAT_PATH, Waiter).snake_case_agent("/cook", Cook::new().0);
    let served = Served::start(server).await;
    let ends = [
        (
            CHAT_PATH,
            "ask",
            "status",
            json!({ "type": "error", "message": "the agent raised an interrupt, which this dialect does not support" }),
        ),
        ("/cook", "cancel", "status", json!({ "type": "error", "message": "the run was cancelled" })),
        ("/cook", "fail", "error", json!({ "type": "error", "message": "no flour", "code": "OUT_OF_STOCK" })),
    ];
    for (path, text, name, data) in ends {
        let said = records(&Request::run(path, saying(text).to_string()).send(served.address).await);
        assert_eq!(said.last(), Some(&(name.to_owned(), data)), "{text}");
    }
}

#[tokio::test]
async fn malformed_input_is_refused_with_its_place() {
    let served = served().await;
    let asked = |content: Value| json!({ "messages": [{ "role": "user", "content": content }] });
    let rows = [
        (json!([]), "."),
        (json!({}), "."),
        (json!({ "messages": {} }), "messages"),
        (json!({ "thread_id": 5, "messages": [] }), "thread_id"),
        (json!({ "messages": [{ "role": "tool", "content": "" }] }), "messages[0].role"),
        (asked(json!(5)), "messages[0].content"),
        (asked(json!([{ "type": "text" }])), "messages[0].content[0]"),
        (asked(json!([{ "type": "text", "text": "" }, { "type": "image" }])), "messages[0].content[1]"),
        (asked(json!([{ "type": "image", "data": "aGk=" }])), "messages[0].content[0]"),
    ];
    for (body, place) in rows {
        let answer = chat(&body).send(served.address).await;
        let error = &answer.json()["error"];
        assert_eq!(
            (answer.status, &error["path"], &error["code"]),
            (400, &json!(place), &json!("invalid_input")),
            "{body} {error}"
        );
        assert!(!error["message"].as_str().unwrap().contains("Chat"), "no names of ours: {error}");
    }
    let broken = Request::run(CHAT_PATH, "{").send(served.address).await;
    assert_eq!((broken.status, &broken.json()["error"]["code"]), (400, &json!("invalid_json")));
    // The dialect has no other status for it.
    let untyped = chat(&saying("hi")).without("content-type").send(served.address).await;
    assert_eq!((untyped.status, &untyped.json()["error"]["code"]), (400, &json!("unsupported_media_type")));
    let half =
        chat(&saying("half \u{0}")).body(r#"{"messages":[{"role":"user","content":"\ud83e"}],"more":1}"#);
    assert_eq!(
        half.send(served.address).await.status,
        200,
        "half a character is mended, what is unknown left out"
    );
    let accepted = chat(&saying("hi")).header("accept", "application/json").send(served.address).await;
    assert_eq!(accepted.header("content-type"), Some("text/event-stream"));
}

#[tokio::test]
async fn one_agent_speaks_both() {
    let cook: Arc<dyn DynAgent> = Arc::new(Cook::new().0);
    let server = Server::new()
        .dyn_agent("/", Arc::clone(&cook))
        .dyn_snake_case_agent(CHAT_PATH, Arc::clone(&cook))
        .dyn_snake_case_agent(AGENT_PATH, cook);
    let served = Served::start(server).await;
    let events = Request::run("/", asking("hello").to_string()).send(served.address).await.events();
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
    for path in [CHAT_PATH, AGENT_PATH] {
        let said = records(&Request::run(path, saying("hello").to_string()).send(served.address).await);
        assert_eq!(said.last().unwrap().1, json!({ "type": "complete" }));
        let declared = Request::new("GET", &format!("{path}/capabilities")).send(served.address).await;
        assert_eq!(declared.status, 404, "{path}");
    }
    let twice = Server::new().agent("/x", Cook::new().0).snake_case_agent("/x", Cook::new().0).router();
    assert!(matches!(twice, Err(Error::DuplicatePath { method: "POST", path }) if path == "/x"));
}

#[tokio::test]
async fn a_quiet_stream_gets_keep_alive_comments() {
    let (cook, mut reports) = Cook::new();
    let server = Server::new().snake_case_agent(CHAT_PATH, cook).keep_alive(Duration::from_millis(5));
    let served = Served::start(server).await;
    let mut answer = chat(&saying("wait")).open(served.address).await;
    let said = answer.until(": keep-alive\n\n").await;
    assert!(said.contains("event: message\ndata: {\"content\":\"waiting\"}\n\n"), "{said}");
    drop(answer);
    reports.recv().await.expect("who hangs up ends the run");
}

#[tokio::test]
async fn our_client_holds_a_conversation() {
    let served = served().await;
    let url = format!("http://{}{CHAT_PATH}", served.address);
    let agent = HttpAgent::new(&url).unwrap().accept(Accept::SnakeCase);
    let mut session: Session = Session::new(agent)
        .with_forwarded_props(json!({ "model_id": "m", "other": 1 }).try_into().unwrap())
        .with_warnings(|warning| assert_eq!(*warning.kind(), WarningKind::Untranslatable, "{warning}"));
    session.say("dinner");
    let done = session.run().await.unwrap();
    assert!(matches!(done.outcome, RunOutcome::Success { .. }), "{done:#?}");
    let roles: Vec<&str> = session.messages().iter().map(|message| message.role().as_str()).collect();
    assert_eq!(roles, ["user", "reasoning", "assistant", "tool", "assistant"]);
    let [.., Message::Assistant(called), Message::Tool(result), Message::Assistant(said)] =
        session.messages()
    else {
        panic!("{:?}", session.messages());
    };
    assert_eq!((called.tool_calls()[0].function.name.as_str(), &*result.content.text()), ("price", "40"));
    assert_eq!((said.name.as_deref(), said.content.as_deref()), (Some("Ada"), Some("Rice it is.")));

    // It sends back only what the dialect can express: neither calls nor results, and a call without text is an empty
    // message.
    session.say("and?");
    let done = session.run().await.unwrap();
    let heard: Value = serde_json::from_str(&done.text()).unwrap();
    assert_eq!(heard, json!({ "messages": 4, "props": { "model_id": "m" } }));

    session.say("ask");
    let done = session.run().await.unwrap();
    assert!(matches!(done.outcome, RunOutcome::Failed { .. }), "{done:#?}");
    assert_eq!(session.capabilities().await.unwrap(), None);
}
