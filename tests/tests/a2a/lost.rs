//! Tasks whose server is lost while clients follow them at another server of the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::a2a::A2aServer;
use agui_runtime::http::ThreadOptions;
use agui_runtime::prelude::*;
use agui_runtime::thread::Memory;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::desk::{Bells, Desk};
use crate::streams::folded;
use crate::talk::{TestServer, begun, block_on, items, message, rpc, rpc_at, state, texts};

/// Writes a report; the first attempt hangs in the middle of it.
#[agent(restart)]
async fn writer(run: &mut Run<Writer>, _: Input<Writer>, hangs: &Arc<AtomicBool>) -> Result<String, Stop> {
    let mut text = run.message().await;
    text.push("All is").await;
    if hangs.swap(false, Ordering::SeqCst) {
        std::future::pending::<()>().await;
    }
    text.push(" well.").await;
    text.end();
    Ok("written".to_owned())
}

/// A server that is lost, and another one of its store.
struct Two {
    log: Memory,
    hangs: Arc<AtomicBool>,
    doomed: Option<Runtime>,
    first: TestServer,
}

impl Two {
    fn new() -> Self {
        let (log, hangs) = (Memory::new(), Arc::new(AtomicBool::new(true)));
        let doomed = Runtime::new().unwrap();
        let first = doomed.block_on(serve(&log, &hangs));
        Self { log, hangs, doomed: Some(doomed), first }
    }

    async fn second(&self) -> TestServer {
        serve(&self.log, &self.hangs).await
    }

    /// Begins a task, and returns it when its agent hangs.
    async fn begin(&self, path: &str, text: &str, until: &str) -> Value {
        let params = json!({ "message": message("m-1", text) });
        let mut answer = rpc_at(path, "SendStreamingMessage", params).open(self.first.address).await;
        begun(&answer.until(until).await)
    }

    fn lose(&mut self) {
        self.doomed.take().unwrap().shutdown_background();
    }
}

async fn serve(log: &Memory, hangs: &Arc<AtomicBool>) -> TestServer {
    let bells = Bells::default();
    let options = ThreadOptions::default().lease(Duration::from_secs(1));
    let server = Server::new().threads(log.clone()).thread_options(options);
    let (desk, writer) = (Desk::new(bells.clone()), Writer::new(Arc::clone(hangs)));
    TestServer::serve(server.a2a("/a2a", A2aServer::new(writer)).a2a("/desk", A2aServer::new(desk)), bells)
        .await
}

#[test]
fn a_client_that_follows_a_task_sees_it_go_on_at_another_server() {
    let mut two = Two::new();
    block_on(async {
        let second = two.second().await;
        let task = two.begin("/a2a", "Report.", "All is").await;
        let subscribe = rpc("SubscribeToTask", json!({ "id": task["id"] }));
        let mut followed = subscribe.open(second.address).await;
        followed.until("All is").await;
        let address = second.address;
        let whole = tokio::spawn(async move { subscribe.send(address).await });
        two.lose();
        let rest = followed.until("COMPLETED").await;
        assert!(rest.contains(" well."), "{rest}");
        let whole = whole.await.unwrap();
        let got = second.ask("GetTask", json!({ "id": task["id"] })).await;
        let mut seen = folded(&items(&whole));
        seen["history"] = got["history"].clone();
        assert_eq!(seen, got, "the stream adds up to the task");
        // The half of a text that was broken off is a message of its own, as on a page.
        assert_eq!(texts(&got), ["All is", "All is well."]);
    });
}

#[test]
fn a_task_of_an_agent_that_cannot_be_run_again_fails() {
    let mut two = Two::new();
    block_on(async {
        let second = two.second().await;
        let task = two.begin("/desk", "wait", "waiting").await;
        let of_task = |method: &str| rpc_at("/desk", method, json!({ "id": task["id"] }));
        let mut followed = of_task("SubscribeToTask").open(second.address).await;
        followed.until("waiting").await;
        two.lose();
        let rest = followed.until("FAILED").await;
        assert!(rest.contains("node_lost"), "{rest}");
        let late = of_task("CancelTask").send(second.address).await.json();
        assert_eq!(late["error"]["code"], -32002, "{late}");
    });
}

#[test]
fn a_lost_task_that_is_cancelled_is_not_run_again() {
    let mut two = Two::new();
    block_on(async {
        let second = two.second().await;
        let task = two.begin("/a2a", "Report.", "All is").await;
        two.lose();
        // Its lease is not over: the request is kept, and the run ends where its server is missed.
        let cancelled = second.respond("CancelTask", json!({ "id": task["id"] })).await;
        let got = second.ask("GetTask", json!({ "id": task["id"] })).await;
        assert_eq!(state(&got), "TASK_STATE_FAILED", "{cancelled}");
        assert_eq!(cancelled["error"]["code"], -32002, "{cancelled}");
        assert_eq!(texts(&got), ["All is"]);
    });
}
