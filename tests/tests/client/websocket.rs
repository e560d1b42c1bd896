//! Sessions over a WebSocket: as over HTTP, with the same reconnection.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agui_runtime::client::middleware::Retry;
use agui_runtime::client::{Accept, ClientError, HttpAgent, RunOutcome, Session, TimedOut};
use agui_runtime::prelude::*;
use agui_runtime::thread::Memory;
use agui_runtime::{Limits, Server};
use agui_tests::cut_proxy::CutProxy;
use futures::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use crate::in_time;

/// The bytes of a long text, which are more than those of a frame besides its event.
const LONG: usize = 200_000;

/// The state of the conversation.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, Debug, PartialEq)]
struct Count {
    words: u32,
}

/// Counts to the number of the last message, says a long text, or waits.
#[agent(state = Count)]
async fn counter(run: &mut Run<Counter>, input: Input<Counter>, bell: &Arc<Notify>) -> Result<(), Stop> {
    let count = run.state().adopt_or_snapshot(&input).await?;
    let asked = input.user_text().unwrap_or_default();
    let mut text = run.message().await;
    match asked.parse::<u32>() {
        Ok(most) => {
            for word in 0..most {
                text.push(format!("{word} ")).await;
                count.update(|count| count.words += 1).await?;
                // Long runs meet the limits of a network that cuts.
                tokio::task::yield_now().await;
            }
        }
        Err(_) if asked == "long" => text.push("x".repeat(LONG)).await,
        Err(_) => {
            text.push("waiting").await;
            bell.notified().await;
        }
    }
    text.end();
    Ok(())
}

pub(super) struct TestServer {
    pub(super) address: SocketAddr,
    bell: Arc<Notify>,
}

pub(super) async fn serve(adapt: impl FnOnce(Server) -> Server) -> TestServer {
    let bell = Arc::new(Notify::new());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = adapt(Server::new().websocket()).agent("/count", Counter::new(Arc::clone(&bell)));
    tokio::spawn(async move { server.serve_on(listener, std::future::pending()).await });
    TestServer { address, bell }
}

/// An agent behind an address, over a socket.
fn agent(base: &str) -> HttpAgent {
    let soon =
        Retry::times(20).first_pause(Duration::from_millis(1)).longest_pause(Duration::from_millis(50));
    let agent = HttpAgent::new(format!("{base}/count")).unwrap().reconnect(soon);
    agent.websocket(format!("{}/agui/ws", base.replace("http", "ws"))).unwrap()
}

fn words(most: u32) -> String {
    (0..most).map(|word| format!("{word} ")).collect()
}

/// Counts to a number over an agent.
pub(super) async fn count(agent: HttpAgent, thread: &str, most: u32) {
    let mut session: Session<Count> = Session::new(agent).with_thread_id(thread);
    session.say(most.to_string());
    let done = in_time(session.run()).await.unwrap();
    assert!(matches!(done.outcome, RunOutcome::Success { .. }), "{:?}", done.outcome);
    assert_eq!(done.text(), words(most), "{thread}");
    assert_eq!(session.state().unwrap(), Some(&Count { words: most }));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_runs_share_one_connection_in_both_encodings() {
    let server = serve(|server| server).await;
    let proxy = CutProxy::start(server.address, |_| usize::MAX);
    let agent = agent(&proxy.url(""));
    let runs = (0..20).map(|number| {
        let accept = if number % 2 == 0 { Accept::Sse } else { Accept::Binary };
        let agent = agent.clone().accept(accept);
        async move { count(agent, &format!("t-{number}"), 300).await }
    });
    join_all(runs).await;
    assert_eq!(proxy.connections(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_through_a_network_that_cuts_every_connection_are_whole() {
    let server = serve(|server| server.threads(Memory::new())).await;
    // Each connection carries the handshake and a part of all runs.
    let proxy = CutProxy::start(server.address, |connection| 6_000 + connection * 997 % 5_000);
    let agent = agent(&proxy.url(""));
    join_all((0..3).map(|number| {
        let agent = agent.clone();
        async move { count(agent, &format!("t-{number}"), 100).await }
    }))
    .await;
    let connections = proxy.connections();
    eprintln!("{connections} connections");
    assert!(connections > 5, "{connections}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_not_kept_fails_when_its_socket_is_lost() {
    let server = serve(|server| server).await;
    let proxy = CutProxy::start(server.address, |_| 3_000);
    let mut session: Session<Count> = Session::new(agent(&proxy.url("")));
    session.say("500");
    let lost = in_time(session.run()).await;
    assert!(matches!(lost, Err(ClientError::Network(_))), "{lost:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_holds_up_no_other_run() {
    let server = serve(|server| server).await;
    let agent = agent(&format!("http://{}", server.address));
    let mut slow: Session<Count> = Session::new(agent.clone()).with_thread_id("slow");
    slow.say("2000");
    let mut turn = slow.start();
    in_time(turn.next()).await.unwrap().expect("the run goes on");
    // Nothing of it is read meanwhile.
    count(agent, "quick", 500).await;
    let done = in_time(turn.finish()).await.unwrap();
    assert_eq!(done.text(), words(2000));
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_a_run_ends_it_and_a_thread_is_found_again_and_stopped() {
    let server = serve(|server| server.threads(Memory::new())).await;
    let agent = agent(&format!("http://{}", server.address));
    let mut first: Session<Count> = Session::new(agent.clone()).with_thread_id("t");
    first.say("wait");
    let mut turn = first.start();
    while turn.session().messages().len() < 2 {
        in_time(turn.next()).await.unwrap().expect("the run goes on");
    }
    drop(turn);
    let mut again: Session<Count> = Session::new(agent.clone()).with_thread_id("t");
    let turn = in_time(again.connect()).await.unwrap().expect("a run goes on");
    server.bell.notify_one();
    assert_eq!(in_time(turn.finish()).await.unwrap().text(), "waiting");
    again.say("wait");
    let mut turn = again.start();
    in_time(turn.next()).await.unwrap().expect("the run goes on");
    drop(turn);
    assert!(in_time(again.stop()).await.unwrap());
    let mut empty: Session<Count> = Session::new(agent).with_thread_id("empty");
    assert!(in_time(empty.connect()).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_was_closed_for_its_idleness_is_made_again() {
    let limits = Limits::default().idle_timeout(Duration::from_millis(100));
    let server = serve(|server| server.limits(limits)).await;
    let proxy = CutProxy::start(server.address, |_| usize::MAX);
    let agent = agent(&proxy.url(""));
    for number in 0..3 {
        count(agent.clone(), &format!("t-{number}"), 10).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert_eq!(proxy.connections(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn pings_keep_runs_that_wait_alive_in_both_encodings() {
    // A ping every 200 milliseconds.
    let limits = Limits::default().write_timeout(Duration::from_millis(400));
    let server = serve(|server| server.limits(limits)).await;
    let agent = agent(&format!("http://{}", server.address)).idle_timeout(Duration::from_secs(1));
    let wait = async |accept: Accept, thread: &str| {
        let mut session: Session<Count> = Session::new(agent.clone().accept(accept)).with_thread_id(thread);
        session.say("wait");
        in_time(session.run()).await.unwrap().text()
    };
    let ring = async {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        server.bell.notify_one();
        server.bell.notify_one();
    };
    let (sse, binary, ()) = tokio::join!(wait(Accept::Sse, "sse"), wait(Accept::Binary, "binary"), ring);
    assert_eq!((sse.as_str(), binary.as_str()), ("waiting", "waiting"));
}

#[tokio::test]
async fn an_agent_of_another_server_has_no_runs_on_a_socket() {
    for other in ["ws://other.example/agui/ws", "ws://h.example:8080/agui/ws", "wss://h.example/agui/ws"] {
        let agent = HttpAgent::new("http://h.example/count").unwrap();
        let refused = agent.websocket(other).unwrap_err();
        assert!(matches!(&refused, ClientError::Url { url, .. } if url == other), "{refused:?}");
    }
    HttpAgent::new("http://h.example/count").unwrap().websocket("ws://h.example:80/agui/ws").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_run_and_a_refused_handshake_have_their_status() {
    let server = serve(|server| server.limits(Limits::default().streams(1).runs_per_thread(1))).await;
    let base = format!("http://{}", server.address);
    let shared = agent(&base);
    let mut first: Session<Count> = Session::new(shared.clone()).with_thread_id("a");
    first.say("wait");
    let mut turn = first.start();
    in_time(turn.next()).await.unwrap().expect("the run goes on");
    let mut second: Session<Count> = Session::new(shared).with_thread_id("b");
    second.say("1");
    let refused = in_time(second.run()).await.unwrap_err();
    let ClientError::Status { status: 429, json: Some(json), .. } = refused else { panic!("{refused:?}") };
    assert_eq!(json["error"]["code"], "too_many_streams");

    let foreign = agent(&base).header("origin", "https://evil.example").unwrap();
    let mut foreign: Session<Count> = Session::new(foreign);
    foreign.say("1");
    let refused = in_time(foreign.run()).await.unwrap_err();
    let ClientError::Status { status: 403, json: Some(json), .. } = refused else { panic!("{refused:?}") };
    assert_eq!(json["error"]["code"], "origin_not_allowed");
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_with_other_headers_share_no_socket() {
    let server = serve(|server| server).await;
    let proxy = CutProxy::start(server.address, |_| usize::MAX);
    let ada = agent(&proxy.url(""));
    let bob = ada.clone().header("authorization", "Bearer bob").unwrap();
    count(ada.clone(), "a", 3).await;
    count(bob, "b", 3).await;
    count(ada, "c", 3).await;
    assert_eq!(proxy.connections(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_is_too_long_for_one_agent_ends_no_run_of_its_clones() {
    let server = serve(|server| server).await;
    let wide = agent(&format!("http://{}", server.address));
    let mut waiting: Session<Count> = Session::new(wide.clone()).with_thread_id("waiting");
    waiting.say("wait");
    let mut turn = waiting.start();
    while turn.session().messages().len() < 2 {
        in_time(turn.next()).await.unwrap().expect("the run goes on");
    }
    let mut narrow: Session<Count> = Session::new(wide.clone().max_frame(1000)).with_thread_id("narrow");
    narrow.say("long");
    assert!(in_time(narrow.run()).await.is_err());
    let mut long: Session<Count> = Session::new(wide).with_thread_id("long");
    long.say("long");
    assert_eq!(in_time(long.run()).await.unwrap().text().len(), LONG);
    server.bell.notify_one();
    assert_eq!(in_time(turn.finish()).await.unwrap().text(), "waiting");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_has_the_time_limit_of_connecting_that_is_set_before_it_or_after_it() {
    // It accepts connections, and says nothing.
    let mute = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = mute.local_addr().unwrap();
    let limit = Duration::from_millis(200);
    let agent = || HttpAgent::new(format!("https://{address}/count")).unwrap().reconnect(Retry::times(0));
    let socket = format!("wss://{address}/agui/ws");
    for agent in [
        agent().connect_timeout(limit).unwrap().websocket(&socket).unwrap(),
        agent().websocket(&socket).unwrap().connect_timeout(limit).unwrap(),
    ] {
        let mut session: Session<Count> = Session::new(agent);
        session.say("1");
        let begun = Instant::now();
        let late = in_time(session.run()).await.unwrap_err();
        assert!(
            begun.elapsed() < Duration::from_secs(5),
            "{:?}: not the limit of 10 seconds",
            begun.elapsed()
        );
        let ClientError::Timeout { waited_for: TimedOut::Connecting, limit: passed } = late else {
            panic!("{late:?}")
        };
        assert_eq!(passed, limit);
    }
}
