//! An agent with a model, tools and a subagent, and a server around it.

use std::net::SocketAddr;
use std::sync::Arc;

use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::{PublicError, Server};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Texts that no span may have, unless that is asked for.
pub(crate) const QUESTION: &str = "secret-question";
pub(crate) const INSTRUCTIONS: &str = "secret-instructions";
pub(crate) const ARGUMENT: &str = "secret-argument";
pub(crate) const RESULT: &str = "secret-result";
pub(crate) const ANSWER: &str = "secret-answer";
pub(crate) const CONTENT: [&str; 5] = [QUESTION, INSTRUCTIONS, ARGUMENT, RESULT, ANSWER];

/// Looks up a price.
#[tool]
pub(crate) async fn price(name: String) -> Result<String, std::fmt::Error> {
    match name.as_str() {
        "panic" => panic!("deliberate"),
        "error" => Err(std::fmt::Error),
        _ => Ok(RESULT.to_owned()),
    }
}

/// There is none.
#[derive(Debug, thiserror::Error)]
#[error("{0} is sold out")]
pub(crate) struct SoldOut(String);

impl PublicError for SoldOut {}

/// Sells nothing.
#[tool]
pub(crate) async fn sell(name: String) -> Result<u32, SoldOut> {
    Err(SoldOut(name))
}

/// Counts.
#[tool]
pub(crate) async fn count(number: u32) -> u32 {
    number
}

/// Waits for ever.
#[tool(timeout = "10ms")]
pub(crate) async fn stuck() -> u32 {
    std::future::pending().await
}

/// Researches.
#[agent(tools = [price])]
pub(crate) async fn researcher(
    run: &mut Run<Researcher>,
    _: Input<Researcher>,
    model: &Model,
) -> Result<String, Stop> {
    run.chat(model).text().await
}

/// Sells.
#[agent(tools = [price, sell, count, stuck, Researcher])]
pub(crate) async fn clerk(
    run: &mut Run<Clerk>,
    _: Input<Clerk>,
    model: &Model,
    researcher: &Arc<Researcher>,
) -> Result<(), Stop> {
    run.chat(model).instructions(INSTRUCTIONS).await
}

/// The clerk with the answers of its model, and those of the researcher's.
pub(crate) fn clerk_with<const N: usize, const M: usize>(own: [Reply; N], theirs: [Reply; M]) -> Clerk {
    let researcher = Arc::new(Researcher::new(ScriptedModel::new(theirs).into()));
    Clerk::new(ScriptedModel::new(own).into(), researcher)
}

pub(crate) fn a_call_and_an_answer() -> [Reply; 2] {
    [Reply::call("price", price { name: ARGUMENT.to_owned() }), Reply::text(ANSWER)]
}

pub(crate) async fn serve(server: Server) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(server.serve_on(listener, std::future::pending()));
    address
}

pub(crate) fn input() -> Value {
    json!({
        "threadId": "t-1",
        "runId": "r-1",
        "protocolVersion": "1.0",
        "messages": [{ "id": "u-1", "role": "user", "content": QUESTION }],
    })
}
