//! The user's view of a conversation, in any client.

use serde_json::{Value, json};

use crate::case::Peer;
use crate::{demo, lab};

/// Messages, one on each line: the role, the text, the calls.
pub fn lines(messages: &[Value]) -> Vec<String> {
    messages.iter().map(line).collect()
}

fn line(message: &Value) -> String {
    let text = match message["content"].clone() {
        Value::Null => String::new(),
        Value::String(text) => text,
        // Its id is another one in each run.
        mut task if task["taskId"].is_string() => {
            task["taskId"] = json!("");
            task.to_string()
        }
        other => other.to_string(),
    };
    let mut line = format!("{}: {text}", message["role"].as_str().unwrap());
    for call in message["toolCalls"].as_array().into_iter().flatten() {
        let function = &call["function"];
        line.push_str(&format!(
            "-> {}({})",
            function["name"].as_str().unwrap(),
            function["arguments"].as_str().unwrap()
        ));
    }
    line
}

/// A run of the tour: the user's action, and the new messages after it.
pub struct Sight {
    pub route: &'static str,
    pub doing: Doing,
    pub lines: Vec<String>,
    pub state: Value,
}

pub enum Doing {
    Saying(&'static str),
    /// Sends a message, with a tool on the page.
    Offering(&'static str),
}

fn saying(route: &'static str, text: &'static str, lines: &[&str]) -> Sight {
    let lines = lines.iter().map(|&line| line.to_owned()).collect();
    Sight { route, doing: Doing::Saying(text), lines, state: json!({}) }
}

impl Sight {
    fn with(self, state: Value) -> Self {
        Self { state, ..self }
    }
}

/// The views of the routes after a simple message. The tests of each client cover resumed runs.
pub fn sights(peer: Peer) -> Vec<Sight> {
    [labs(), calls(peer), demos(), models(), questions()].into_iter().flatten().collect()
}

fn labs() -> Vec<Sight> {
    let unicode = "assistant: naïve 日本語 🦀 \u{2028} \"quotes\" \\ back\nnew\r\nline \t\u{1} end";
    let plan = r#"activity: {"steps":[{"name":"fetch","done":true},{"name":"write","done":false}]}"#;
    let board = json!({ "count": 1, "items": ["a", "b"], "first": "a", "moved/note": "fresh" });
    let counted =
        json!({ "count": 1, "items": [{ "name": "b", "amount": 0 }, { "name": "a", "amount": 1 }] });
    let looked_up = [
        r#"assistant: Let me look it up.-> lookup({"word":"tour"})"#,
        "tool: a journey that ends where it began",
        "assistant: Found it.",
    ];
    let slow = format!("assistant: {}", lab::hundred());
    vec![
        saying("/lab/slow", "hi", &[&slow]),
        saying(
            "/lab/interrupt",
            "hi",
            &[r#"assistant: -> send_email({"to":"ada@example.com","subject":"Hello"})"#],
        ),
        saying("/lab/interrupts_two", "hi", &[]).with(json!({ "waiting": 2 })),
        saying("/lab/text", "hi", &["assistant: Hello from the lab!"]),
        saying("/lab/text_chunks", "hi", &["assistant: Chunk by chunk", r#"assistant: -> noop({"a":1})"#]),
        saying("/lab/unicode", "hi", &[unicode]),
        saying("/lab/state", "hi", &[]).with(board),
        saying("/lab/state_held", "hi", &["assistant: Counted."]).with(counted),
        saying("/lab/messages_snapshot", "hi", &looked_up),
        saying(
            "/lab/reasoning",
            "hi",
            &["reasoning: Let me think about this carefully.", "assistant: The answer is 42."],
        ),
        saying("/lab/activity", "hi", &[plan, "assistant: That is the plan."]),
        saying("/lab/steps", "hi", &["assistant: First I think of something.", "assistant: Then I do it."]),
        saying("/lab/subagent", "hi", &["assistant: digging", "assistant: reading", "assistant: all done"]),
        saying("/lab/custom_raw", "hi", &[]),
        saying("/lab/cancelled", "hi", &["assistant: On second thought, no."]),
        saying("/lab/metadata", "hi", &["assistant: tagged"]),
    ]
}

fn calls(peer: Peer) -> Vec<Sight> {
    let question =
        r#"assistant: -> choose({"question":"Which color do you like?","options":["red","blue"]})"#;
    let dot = match peer {
        Peer::Current => {
            concat!(
                r#"tool: [{"type":"text","text":"a dot"},"#,
                r#"{"type":"image","source":{"type":"data","value":"aGk=","mimeType":"image/png"}}]"#
            )
        }
        Peer::Legacy => "tool: a dot",
    };
    vec![
        Sight { doing: Doing::Offering("choose"), ..saying("/lab/tool", "hi", &[question]) },
        saying("/lab/tool", "hi", &["assistant: There is no tool to ask with."]),
        saying(
            "/lab/backend_tool",
            "hi",
            &[
                r#"assistant: -> get_weather({"location":"Lisbon"})"#,
                r#"tool: {"temperature":21,"conditions":"sunny"}"#,
                "assistant: It is sunny in Lisbon.",
            ],
        ),
        saying("/lab/tool_result_parts", "hi", &[r#"assistant: -> draw({"what":"a dot"})"#, dot]),
        saying(
            "/lab/parallel",
            "hi",
            &[r#"assistant: A1A2-> noop({"n":1})-> noop({"n":2})"#, "assistant: B1"],
        ),
        saying("/lab/result", "hi", &[r#"assistant: -> ask_user({"question":"Was it good?"})"#]),
    ]
}

fn demos() -> Vec<Sight> {
    let down: String = (1..=10).rev().map(|number| format!("{number}  ")).collect();
    let down = format!("assistant: counting down: {down}✓");
    let work: Vec<Value> =
        (1..=10).map(|n| json!({ "description": format!("Step {n}"), "status": "completed" })).collect();
    let background = r#"assistant: -> change_background({"background":"linear-gradient(135deg, #667eea 0%, #764ba2 100%)"})"#;
    let weather = concat!(
        r#"tool: {"city":"San Francisco","conditions":"sunny","temperature":21,"humidity":60,"#,
        r#""wind_speed":10}"#
    );
    let called = |tool: &str, arguments: &Value| format!("assistant: -> {tool}({arguments})");
    let plan = called("generate_task_steps", &demo::plan());
    let haiku = called("generate_haiku", &demo::haiku());
    let document = called("write_document_local", &demo::document());
    let confirm = called("confirm_changes", &json!({}));
    vec![
        saying("/human_in_the_loop", "hi", &[&plan]),
        saying("/tool_based_generative_ui", "hi", &[&haiku, "tool: Haiku created"]),
        saying("/shared_state", "hi", &[]).with(demo::salad()),
        saying("/predictive_state_updates", "hi", &[&document, &confirm]).with(demo::document()),
        saying("/", "hi", &["assistant: Hello world!"]),
        saying("/agentic_chat", "hi", &[&down]),
        saying("/agentic_chat", "tool", &[background]),
        saying(
            "/agentic_chat",
            "backend_tool",
            &[
                r#"assistant: -> lookup_weather({"city":"Lisbon"})"#,
                r#"tool: {"city":"Lisbon","temperature":21}"#,
            ],
        ),
        saying(
            "/backend_tool_rendering",
            "hi",
            &[r#"assistant: -> get_weather({"city":"San Francisco"})"#, weather],
        ),
        saying("/agentic_generative_ui", "hi", &[]).with(json!({ "steps": work })),
        saying("/tool_based_generative_ui", "thanks", &["assistant: Haiku created"]),
    ]
}

fn models() -> Vec<Sight> {
    let car = "What is the best car to buy?";
    let thought = format!("reasoning: {}", demo::models::thought("OpenAI", car));
    let activity = json!({
        "taskId": "", "toolName": "run_deep_research", "status": "completed",
        "outputs": ["1: an overview of rice", "2: a discussion of rice", "3: a paper of rice"],
        "args": { "topic": "rice" }, "result": demo::report("rice"),
    });
    vec![
        saying("/agentic_chat_reasoning", car, &[&thought, &format!("assistant: {}", demo::models::ADVICE)]),
        saying(
            "/agentic_chat_multimodal",
            "hi",
            &["assistant: I see nothing but text. Attach a picture or a document."],
        ),
        saying(
            "/background_agents",
            "Research rice",
            &[
                &format!("activity: {activity}"),
                "assistant: I look into rice in the background.",
                "assistant: The research is done.",
            ],
        ),
    ]
}

fn questions() -> Vec<Sight> {
    let called = format!("assistant: -> schedule_meeting({})", demo::questions::meeting());
    let supervisor = format!("assistant: {}", demo::questions::SUPERVISOR);
    vec![
        saying("/interrupt", demo::questions::BOOK, &[&called]),
        saying("/subgraphs", "Plan a trip", &[&supervisor]).with(demo::questions::trip(
            "flights",
            "flights",
            &["flights"],
        )),
    ]
}

/// Checks the echo of a run in which the user sent `hi`, with the tool `choose` on the page and these forwarded props.
/// Defaults of clients are left out.
pub fn assert_echo(said: &str, props: &Value) {
    let mut echo: Value = serde_json::from_str(said.strip_prefix("assistant: ").unwrap()).unwrap();
    assert!(
        echo["threadId"].is_string() && echo["runId"].is_string() && echo["parentRunId"].is_null(),
        "{echo}"
    );
    let tools: Vec<&str> =
        echo["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(tools, ["choose"], "{echo}");
    assert_eq!(echo["messages"], json!([{ "role": "user", "content": "hi" }]), "{echo}");
    assert_eq!(&echo["forwardedProps"].take(), props);
    assert_eq!((&echo["state"], &echo["context"]), (&json!({}), &json!([])), "{echo}");
}
