//! Agents among the tools of another: attribution, results, questions that continue where they were asked, limits.

mod approvals;
mod handoff;
mod inside;
mod limits;
mod official;
mod promises;
mod results;
mod state;

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;

use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    Event, Interrupt as Question, NonNull, ResumeEntry, ResumeStatus, RunAgentInput, UserMessage,
};
use agui_runtime::receive::{ReceivePipeline, Reducer};
use agui_runtime::testing::{self, RunEnd};
use agui_runtime::{Agent, Ids};
use agui_tests::judge;
use futures::StreamExt;
use serde_json::{Value, json};

/// The number of published texts.
#[derive(Default)]
struct Press(AtomicU32);

impl Press {
    fn count(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Looks words up.
#[tool]
async fn search(words: String) -> String {
    assert_ne!(words, "panic");
    format!("read about {words}")
}

/// Waits until another call of it runs at the same time.
#[tool]
async fn meet(press: &Arc<Press>) -> bool {
    press.0.fetch_add(1, Ordering::SeqCst);
    let mut left = 100;
    poll_fn(|cx| {
        left -= 1;
        cx.waker().wake_by_ref();
        if press.count() == 2 || left == 0 { Poll::Ready(left > 0) } else { Poll::Pending }
    })
    .await
}

/// Publishes a text.
#[tool(approval)]
async fn publish(press: &Arc<Press>, text: String) -> String {
    press.0.fetch_add(1, Ordering::SeqCst);
    format!("published {text}")
}

/// Researches a topic.
#[agent(tools = [search, meet, publish])]
async fn researcher(
    run: &mut Run<Researcher>,
    input: Input<Researcher>,
    model: &Model,
    press: &Arc<Press>,
) -> Result<String, Stop> {
    match input.user_text().as_deref() {
        Some("fail") => Err(Stop::error("the library is closed").with_code("CLOSED")),
        Some("burn") => Err(Stop::error("the library burns").with_code("FIRE").fatal()),
        Some("panic") => panic!("hunter2"),
        _ => run.chat(model).text().await,
    }
}

/// Writes articles.
#[agent(tools = [search, Researcher])]
async fn writer(
    run: &mut Run<Writer>,
    _: Input<Writer>,
    model: &Model,
    researcher: &Arc<Researcher>,
) -> Result<String, Stop> {
    run.chat(model).text().await
}

/// A writer and its researcher, whose models answer in this order.
struct Desk {
    writer: Writer,
    press: Arc<Press>,
    of_writer: Arc<ScriptedModel>,
    of_researcher: Arc<ScriptedModel>,
}

fn desk(writer: impl Into<Vec<Reply>>, researcher: impl Into<Vec<Reply>>) -> Desk {
    let of_writer = Arc::new(ScriptedModel::new(writer));
    let of_researcher = Arc::new(ScriptedModel::new(researcher));
    let press = Arc::<Press>::default();
    let researcher = Researcher::new(Arc::clone(&of_researcher).into(), Arc::clone(&press));
    let writer = Writer::new(Arc::clone(&of_writer).into(), Arc::new(researcher));
    Desk { writer, press, of_writer, of_researcher }
}

fn research(task: &str) -> Reply {
    Reply::call("researcher", json!({ "task": task }))
}

/// Runs of an agent on one thread, with the conversation that a client keeps.
struct Thread<A> {
    agent: Arc<A>,
    input: RunAgentInput,
    runs: usize,
}

impl<A: Agent> Thread<A> {
    fn new(agent: A, text: &str) -> Self {
        Self { agent: Arc::new(agent), input: testing::input(text), runs: 0 }
    }

    /// The client is a legacy client, such as CopilotKit's.
    fn legacy(mut self) -> Self {
        self.input.protocol_version = None;
        self
    }

    /// One run, judged by the verifier. The conversation becomes what the client then holds.
    fn run(&mut self) -> Vec<Event> {
        self.runs += 1;
        self.input.run_id = format!("run-{}", self.runs).into();
        let options = testing::options().ids(Ids::fixed(format!("r{}", self.runs)));
        let stream = agui_runtime::start(Arc::clone(&self.agent), self.input.clone(), options);
        let events: Vec<Event> = futures::executor::block_on(stream.collect());
        judge::answer(&self.input, &["invoice_number"], &events)
            .unwrap_or_else(|violation| panic!("{violation}\n{}", testing::lines(&events)));
        let mut client =
            ReceivePipeline::new().with_reducer(Reducer::new().with_messages(self.input.messages.clone()));
        for event in &events {
            client.push(event.clone());
        }
        client.drain(|_, _, _| {}).expect("a legal stream");
        self.input.messages = client.reducer().messages().to_vec();
        self.input.resume = None;
        events
    }

    /// The next run, in which the user says something.
    fn say(&mut self, text: &str) -> Vec<Event> {
        self.input.messages.push(UserMessage::new(format!("said-{}", self.runs), text).into());
        self.run()
    }

    /// The next run, which brings answers.
    fn answer(&mut self, answers: impl IntoIterator<Item = ResumeEntry>) -> Vec<Event> {
        self.input.resume = Some(answers.into_iter().collect());
        self.run()
    }
}

fn questions(events: &[Event]) -> Vec<Question> {
    match testing::end(events) {
        RunEnd::Interrupt(questions) => questions.to_vec(),
        other => panic!("{other:?}\n{}", testing::lines(events)),
    }
}

fn resolved(question: &Question, payload: Value) -> ResumeEntry {
    ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved).with_payload(NonNull::new(payload).unwrap())
}

fn approved(question: &Question) -> ResumeEntry {
    resolved(question, json!({ "approved": true }))
}

/// The results of calls, with the id of each.
fn results(events: &[Event]) -> Vec<(String, String)> {
    let result = |event: &Event| match event {
        Event::ToolCallResult(result) => {
            Some((result.tool_call_id.to_string(), result.content.text().into_owned()))
        }
        _ => None,
    };
    events.iter().filter_map(result).collect()
}

/// The type and the author of each event.
fn brief(events: &[Event]) -> Vec<String> {
    let line = |event: &Event| {
        let event = serde_json::to_value(event).unwrap();
        let author = event["subagentRunId"].as_str().map(|author| format!(" {author}"));
        format!("{}{}", event["type"].as_str().unwrap(), author.unwrap_or_default())
    };
    events.iter().map(line).collect()
}

/// The messages of a prompt, as text.
fn read(model: &ScriptedModel) -> String {
    format!("{:?}", model.prompts().last().unwrap().messages)
}
