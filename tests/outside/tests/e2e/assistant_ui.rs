//! assistant-ui as its users run it, from its published packages, over both generations of the official client.
//!
//! Its adapter draws two types of activities, those of A2UI and of MCP Apps, and leaves out others; the text beside them is there. It
//! reads A2UI v0.9 and v1.0, and translates the basic catalog alone, without functions. With
//! the legacy client, which knows no subagents, these speak as one agent.

use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::a2ui::{ComponentCatalog, Surface, SurfaceComponent, SurfaceVersion};
use agui_runtime::model::{Model, Prompt, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_tests::need;
use agui_tests::outside::{AssistantUi, Chromium, ExampleServer, Generation, artefact, built, target_dir};
use serde_json::{Value, json};

use crate::served::served;

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
    let writer = Writer::new(ScriptedModel::from_fn(reply).into(), Arc::new(Researcher::new()));
    served(Server::new().agent("/", writer)).await
}

/// Shows a sign in A2UI's version that the user names.
#[agent(activities = [Surface])]
async fn painter(run: &mut Run<Painter>, input: Input<Painter>) -> Result<(), Stop> {
    let named = input.user_text().and_then(|text| SurfaceVersion::named(&text));
    let version = named.ok_or_else(|| Stop::error("The user names no version."))?;
    let layout = [
        SurfaceComponent::new("root", "Column").children(["title", "text"]),
        SurfaceComponent::new("title", "Text").with("text", "Opening hours"),
        SurfaceComponent::new("text", "Text").bind("text", "/hours"),
    ];
    let sign = Surface::new(format!("sign-{version}"), ComponentCatalog::BASIC, layout);
    let sign = sign.with_data(&json!({ "hours": format!("8 to 12, {version}") }))?.in_version(version)?;
    drop(sign.show(run).await?);
    run.say(format!("That is a sign of {version}.")).await;
    Ok(())
}

/// Surfaces in both versions are drawn, with their data.
fn painted(url: &str) -> [Value; 2] {
    [("v0.9", "Drawn: 8 to 12, v0.9"), ("v1.0", "Drawn: 8 to 12, v1.0")].map(|(version, drawn)| {
        let shows = [version, "Drawn: Opening hours", drawn, "That is a sign of"];
        visit(&format!("surface-{version}"), url, &[version], &shows)
    })
}

/// An agent among the tools speaks inside of its call, or, for a client without subagents, beside it.
fn called(url: &str) -> Value {
    let shows = ["researcher(", "digging for rice", "I write: rice grows in water."];
    visit("called", url, &["Write about rice"], &shows)
}

/// Visits everything in one browser.
fn converse(generation: Generation, writer: &str, painter: &str) {
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
    visits.extend(painted(painter));
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
    let (writer, painter) = (serve_writer().await, served(Server::new().agent("/", Painter::new())).await);
    tokio::task::block_in_place(|| converse(Generation::Legacy, &writer, &painter));
}

#[tokio::test(flavor = "multi_thread")]
async fn its_page_with_the_current_client() {
    let (writer, painter) = (serve_writer().await, served(Server::new().agent("/", Painter::new())).await);
    tokio::task::block_in_place(|| converse(Generation::V1, &writer, &painter));
}
