//! Messages that come while a run works, and join it.

mod departures;
mod joins;
mod last_turn;
mod leftovers;
mod nodes;
mod refusals;
mod repeats;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::{BusyThread, ThreadOptions};
use agui_runtime::model::{ChatStep, Model, Prompt, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Content;
use agui_runtime::thread::{Memory, ThreadKey, ThreadLog};
use agui_tests::http::{Answer, Request, Whole};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::thread_server::{ThreadServer, asking, events, is_legal};

/// The things that the agents share with their test.
#[derive(Clone, Default)]
struct Desk {
    /// Rings when a tool, or an agent without a model, waits.
    waits: Arc<Notify>,
    /// Lets the next one go on.
    go_on: Arc<Notify>,
    /// The user's texts in each prompt.
    prompts: Arc<Mutex<Vec<Vec<String>>>>,
    /// The messages that joined, as the agent found them.
    joined: Arc<Mutex<Vec<String>>>,
}

impl Desk {
    async fn pause(&self) {
        self.waits.notify_one();
        self.go_on.notified().await;
    }

    fn prompts(&self) -> Vec<Vec<String>> {
        self.prompts.lock().unwrap().clone()
    }

    fn joined(&self) -> Vec<String> {
        self.joined.lock().unwrap().clone()
    }

    fn note(&self, messages: &[agui_runtime::protocol::UserMessage]) {
        let texts = messages.iter().map(|message| message.content.text().into_owned());
        self.joined.lock().unwrap().extend(texts);
    }
}

/// Looks something up, when the test lets it.
#[tool]
async fn look_up(desk: &Desk, topic: String) -> String {
    desk.pause().await;
    format!("much about {topic}")
}

/// Shows a picture.
#[tool(frontend)]
async fn show(name: String);

/// Sends a letter.
#[tool(approval)]
async fn send(text: String) -> bool {
    !text.is_empty()
}

/// Looks things up for its user.
#[agent(restart, tools = [look_up, show, send])]
async fn researcher(
    run: &mut Run<Researcher>,
    _: Input<Researcher>,
    model: &Model,
    desk: &Desk,
) -> Result<(), Stop> {
    let _ = desk;
    run.chat(model).await
}

/// The same, turn by turn.
#[agent(tools = [look_up, show, send])]
async fn stepper(run: &mut Run<Stepper>, _: Input<Stepper>, model: &Model, desk: &Desk) -> Result<(), Stop> {
    let mut chat = run.chat(model);
    loop {
        let ChatStep { joined, end, .. } = chat.step().await?;
        desk.note(&joined);
        if let Some(end) = end {
            return end.into_result();
        }
    }
}

/// Takes the messages itself, page by page.
#[agent]
async fn reader(run: &mut Run<Reader>, _: Input<Reader>, desk: &Desk) -> Result<(), Stop> {
    for page in ["one", "two"] {
        run.say(page).await;
        desk.pause().await;
        let messages = run.steering_messages().await;
        desk.note(&messages);
    }
    Ok(())
}

/// Takes no messages.
#[agent]
async fn deaf(run: &mut Run<Deaf>, input: Input<Deaf>, desk: &Desk) -> Result<(), Stop> {
    let said = input.user_text().unwrap_or_default();
    run.say(format!("I hear: {said}")).await;
    if said.starts_with("wait") {
        desk.pause().await;
    }
    if said.ends_with("fail") { Err(Stop::error("no ink")) } else { Ok(()) }
}

/// Replies by the last message.
fn reply(prompt: &Prompt) -> Reply {
    let user = match prompt.messages.last() {
        Some(PromptMessage::User(parts)) => {
            Content::Parts(parts[parts.len() - 1..].to_vec()).text().into_owned()
        }
        _ => return Reply::text("That is all."),
    };
    match user.split_once(' ').map_or(&*user, |(first, _)| first) {
        "look" => Reply::call("look_up", json!({ "topic": "tea" })),
        "both" => {
            Reply::call("look_up", json!({ "topic": "tea" })).and_call("show", json!({ "name": "tea" }))
        }
        "send" => {
            Reply::call("look_up", json!({ "topic": "tea" })).and_call("send", json!({ "text": "tea" }))
        }
        _ => Reply::text(format!("You said: {user}")),
    }
}

fn server_on(log: impl ThreadLog, desk: &Desk) -> Server {
    let seen = Arc::clone(&desk.prompts);
    let model = ScriptedModel::from_fn(move |prompt| {
        let texts = prompt.messages.iter().filter_map(|message| match message {
            PromptMessage::User(parts) => Some(Content::Parts(parts.clone()).text().into_owned()),
            _ => None,
        });
        seen.lock().unwrap().push(texts.collect());
        reply(prompt)
    });
    let model = Model::from(model);
    let options = ThreadOptions::default().busy(BusyThread::Steer).lease(Duration::from_secs(1));
    Server::new()
        .threads(log)
        .thread_options(options)
        .agent("/", Researcher::new(model.clone(), desk.clone()))
        .agent("/steps", Stepper::new(model, desk.clone()))
        .agent("/reader", Reader::new(desk.clone()))
        .agent("/deaf", Deaf::new(desk.clone()))
}

async fn serve(log: impl ThreadLog, desk: &Desk) -> ThreadServer {
    ThreadServer::serve(server_on(log, desk)).await
}

/// Begins a run, and waits until the tool or the agent waits for the test.
async fn working(server: &ThreadServer, path: &str, desk: &Desk, text: &str) -> Answer {
    let answer = Request::run(path, asking("1", text).to_string()).open(server.address).await;
    desk.waits.notified().await;
    answer
}

/// Sends a message, and waits until the server has acknowledged it.
async fn steer(server: &ThreadServer, path: &str, run: &str, text: &str) -> Joining {
    open(server, path, &asking(run, text)).await
}

async fn open(server: &ThreadServer, path: &str, input: &Value) -> Joining {
    let mut rest = Request::run(path, input.to_string()).open(server.address).await;
    let seen = rest.until("MESSAGES_SNAPSHOT").await;
    Joining { seen, rest }
}

/// The response to a message that the server has acknowledged.
struct Joining {
    seen: String,
    rest: Answer,
}

impl Joining {
    async fn whole(self) -> String {
        self.seen + self.rest.whole().await.text()
    }
}

async fn post(server: &ThreadServer, path: &str, input: &Value) -> Whole {
    Request::run(path, input.to_string()).send(server.address).await
}

/// Returns the texts of the messages at the end of a stream, each with its id or its role.
fn conversation(text: &str) -> Vec<(String, String)> {
    use agui_runtime::receive::{FrameIntake, ReceivePipeline};
    let (mut intake, mut pipeline) = (FrameIntake::new(), ReceivePipeline::new());
    for event in events(text) {
        let event = intake.text(&event.to_string(), &mut |_| {}).unwrap().unwrap();
        pipeline.receive(event, |_, _, _| {}).unwrap();
    }
    let messages = pipeline.reducer().messages().iter().map(|message| match message {
        agui_runtime::protocol::Message::User(user) => {
            (user.id.to_string(), user.content.text().into_owned())
        }
        agui_runtime::protocol::Message::Assistant(assistant) => {
            ("assistant".to_owned(), assistant.content.clone().unwrap_or_default())
        }
        message => (message.role().as_str().to_owned(), String::new()),
    });
    messages.collect()
}

/// Returns what a client sees that connects when all is over.
async fn stored(server: &ThreadServer, path: &str) -> Vec<(String, String)> {
    let connect = format!("{}/connect", path.trim_end_matches('/'));
    let input = json!({ "threadId": "t", "runId": "connect", "protocolVersion": "1.0", "messages": [] });
    let whole = Request::run(&connect, input.to_string()).send(server.address).await;
    is_legal(whole.text());
    conversation(whole.text())
}

/// Returns the number of records with a text.
async fn records_with(log: &impl ThreadLog, path: &str, text: &str) -> usize {
    let records = log.read(&ThreadKey::new("", path, "t"), 0, usize::MAX).await.unwrap().records;
    records.iter().filter(|(_, record)| String::from_utf8_lossy(record).contains(text)).count()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect()
}

fn memory() -> (Memory, Desk) {
    (Memory::new(), Desk::default())
}
