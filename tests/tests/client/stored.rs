//! A server that stores its threads: its runs go on, and clients find them again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::client::middleware::Retry;
use agui_runtime::client::{HttpAgent, ResumeValue, RunOutcome, Session};
use agui_runtime::http::{BusyThread, ThreadOptions};
use agui_runtime::prelude::*;
use agui_runtime::protocol::NonNull;
use agui_runtime::thread::Memory;
use agui_tests::cut_proxy::CutProxy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::in_time;

/// The state of the conversation.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, Debug, PartialEq)]
struct Count {
    words: u32,
}

/// Asks before something is sent.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm", message = "Send it?", response = bool)]
struct Confirm {
    text: String,
}

/// Tells the time.
#[tool(frontend)]
async fn clock() -> u32;

/// Does what the last message says.
#[agent(state = Count, interrupts = [Confirm], tools = [clock])]
async fn speaker(run: &mut Run<Speaker>, input: Input<Speaker>, bell: &Arc<Notify>) -> Result<(), Stop> {
    let count = run.state().adopt_or_snapshot(&input).await?;
    if let Some(asked) = input.resumed::<Confirm>()? {
        run.say(if asked.response == Some(true) { "Sent." } else { "Not sent." }).await;
        return Ok(());
    }
    if let Some(hour) = input.frontend_result::<clock>()? {
        run.say(format!("It is {hour}.")).await;
        return Ok(());
    }
    match &*input.user_text().unwrap_or_default() {
        "ask" => return Err(run.ask(Confirm { text: "Dear all".to_owned() })),
        "time" => {
            let asked = run.call(clock {}).await?;
            return Err(Stop::await_frontend(asked));
        }
        "wait" => {
            let mut text = run.message().await;
            text.push("waiting").await;
            bell.notified().await;
            text.push(" is over").await;
            text.end();
        }
        _ => {
            for message in 0..4 {
                let mut text = run.message().await;
                for word in 0..40 {
                    text.push(format!("{message}.{word} … ")).await;
                    count.update(|count| count.words += 1).await?;
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                text.end();
            }
        }
    }
    Ok(())
}

/// Serves the agent; returns its address, and the bell that lets a waiting run go on.
async fn serve() -> (SocketAddr, Arc<Notify>) {
    let bell = Arc::new(Notify::new());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let options = ThreadOptions::default().busy(BusyThread::Reject);
    let server = Server::new().threads(Memory::new()).thread_options(options);
    let server = server.agent("/", Speaker::new(Arc::clone(&bell)));
    tokio::spawn(async move { server.serve_on(listener, std::future::pending()).await });
    (address, bell)
}

fn session(url: &str) -> Session<Count> {
    let soon =
        Retry::times(20).first_pause(Duration::from_millis(1)).longest_pause(Duration::from_millis(50));
    Session::new(HttpAgent::new(url).unwrap().reconnect(soon)).with_thread_id("t")
}

fn at(address: SocketAddr) -> Session<Count> {
    session(&format!("http://{address}/"))
}

/// Returns the conversation and the outcome that a later client finds.
async fn found(address: SocketAddr) -> (Value, RunOutcome) {
    let mut session = at(address);
    let turn = in_time(session.connect()).await.unwrap().expect("the thread has runs");
    let outcome = in_time(turn.finish()).await.unwrap().outcome;
    (json!([session.messages(), session.state_value()]), outcome)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_through_a_network_that_cuts_every_connection_is_whole() {
    let (address, _) = serve().await;
    let seed = u64::from(std::process::id());
    eprintln!("seed {seed}");
    let room = move |connection: usize| {
        let mixed = (seed + connection as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        // The head of a response, one event, and any part of the next ones.
        1200 + usize::try_from(mixed % 2000).unwrap()
    };
    let proxy = CutProxy::start(address, room);
    let mut session = session(&proxy.url("/"));
    session.say("speak");
    let done = in_time(session.run()).await.unwrap();
    assert!(matches!(done.outcome, RunOutcome::Success { .. }), "{:?}", done.outcome);
    assert_eq!(session.state().unwrap(), Some(&Count { words: 160 }));
    let expected: Vec<String> =
        (0..4).map(|message| (0..40).map(|word| format!("{message}.{word} … ")).collect()).collect();
    assert_eq!(done.text(), expected.join("\n\n"));
    let (whole, outcome) = found(address).await;
    assert_eq!((json!([session.messages(), session.state_value()]), done.outcome), (whole, outcome));
    let connections = proxy.connections();
    eprintln!("{connections} connections");
    assert!(connections > 5, "{connections}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_on_while_its_client_is_away() {
    let (address, bell) = serve().await;
    let mut first = at(address);
    first.say("wait");
    let mut turn = first.start();
    while turn.session().messages().len() < 2 {
        in_time(turn.next()).await.unwrap().expect("the run goes on");
    }
    drop(turn);

    let mut again = at(address);
    let mut turn = in_time(again.connect()).await.unwrap().expect("a run goes on");
    bell.notify_one();
    while in_time(turn.next()).await.unwrap().is_some() {}
    assert_eq!(in_time(turn.finish()).await.unwrap().text(), "waiting is over");
    // The next run needs only what is new.
    again.say("wait");
    bell.notify_one();
    assert_eq!(in_time(again.run()).await.unwrap().text(), "waiting is over");
    assert_eq!(again.messages().len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_question_is_answered_by_another_client() {
    let (address, _) = serve().await;
    let mut first = at(address);
    first.say("ask");
    in_time(first.run()).await.unwrap();

    let mut again = at(address);
    let turn = in_time(again.connect()).await.unwrap().expect("the thread has a run");
    assert!(matches!(in_time(turn.finish()).await.unwrap().outcome, RunOutcome::Interrupted { .. }));
    let question = again.pending_interrupts()[0].id.clone();
    again.resume([(question.clone(), ResumeValue::resolved(NonNull::new(json!(true))))]).unwrap();
    assert_eq!(in_time(again.run()).await.unwrap().text(), "Sent.");

    // It counts once: the first client learns that it is answered.
    first.resume([(question, ResumeValue::resolved(NonNull::new(json!(true))))]).unwrap();
    let error = in_time(first.run()).await.unwrap_err();
    assert_eq!(error.code(), Some("interrupt_not_open"), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_call_is_answered_by_the_next_turn() {
    let (address, _) = serve().await;
    let mut first = at(address).declare_tool::<clock>();
    first.say("time");
    in_time(first.run()).await.unwrap();
    let mut again = at(address).frontend_tool(|_: clock| async { 12 });
    let turn = in_time(again.connect()).await.unwrap().expect("the thread has a run");
    assert_eq!(in_time(turn.finish()).await.unwrap().runs, 0, "a client that connects starts no run");
    assert_eq!(again.pending_calls().len(), 1);
    assert_eq!(in_time(again.run()).await.unwrap().text(), "It is 12.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_stopped_from_anywhere() {
    let (address, _bell) = serve().await;
    assert!(!in_time(at(address).stop()).await.unwrap(), "no run goes on");
    let mut first = at(address);
    first.say("wait");
    let mut turn = first.start();
    while turn.session().messages().len() < 2 {
        in_time(turn.next()).await.unwrap().expect("the run goes on");
    }
    let mut second = at(address);
    second.say("wait");
    let busy = in_time(second.run()).await.unwrap_err();
    assert_eq!(busy.code(), Some("thread_busy"), "{busy:?}");
    assert!(in_time(at(address).stop()).await.unwrap());
    assert_eq!(in_time(turn.finish()).await.unwrap().outcome, RunOutcome::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_a_store_has_nothing_to_connect_to() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = Server::new().agent("/", Speaker::new(Arc::new(Notify::new())));
    tokio::spawn(async move { server.serve_on(listener, std::future::pending()).await });
    let mut session = at(address);
    assert!(in_time(session.connect()).await.unwrap().is_none());
}
