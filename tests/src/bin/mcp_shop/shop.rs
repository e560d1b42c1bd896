//! An agent with tools of every kind, for tests that serve it over MCP.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "test support: what goes wrong here fails the test, and tools have their own docs"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agui_runtime::prelude::*;
use agui_runtime::protocol::{DataSource, ImagePart, TextPart};
use agui_runtime::state::StateError;
use agui_runtime::tools::{ContentParts, Progress};
use futures::{Stream, StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The calls of `wait` that began, and those that were dropped before their end.
#[derive(Clone, Debug, Default)]
pub struct Waiting(Arc<[AtomicUsize; 2]>);

impl Waiting {
    /// Counts a call that begins.
    pub fn begin(&self) {
        self.0[0].fetch_add(1, Ordering::SeqCst);
    }

    /// The number of calls that began.
    #[must_use]
    pub fn began(&self) -> usize {
        self.0[0].load(Ordering::SeqCst)
    }

    /// The number of calls that were cancelled.
    #[must_use]
    pub fn cancelled(&self) -> usize {
        self.0[1].load(Ordering::SeqCst)
    }
}

/// The party behind a request.
#[derive(Clone, Debug)]
pub struct Customer(pub String);

/// A part of an order.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    pub item: String,
    #[serde(default)]
    pub count: u32,
}

/// An order.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    pub number: u64,
    pub lines: Vec<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid_at: Option<String>,
}

/// The notes so far.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct Notes {
    pub notes: Vec<String>,
}

/// Looks up what an ingredient costs, in cents.
#[tool(title = "Price", read_only, idempotent, closed_world)]
pub async fn price(
    /// Its name, singular.
    name: String,
) -> Result<u32, Stop> {
    match name.as_str() {
        "rice" => Ok(180),
        "salt" => Ok(90),
        _ => Err(Stop::error(format!("there is no {name}"))),
    }
}

/// Places an order.
#[tool(destructive)]
pub async fn order(
    /// The items and their numbers.
    #[schemars(length(min = 1))]
    lines: Vec<Line>,
) -> Order {
    Order { number: 7, lines, paid_at: None }
}

/// Pays an order back.
#[tool(approval)]
pub async fn refund(number: u64) -> String {
    format!("{number} is paid back")
}

/// Asks the person whether that is all.
#[tool(frontend)]
pub async fn checkout(total: u32) -> bool;

/// Takes a note, and returns the number of notes.
#[tool]
pub async fn note(notes: &StateHandle<Notes>, text: String) -> Result<usize, StateError> {
    notes.update(|notes| notes.notes.push(text)).await?;
    notes.read(|notes| notes.notes.len())
}

/// Shows a picture.
#[tool]
pub async fn picture() -> ContentParts {
    let image = ImagePart::new(DataSource::new("aW1hZ2U=", "image/png"));
    ContentParts::from(vec![TextPart::new("A bag of rice.").into(), image.into()])
}

/// Waits for ever.
#[tool]
pub async fn wait(waiting: &Waiting) -> bool {
    struct Left<'w>(&'w Waiting);
    impl Drop for Left<'_> {
        fn drop(&mut self) {
            self.0.0[1].fetch_add(1, Ordering::SeqCst);
        }
    }
    waiting.begin();
    let _left = Left(waiting);
    std::future::pending().await
}

/// Is too slow.
#[tool(timeout = "50ms")]
pub async fn slow() -> bool {
    std::future::pending().await
}

/// Returns a text of this many characters.
#[tool(max_result = "1KB")]
pub async fn long(characters: usize) -> String {
    "x".repeat(characters)
}

/// Has a bug.
#[tool]
pub async fn bug() -> u32 {
    panic!("the secret is 42")
}

/// Fails with an error that is not for the model.
#[tool]
pub async fn hidden() -> Result<u32, std::io::Error> {
    Err(std::io::Error::other("the password is 42"))
}

/// Ends the run.
#[tool]
pub async fn fatal() -> Result<u32, Stop> {
    Err(Stop::error("the shop burns").fatal())
}

/// Tells the caller's name, the thread and the tool.
#[tool]
pub async fn whoami(customer: Option<&Customer>, call: &ToolCtx) -> String {
    let name = customer.map_or("unknown", |customer| customer.0.as_str());
    format!("{name} in {} calls {}", call.thread_id(), call.tool())
}

/// Bakes bread, and reports how far it is, once with a progress that does not grow.
#[tool]
pub async fn bake(run: &Emit, call: &ToolCtx) -> String {
    run.progress(call, Progress::with_total(1.0, 3.0).message("kneaded")).await;
    run.progress(call, Progress::with_total(1.0, 3.0).message("again")).await;
    run.progress(call, Progress::with_total(2.5, 3.0)).await;
    "bread".to_owned()
}

/// Lists the shelves, one after the other.
#[tool]
pub fn shelves(count: u32) -> impl Stream<Item = Line> {
    stream::iter(1..=count).map(|count| Line { item: "shelf".to_owned(), count })
}

/// Ends the program of the server in the middle of a call.
#[tool]
pub async fn crash() -> bool {
    std::process::exit(3)
}

/// Sells things.
#[agent(
    state = Notes,
    tools = [price, order, refund, checkout, note, picture, wait, slow, long, bug, hidden, fatal, whoami, bake, shelves, crash]
)]
pub async fn shop(
    _: &mut Run<Shop>,
    _: Input<Shop>,
    waiting: &Waiting,
    #[request] customer: Option<&Customer>,
) -> Result<(), Stop> {
    let _ = (waiting, customer);
    panic!("the agent's own function does not run over MCP")
}
