//! The last message and the title of a thread with more than one agent: texts for the user count, and those for a caller do not.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::{FirstExchange, ThreadOptions};
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::thread::Memory;
use agui_tests::http::Request;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

use crate::thread_server::{ThreadServer, asking, is_legal, request, types};

/// Answers questions about invoices.
#[agent]
async fn billing(run: &mut Run<Billing>, _: Input<Billing>) -> Result<(), Stop> {
    run.say("It is paid.").await;
    Ok(())
}

/// Writes notes for its caller, and does not come to an end.
#[agent]
async fn researcher(run: &mut Run<Researcher>, _: Input<Researcher>) -> Result<String, Stop> {
    run.say("Internal notes.").await;
    std::future::pending().await
}

/// Greets customers.
#[agent(tools = [Researcher], handoffs = [Billing])]
async fn reception(
    run: &mut Run<Reception>,
    _: Input<Reception>,
    model: &Model,
    researcher: &Arc<Researcher>,
    billing: &Arc<Billing>,
) -> Result<(), Stop> {
    run.chat(model).await
}

fn reception_with(reply: Reply) -> Reception {
    let model = ScriptedModel::new([reply]);
    Reception::new(model.into(), Arc::new(Researcher::new()), Arc::new(Billing::new()))
}

async fn entry(server: &ThreadServer) -> Value {
    let entry = Request::new("GET", "/threads/t").send(server.address).await;
    assert_eq!(entry.status, 200, "{}", entry.text());
    entry.json()
}

#[tokio::test]
async fn an_agent_that_took_the_conversation_over_has_the_last_word_and_gives_a_title() {
    let options = ThreadOptions::default().titles(|exchange: FirstExchange| async move {
        Some(format!("{} {}", exchange.question(), exchange.answer()))
    });
    let agent = reception_with(Reply::call("transfer_to_billing", "{}"));
    let server = Server::new().threads(Memory::new()).thread_options(options).agent("/", agent);
    let server = ThreadServer::serve(server).await;
    is_legal(server.run(&asking("1", "My invoice?")).await.text());
    let last = entry(&server).await["lastMessage"].clone();
    assert_eq!((&last["role"], &last["text"]), (&json!("assistant"), &json!("It is paid.")));
    let titled = timeout(Duration::from_secs(20), async {
        while entry(&server).await["title"] != "My invoice? It is paid." {
            sleep(Duration::from_millis(5)).await;
        }
    });
    titled.await.expect("the thread gets no title");
}

#[test]
fn a_run_that_is_lost_inside_of_a_called_agent_leaves_the_last_text_for_the_user() {
    let log = Memory::new();
    let serving = |log: &Memory| {
        let options = ThreadOptions::default().lease(Duration::from_secs(1));
        let reply = Reply::text("One moment.").and_call("researcher", json!({ "task": "How old is rice?" }));
        Server::new().threads(log.clone()).thread_options(options).agent("/", reception_with(reply))
    };
    let doomed = Runtime::new().unwrap();
    doomed.block_on(async {
        let server = ThreadServer::serve(serving(&log)).await;
        let mut answer = request(&asking("1", "How old is rice?")).open(server.address).await;
        answer.until("Internal notes.").await;
        drop(answer);
        std::mem::forget(server);
    });
    doomed.shutdown_background();
    Runtime::new().unwrap().block_on(async {
        let server = ThreadServer::serve(serving(&log)).await;
        let rest = server.connect(None).await;
        assert!(rest.text().contains("Internal notes."), "{}", rest.text());
        assert_eq!(types(rest.text()).split(' ').next_back(), Some("RUN_ERROR"));
        let last = entry(&server).await["lastMessage"].clone();
        assert_eq!((&last["role"], &last["text"]), (&json!("assistant"), &json!("One moment.")));
    });
}
