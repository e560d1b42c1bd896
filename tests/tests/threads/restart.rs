//! Agents that another server runs again when theirs is lost.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::http::{ClientLeaves, ThreadOptions};
use agui_runtime::manifest::AgentSource;
use agui_runtime::model::{Model, Prompt, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::thread::{LogError, Memory, ThreadLog};
use agui_runtime::{Agent, Error, FinishedRun, Server};
use agui_tests::stored::{Gate, Gated, Op, Way};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::thread_server::{ThreadServer, asking, connecting, events, frames, is_legal, request, types};

/// The bank, which all servers of a test share.
#[derive(Clone, Default)]
struct Bank {
    /// The keys of the payments that were asked for, and those that happened.
    keys: Arc<Mutex<Vec<String>>>,
    paid: Arc<Mutex<HashSet<String>>>,
    /// True if the next payment happens, and its server is lost before it answers.
    hangs: Arc<AtomicBool>,
}

/// Pays.
#[tool]
async fn pay(call: &ToolCtx, bank: &Bank, cents: u32) -> String {
    let key = call.idempotency_key();
    bank.keys.lock().unwrap().push(key.clone());
    bank.paid.lock().unwrap().insert(key);
    if bank.hangs.swap(false, Ordering::SeqCst) {
        std::future::pending::<()>().await;
    }
    format!("paid {cents}")
}

/// Refunds.
#[tool(approval)]
async fn refund(call: &ToolCtx, bank: &Bank, cents: u32) -> String {
    pay(call, bank, cents).await
}

/// Shows a picture.
#[tool(frontend)]
async fn show(name: String);

/// Keeps accounts.
#[agent(restart, tools = [pay, refund, show])]
async fn teller(run: &mut Run<Teller>, _: Input<Teller>, model: &Model, bank: &Bank) -> Result<(), Stop> {
    run.chat(model).await
}

/// Writes a report; the first attempt hangs in the middle of it.
#[agent(restart)]
async fn writer(run: &mut Run<Writer>, input: Input<Writer>, bank: &Bank) -> Result<usize, Stop> {
    let step = run.step("write").await;
    let mut text = run.message().await;
    text.push("All is").await;
    if bank.hangs.swap(false, Ordering::SeqCst) {
        std::future::pending::<()>().await;
    }
    text.push(" well.").await;
    text.end();
    step.finish();
    Ok(input.messages.len())
}

/// A server that is lost, and one that finds its run.
struct Two {
    log: Memory,
    bank: Bank,
    script: fn(&Prompt) -> Reply,
}

impl Two {
    fn new(script: fn(&Prompt) -> Reply) -> Self {
        let bank = Bank::default();
        bank.hangs.store(true, Ordering::SeqCst);
        Self { log: Memory::new(), bank, script }
    }

    fn server(&self) -> Server {
        self.server_on(self.log.clone())
    }

    fn server_on(&self, log: impl ThreadLog) -> Server {
        let options = ThreadOptions::default().lease(Duration::from_secs(1));
        let model = ScriptedModel::from_fn(self.script).into();
        Server::new()
            .threads(log)
            .thread_options(options)
            .agent("/", Teller::new(model, self.bank.clone()))
            .agent("/writer", Writer::new(self.bank.clone()))
    }

    /// Sends an input to a server that ends without a trace once it hangs. Returns what its client saw.
    fn lose(&self, path: &str, input: &Value, until: &str) -> String {
        let doomed = Runtime::new().unwrap();
        let seen = doomed.block_on(async {
            let server = ThreadServer::serve(self.server()).await;
            let request = agui_tests::http::Request::run(path, input.to_string());
            let mut answer = request.open(server.address).await;
            let seen = answer.until(until).await;
            while self.bank.hangs.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            seen
        });
        doomed.shutdown_background();
        seen
    }

    /// Loses a server, and returns the whole run as its client sees it that comes back to another server.
    fn run(&self, input: &Value, until: &str) -> String {
        let seen = self.lose("/", input, until);
        self.rest("/connect", seen)
    }

    fn rest(&self, connect: &str, seen: String) -> String {
        let last = frames(&seen).pop().unwrap().0.unwrap();
        Runtime::new().unwrap().block_on(async {
            let server = ThreadServer::serve(self.server()).await;
            let mut input = asking("connect", "");
            (input["messages"], input["lastSeenEventId"]) = (json!([]), json!(last));
            let rest = agui_tests::http::Request::run(connect, input.to_string()).send(server.address).await;
            let whole = seen + rest.text();
            is_legal(&whole);
            server.close().await;
            whole
        })
    }
}

fn is_answered(prompt: &Prompt) -> bool {
    matches!(prompt.messages.last(), Some(PromptMessage::Tools(_)))
}

#[test]
fn a_call_whose_result_is_missing_runs_again_under_its_key() {
    let two = Two::new(|prompt| match is_answered(prompt) {
        true => Reply::text("Done."),
        false => Reply::call("pay", json!({ "cents": 5 })),
    });
    let whole = two.run(&asking("1", "Pay."), "TOOL_CALL_END");
    assert_eq!(
        types(&whole),
        "RUN_STARTED TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END TOOL_CALL_RESULT TEXT_MESSAGE_START \
         TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END RUN_FINISHED"
    );
    assert_eq!(events(&whole)[4]["content"], "paid 5");
    assert_eq!(two.bank.keys.lock().unwrap().len(), 2, "it ran again");
    assert_eq!(two.bank.paid.lock().unwrap().len(), 1, "it had its effect once");
}

#[test]
fn a_text_that_was_broken_off_ends_and_is_written_again() {
    let two = Two::new(|_| Reply::text(""));
    let seen = two.lose("/writer", &asking("1", "Report."), "All is");
    let whole = two.rest("/writer/connect", seen);
    assert_eq!(
        types(&whole),
        "RUN_STARTED STEP_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END STEP_FINISHED STEP_STARTED \
         TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END STEP_FINISHED RUN_FINISHED"
    );
    let end = events(&whole).pop().unwrap();
    assert_eq!(end["result"], 1, "the agent does not read its own half of a text");
}

#[test]
fn a_call_that_must_be_approved_is_asked_about() {
    let two =
        Two::new(|_| Reply::call("pay", json!({ "cents": 5 })).and_call("refund", json!({ "cents": 9 })));
    let whole = two.run(&asking("1", "Pay, and refund."), "\\\"cents\\\":9");
    let end = events(&whole).pop().unwrap();
    let question = &end["outcome"]["interrupts"][0];
    assert_eq!(question["message"], "Run `refund`?", "{end}");
    assert_eq!(two.bank.paid.lock().unwrap().len(), 1, "nothing is refunded");
    // The answer counts on any server, and also that run may be lost.
    let mut answer = asking("2", "");
    answer["messages"] = json!([]);
    answer["resume"] =
        json!([{ "interruptId": question["id"], "status": "resolved", "payload": { "approved": true } }]);
    two.bank.hangs.store(true, Ordering::SeqCst);
    let two = Two { script: |_| Reply::text("Done."), ..two };
    let seen = two.lose("/", &answer, "RUN_STARTED");
    let whole = two.rest("/connect", seen);
    assert_eq!(
        types(&whole),
        "RUN_STARTED TOOL_CALL_RESULT TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END RUN_FINISHED"
    );
    assert_eq!(two.bank.paid.lock().unwrap().len(), 2, "the refund had its effect once");
}

#[test]
fn a_call_of_a_frontend_tool_is_abandoned_because_the_run_goes_on() {
    let two = Two::new(|prompt| match is_answered(prompt) {
        true => Reply::text("Done."),
        false => Reply::call("pay", json!({ "cents": 5 })).and_call("show", json!({ "name": "rice" })),
    });
    let mut input = asking("1", "Pay.");
    input["tools"] = json!([{ "name": "show", "description": "Shows a picture.", "parameters": {
        "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"],
    } }]);
    let whole = two.run(&input, "rice");
    let results: Vec<_> =
        events(&whole).into_iter().filter(|event| event["type"] == "TOOL_CALL_RESULT").collect();
    assert_eq!(results[0]["content"], "{\"error\":\"abandoned\"}");
    assert_eq!(results[1]["content"], "paid 5");
    assert!(types(&whole).ends_with("TEXT_MESSAGE_END RUN_FINISHED"), "{whole}");
}

#[test]
fn a_run_that_was_asked_to_stop_is_not_run_again() {
    let two = Two::new(|_| Reply::call("pay", json!({ "cents": 5 })));
    let seen = two.lose("/", &asking("1", "Pay."), "TOOL_CALL_END");
    Runtime::new().unwrap().block_on(async {
        // Its lease is not over, so this server only leaves the wish.
        let server = ThreadServer::serve(two.server()).await;
        let stopped = agui_tests::http::Request::new("POST", "/stop/t").send(server.address).await;
        assert_eq!(stopped.json(), json!({ "stopped": true }));
        server.close().await;
    });
    let whole = two.rest("/connect", seen);
    let end = events(&whole).pop().unwrap();
    assert_eq!(end["code"], "node_lost", "{end}");
    assert_eq!(two.bank.keys.lock().unwrap().len(), 1);
}

#[test]
fn a_run_that_takes_its_servers_down_ends() {
    let two = Two::new(|_| Reply::call("pay", json!({ "cents": 5 })));
    let mut seen = two.lose("/", &asking("1", "Pay."), "TOOL_CALL_END");
    for restart in 1..=3 {
        two.bank.hangs.store(true, Ordering::SeqCst);
        let doomed = Runtime::new().unwrap();
        doomed.block_on(async {
            let _server = ThreadServer::serve(two.server()).await;
            while two.bank.hangs.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        doomed.shutdown_background();
        assert_eq!(two.bank.keys.lock().unwrap().len(), 1 + restart);
    }
    seen = two.rest("/connect", seen);
    assert_eq!(events(&seen).pop().unwrap()["code"], "node_lost");
    assert_eq!(two.bank.paid.lock().unwrap().len(), 1);
}

#[test]
fn a_server_that_ends_takes_over_no_run() {
    let two = Two::new(|prompt| match is_answered(prompt) {
        true => Reply::text("Done."),
        false => Reply::call("pay", json!({ "cents": 5 })),
    });
    let seen = two.lose("/", &asking("1", "Pay."), "TOOL_CALL_END");
    let ending = Runtime::new().unwrap();
    ending.block_on(async {
        let server = ThreadServer::serve(two.server()).await;
        let mut going_on = asking("1", "Report.");
        going_on["threadId"] = json!("u");
        two.bank.hangs.store(true, Ordering::SeqCst);
        let request = agui_tests::http::Request::run("/writer", going_on.to_string());
        let mut answer = request.open(server.address).await;
        answer.until("All is").await;
        // The lease of the lost run is over while this server waits for the other one.
        let closing = tokio::time::timeout(Duration::from_secs(2), server.close()).await;
        assert!(closing.is_err(), "a run goes on");
    });
    ending.shutdown_background();
    assert_eq!(two.bank.keys.lock().unwrap().len(), 1);
    let whole = two.rest("/connect", seen);
    assert!(whole.contains("paid 5"), "the next server does: {whole}");
}

/// A store that takes the claim of a run, and no append after it.
#[derive(Debug, Default)]
struct Full(AtomicUsize);

impl Gate for Full {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        let is_run = matches!(op, Op::Append(key, _) if !key.agent().is_empty());
        async move {
            if is_run && self.0.fetch_add(1, Ordering::SeqCst) > 0 {
                std::future::pending::<()>().await;
            }
            Ok(Way::Through)
        }
        .boxed()
    }
}

#[test]
fn a_call_that_the_store_does_not_have_does_not_run() {
    let two = Two::new(|prompt| match is_answered(prompt) {
        true => Reply::text("Done."),
        false => Reply::call("pay", json!({ "cents": 5 })),
    });
    two.bank.hangs.store(false, Ordering::SeqCst);
    let doomed = Runtime::new().unwrap();
    let seen = doomed.block_on(async {
        let gated = Gated::new(Arc::new(two.log.clone()), Arc::new(Full::default()));
        let server = ThreadServer::serve(two.server_on(gated)).await;
        let mut answer = request(&asking("1", "Pay.")).open(server.address).await;
        let seen = answer.until("RUN_STARTED").await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(two.bank.keys.lock().unwrap().is_empty(), "another server would not know of the call");
        seen
    });
    doomed.shutdown_background();
    let whole = two.rest("/connect", seen);
    assert!(types(&whole).ends_with("TEXT_MESSAGE_END RUN_FINISHED"), "{whole}");
    assert_eq!(two.bank.keys.lock().unwrap().len(), 1);
}

#[test]
fn a_client_that_reads_the_run_on_the_other_server_keeps_it_from_being_cancelled() {
    let two = Two::new(|prompt| match is_answered(prompt) {
        true => Reply::text("Done."),
        false => Reply::call("pay", json!({ "cents": 5 })),
    });
    let options = || {
        let leaves = ClientLeaves::CancelAfter(Duration::ZERO);
        ThreadOptions::default().lease(Duration::from_secs(1)).client_leaves(leaves)
    };
    let (doomed, other) = (Runtime::new().unwrap(), Runtime::new().unwrap());
    let (first, server) = doomed.block_on(async {
        let server = ThreadServer::serve(two.server().thread_options(options())).await;
        let mut answer = request(&asking("1", "Pay.")).open(server.address).await;
        answer.until("TOOL_CALL_END").await;
        while two.bank.hangs.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        (answer, server)
    });
    let whole = other.block_on(async {
        let following = ThreadServer::serve(two.server().thread_options(options())).await;
        let mut reader = connecting(None).open(following.address).await;
        let seen = reader.until("MESSAGES_SNAPSHOT").await;
        doomed.shutdown_background();
        let whole = seen + reader.whole().await.text();
        following.close().await;
        whole
    });
    drop((first, server));
    is_legal(&whole);
    assert!(types(&whole).ends_with("TEXT_MESSAGE_END RUN_FINISHED"), "{whole}");
    assert!(!whole.contains("cancelled"), "{whole}");
}

/// The customer, who comes with the request.
#[derive(Clone)]
struct Customer;

/// Greets the customer.
struct Greeter;

impl Agent for Greeter {
    type State = ();
    type Request = Arc<Customer>;
    type Output = ();

    const RESTARTS: bool = true;

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        AgentSource::new("greeter")
    }
}

#[test]
fn an_agent_that_needs_a_request_cannot_be_served_with_a_store() {
    let refused = Server::new().threads(Memory::new()).agent("/", Greeter).router().err();
    let Some(error @ Error::Restart { .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(
        error.to_string(),
        "the agent at `/` cannot be run again by another server, which has no request"
    );
    assert!(Server::new().agent("/", Greeter).router().is_ok(), "without a store nothing is run again");
}

#[test]
fn an_agent_that_is_made_for_each_request_cannot_be_run_again() {
    let made = || Server::new().agent_with("/desk", |_| Ok(Writer::new(Bank::default())));
    let refused = made().threads(Memory::new()).router().err();
    let Some(error @ Error::RestartOfMade { .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(
        error.to_string(),
        "the agent at `/desk` cannot be run again by another server, which has no request to make it from: use \
         `Server::agent`, or leave `restart` out"
    );
    assert!(made().router().is_ok(), "without a store nothing is run again");
    let ends = Server::new()
        .threads(Memory::new())
        .agent_with("/", |_| Ok(crate::thread_server::Clerk::new(Default::default())));
    assert!(ends.router().is_ok(), "its lost runs end");
}
