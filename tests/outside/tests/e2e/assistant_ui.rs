//! assistant-ui as its users run it, from its published packages, over both generations of the official client.
//!
//! Its adapter draws two types of activities, those of A2UI and of MCP Apps, and leaves out others; the text beside them is there. With
//! the legacy client, which knows no subagents, these speak as one agent.

use std::fs;
use std::future::pending;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::model::{Model, Prompt, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_tests::need;
use agui_tests::outside::{AssistantUi, Chromium, ExampleServer, Generation, artefact, built, target_dir};
use serde_json::{Value, json};
use tokio::net::TcpListener;

const LIMIT: Duration = Duration::from_secs(60);

/// A visit of a person to the page of an agent; `tests/node/browser/assistant-ui.mjs` lists the members.
fn visit(name: &str, url: &str, says: &[&str], shows: &[&str]) -> Value {
    json!({ "name": name, "url": url, "says": says, "shows": shows })
}

fn with(mut visit: Value, more: &Value) -> Value {
    visit.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    visit
}

/// Returns the visits to agents of the tour: text, reasoning, tools on both sides, shared state in both directions, activities,
/// questions, subagents, a run that is stopped, and failures.
fn tour(url: &str) -> Vec<Value> {
    let at = |route: &str, says: &str, shows: &[&str]| {
        visit(&route.replace('/', "-"), &format!("{url}{route}"), &[says], shows)
    };
    let purple = "linear-gradient(135deg, #667eea 0%, #764ba2 100%)";
    let held = |count: i64, items: Value| json!({ "count": count, "items": items });
    let item = |name: &str, amount: i64| json!({ "name": name, "amount": amount });
    vec![
        at("/lab/text", "hi", &["hi", "Hello from the lab!"]),
        at(
            "/agentic_chat_reasoning",
            "Which car?",
            &["Which car?", "Thought: You speak for OpenAI.", "My recommendations"],
        ),
        at(
            "/lab/backend_tool",
            "hi",
            &[r#"get_weather({"location":"Lisbon"})"#, r#""temperature":21"#, "It is sunny in Lisbon."],
        ),
        with(
            at("/agentic_chat", "tool", &["change_background", "done", "background changed ✓"]),
            &json!({ "background": purple }),
        ),
        with(
            at("/lab/state_held", "hi", &["Counted."]),
            &json!({
                "sets": held(7, json!([item("a", 7)])), "state": held(8, json!([item("b", 7), item("a", 8)])),
            }),
        ),
        at("/lab/activity", "hi", &["That is the plan."]),
        with(
            at("/lab/interrupts_two", "hi", &["Resumed one=resolved, two=resolved"]),
            &json!({ "presses": ["Answer What is your name? and Are you sure?"] }),
        ),
        at("/lab/subagent", "hi", &["digging", "reading", "all done"]),
        // The adapter was written before 1.0, and knows neither this end of a run nor results with parts.
        at("/lab/cancelled", "hi", &["On second thought, no."]),
        at("/lab/tool_result_parts", "hi", &["draw(", "a dot"]),
        with(at("/lab/error", "hi", &["partial", "lab failure"]), &json!({ "failure": "lab failure" })),
    ]
}

/// Refunds of the desk, approved and refused by the buttons of assistant-ui.
fn refunds(url: &str) -> [Value; 2] {
    let asked = r#"refund({"number":8,"cents":5900})"#;
    let at = |name: &str, shows: &[&str], button: &str| {
        let says = ["Order 8 is broken. I want my money back."];
        with(visit(name, &format!("{url}/"), &says, shows), &json!({ "presses": [button] }))
    };
    [
        at("refused", &[asked, "the user refused: too dear", "That did not work"], "Refuse"),
        at("approved", &[asked, r#""refunded":5900"#, "Done: 59.00"], "Approve"),
    ]
}

/// A thread that the server stores: the page that is loaded again shows the same.
fn kept(url: &str, generation: Generation) -> Value {
    let shows = [
        "Tell me a story",
        "w1 w2 w3",
        "w40 end.",
        "Publish this: first",
        r#"publish({"title":"first"})"#,
        "published first",
        "The press says: published first",
    ];
    let says = ["Tell me a story", "Publish this: first"];
    let thread = format!("assistant-ui-{}", generation.version());
    let more = json!({ "presses": ["Approve"], "thread": thread, "reloads": true });
    with(visit("kept", &format!("{url}/editor"), &says, &shows), &more)
}

/// Researches a topic.
#[agent]
async fn researcher(run: &mut Run<Researcher>, _: Input<Researcher>) -> Result<String, Stop> {
    run.say("digging for rice").await;
    Ok("rice grows in water".to_owned())
}

/// Writes articles.
#[agent(tools = [Researcher])]
async fn writer(
    run: &mut Run<Writer>,
    _: Input<Writer>,
    model: &Model,
    researcher: &Arc<Researcher>,
) -> Result<(), Stop> {
    run.chat(model).await
}

fn reply(prompt: &Prompt) -> Reply {
    match prompt.last_results() {
        [answer, ..] => Reply::text(format!("I write: {}.", answer.content.text())),
        [] => Reply::call("researcher", json!({ "task": "rice" })),
    }
}

/// The address of an agent that has another one among its tools.
async fn serve_writer() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let writer = Writer::new(ScriptedModel::from_fn(reply).into(), Arc::new(Researcher::new()));
    tokio::spawn(Server::new().agent("/", writer).serve_on(listener, pending()));
    url
}

/// An agent among the tools speaks inside of its call, or, for a client without subagents, beside it.
fn called(url: &str) -> Value {
    let shows = ["researcher(", "digging for rice", "I write: rice grows in water."];
    visit("called", url, &["Write about rice"], &shows)
}

/// Visits everything in one browser.
fn converse(generation: Generation, writer: &str) {
    let assistant_ui = need!(AssistantUi::ready());
    let chromium = need!(Chromium::ready());
    let page = assistant_ui.serve_page(generation);
    let lab = ExampleServer::start_with("tour", &[("TOUR_PACE", "0.02")]);
    let desk = ExampleServer::start("desk");
    let folder = target_dir().join("outside/assistant-ui-kept").join(generation.version());
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    // The second half of a story need not wait.
    fs::write(folder.join("more"), "").unwrap();
    let mut editor = Command::new(built("stored_desk"));
    editor.arg(&folder).arg("0");
    let editor = ExampleServer::spawn("stored_desk", editor, LIMIT).unwrap_or_else(|cause| panic!("{cause}"));

    let mut visits = tour(lab.url());
    visits.extend(refunds(desk.url()));
    visits.extend([kept(editor.url(), generation), called(writer)]);
    let name = format!("assistant-ui-{}", generation.version());
    for visit in &mut visits {
        let of = visit["name"].as_str().unwrap().trim_start_matches('-').to_owned();
        visit["picture"] = json!(artefact(&format!("{name}-{of}.png")));
    }
    let job = json!({ "visits": visits, "timeoutMs": 120_000 });
    chromium.browse(&name, "assistant-ui.mjs", &format!("{}/", page.url()), &job).assert_ok();
    assert_eq!(fs::read_to_string(folder.join("published")).unwrap(), "first\n", "published once");
}

#[tokio::test(flavor = "multi_thread")]
async fn its_page_with_the_client_that_it_brings() {
    let writer = serve_writer().await;
    tokio::task::block_in_place(|| converse(Generation::Legacy, &writer));
}

#[tokio::test(flavor = "multi_thread")]
async fn its_page_with_the_current_client() {
    let writer = serve_writer().await;
    tokio::task::block_in_place(|| converse(Generation::V1, &writer));
}
