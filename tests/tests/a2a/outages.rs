//! Remote agents that are away, busy or broken for some time, with our client.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agui_runtime::Limits;
use agui_runtime::a2a::A2aClient;
use agui_runtime::protocol::Event;
use agui_runtime::testing::{self, RunEnd};
use serde_json::{Value, json};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::evil::{Evil, Reply, by_http, error, frame, http_frame, status, task, text};
use crate::remote::{answer, question, through, waiting};
use crate::talk::{TestServer, block_on};

/// The way to a server, which can be closed.
struct Door {
    address: SocketAddr,
    is_open: watch::Sender<bool>,
    /// The number of connections that ended because it was closed.
    cut: watch::Sender<usize>,
}

impl Door {
    async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (is_open, seen) = watch::channel(true);
        let cut = watch::Sender::new(0);
        let counted = cut.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, server, seen.clone(), counted.clone()));
            }
        });
        Self { address, is_open, cut }
    }
}

/// Connects a client until the door is closed.
async fn pass(
    mut client: TcpStream,
    server: SocketAddr,
    mut is_open: watch::Receiver<bool>,
    cut: watch::Sender<usize>,
) {
    let mut server = TcpStream::connect(server).await.unwrap();
    tokio::select! {
        biased;
        _ = is_open.wait_for(|is_open| !is_open) => cut.send_modify(|cut| *cut += 1),
        _ = copy_bidirectional(&mut client, &mut server) => {}
    }
}

#[test]
fn a_task_goes_on_through_an_outage() {
    block_on(async {
        let server = TestServer::open().await;
        let door = Door::before(server.address).await;
        let remote = A2aClient::connect(format!("http://{}/a2a", door.address)).await.unwrap();
        let running = waiting(Arc::new(remote)).await;
        door.is_open.send_replace(false);
        // More than the connections that the client had: it came again, and was turned away.
        door.cut.subscribe().wait_for(|cut| *cut > 3).await.unwrap();
        door.is_open.send_replace(true);
        server.bells.go_on.notify_one();
        let events = running.await.unwrap();
        assert_eq!(said(&events), ["waiting is over"]);
        assert_eq!(server.bells.dropped.load(Ordering::SeqCst), 0, "the task was cancelled");
    });
}

/// Returns the texts of a run that has a result.
fn said(events: &[Event]) -> Vec<String> {
    assert!(matches!(testing::end(events), RunEnd::Success { .. }), "{}", testing::lines(events));
    testing::texts(events)
}

fn stream(frames: Vec<String>) -> Reply {
    Reply::Stream(frames, false)
}

fn begun() -> Reply {
    stream(vec![frame(&task("TASK_STATE_WORKING")), frame(&text("Good day"))])
}

fn completed() -> Reply {
    stream(vec![frame(&status("TASK_STATE_COMPLETED"))])
}

/// Returns a task as `GetTask` has it.
fn got(state: &str) -> Reply {
    Reply::Json(json!({ "jsonrpc": "2.0", "id": 1, "result": task(state)["task"] }).to_string())
}

#[test]
fn a_stream_that_ends_with_an_error_of_the_server_is_continued() {
    block_on(async {
        let rpc = json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32603, "message": "away" } });
        let first = vec![frame(&task("TASK_STATE_WORKING")), format!("data: {rpc}\n\n")];
        let by_rpc = Evil::default()
            .reply("SendStreamingMessage", stream(first))
            .reply("SubscribeToTask", begun())
            .reply("SubscribeToTask", completed());
        let events = by_rpc.run(|_| {}).await;
        assert_eq!(said(&events), ["Good day"]);

        let http = json!({ "error": { "code": 503, "status": "UNAVAILABLE", "message": "away" } });
        let first = vec![
            http_frame(&task("TASK_STATE_WORKING")),
            http_frame(&text("Good day")),
            format!("event: error\ndata: {http}\n\n"),
        ];
        let last = vec![http_frame(&status("TASK_STATE_COMPLETED"))];
        let evil = Evil::default().reply("SendStreamingMessage", stream(first));
        let events = evil.reply("SubscribeToTask", stream(last)).run(by_http).await;
        assert_eq!(said(&events), ["Good day"]);
    });
}

#[test]
fn an_agent_that_is_busy_is_asked_again_while_the_client_has_patience() {
    block_on(async {
        for busy in [429, 503] {
            let evil = Evil::default()
                .reply("SendStreamingMessage", begun())
                .reply("SubscribeToTask", Reply::Status(busy))
                .reply("SubscribeToTask", completed())
                .reply("GetTask", Reply::Status(busy));
            let events = evil.run(|_| {}).await;
            assert_eq!(said(&events), ["Good day"]);
            let asked = ["SendStreamingMessage", "SubscribeToTask", "GetTask", "SubscribeToTask"];
            assert_eq!(evil.asked(), asked);
        }
        let evil = Evil::default()
            .reply("SendStreamingMessage", begun())
            .reply("SubscribeToTask", Reply::Status(503))
            .reply("GetTask", Reply::Status(503));
        let message = error(&evil.run(|_| {}).await);
        assert!(message.contains("(503)"), "{message}");
        let looks = evil.asked().iter().filter(|method| *method == "GetTask").count();
        assert!(looks > 1, "{:?}", evil.asked());
        while !evil.asked().contains(&"CancelTask".to_owned()) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
}

#[test]
fn an_answer_that_does_not_arrive_leaves_the_task() {
    block_on(async {
        let evil = Evil::default()
            .reply("SendStreamingMessage", stream(vec![frame(&task("TASK_STATE_INPUT_REQUIRED"))]))
            .reply("SendStreamingMessage", Reply::Status(429))
            .reply("SendStreamingMessage", completed())
            .reply("GetTask", Reply::Status(503))
            .reply("GetTask", got("TASK_STATE_INPUT_REQUIRED"));
        let remote = Arc::new(evil.serve(|_| {}).await.unwrap());
        let asked = question(&through(&remote, testing::input("hello")).await);
        let answered = async || through(&remote, answer(&asked, Some(json!("yes")))).await;
        for refused in ["(503)", "(429)"] {
            let message = error(&answered().await);
            assert!(message.contains(refused), "{message}");
        }
        said(&answered().await);
        assert!(!evil.asked().contains(&"CancelTask".to_owned()), "{:?}", evil.asked());
    });
}

/// Returns an agent that asks, and then gives this answer to the answer of its client.
fn asking(answered: Reply) -> Evil {
    Evil::default()
        .reply("SendStreamingMessage", stream(vec![frame(&task("TASK_STATE_INPUT_REQUIRED"))]))
        .reply("SendStreamingMessage", answered)
        .reply("GetTask", got("TASK_STATE_INPUT_REQUIRED"))
}

/// Answers the question of an agent.
async fn answered(evil: &Evil) -> Vec<Event> {
    let remote = Arc::new(evil.serve(|_| {}).await.unwrap());
    let asked = question(&through(&remote, testing::input("hello")).await);
    through(&remote, answer(&asked, Some(json!("yes")))).await
}

#[test]
fn an_answer_whose_stream_breaks_before_its_first_item_is_followed() {
    block_on(async {
        for broken in [stream(vec![]), Reply::Broken, Reply::Cut] {
            let evil = asking(broken.clone())
                .reply("SubscribeToTask", begun())
                .reply("SubscribeToTask", completed());
            assert_eq!(said(&answered(&evil).await), ["Good day"]);
            let sent = ["SendStreamingMessage", "GetTask", "SendStreamingMessage"];
            assert_eq!(evil.asked(), [&sent[..], &["SubscribeToTask"; 2]].concat());

            // It did not arrive: the task still waits.
            let waiting = stream(vec![frame(&task("TASK_STATE_INPUT_REQUIRED"))]);
            question(&answered(&asking(broken).reply("SubscribeToTask", waiting)).await);
        }
    });
}

#[test]
fn an_answer_without_a_stream_whose_reply_is_lost_is_followed() {
    block_on(async {
        let sent = |state: &str| {
            Reply::Json(json!({ "jsonrpc": "2.0", "id": 1, "result": task(state) }).to_string())
        };
        let evil = Evil::default()
            .reply("SendMessage", sent("TASK_STATE_INPUT_REQUIRED"))
            .reply("SendMessage", Reply::Cut)
            .reply("GetTask", got("TASK_STATE_INPUT_REQUIRED"))
            .reply("GetTask", got("TASK_STATE_COMPLETED"));
        let remote = evil.serve(|card| card["capabilities"] = json!({})).await.unwrap();
        let remote = Arc::new(remote);
        let asked = question(&through(&remote, testing::input("hello")).await);
        said(&through(&remote, answer(&asked, Some(json!("yes")))).await);
        assert_eq!(evil.asked(), ["SendMessage", "GetTask", "SendMessage", "GetTask"]);
    });
}

#[test]
fn a_refusal_may_be_the_first_item_of_a_stream() {
    block_on(async {
        let refused = |code: i64| {
            let error =
                json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": code, "message": "a number" } });
            stream(vec![format!("data: {error}\n\n")])
        };
        let again = question(&answered(&asking(refused(-32602))).await);
        assert_eq!(again.message.as_deref(), Some("a number"));

        // A task that has ended has no stream.
        let whole = stream(vec![frame(&task("TASK_STATE_WORKING"))]);
        let evil = Evil::default()
            .reply("SendStreamingMessage", whole)
            .reply("SubscribeToTask", refused(-32004))
            .reply("GetTask", got("TASK_STATE_COMPLETED"));
        said(&evil.run(|_| {}).await);
    });
}

#[test]
fn an_agent_that_takes_subscriptions_by_get_is_followed() {
    block_on(async {
        for refused in [404, 405] {
            let frames = |items: &[Value]| stream(items.iter().map(http_frame).collect());
            let evil = Evil::default()
                .reply("SendStreamingMessage", frames(&[task("TASK_STATE_WORKING"), text("Good day")]))
                .reply("SubscribeToTask", Reply::Status(refused))
                .reply("SubscribeToTask by GET", frames(&[status("TASK_STATE_COMPLETED")]));
            let events = evil.run(by_http).await;
            assert_eq!(said(&events), ["Good day"]);
        }
    });
}

#[test]
fn a_refusal_of_our_server_is_quoted_without_its_json() {
    block_on(async {
        let server = TestServer::with(|server| server.limits(Limits::default().runs(1))).await;
        let (_, _answer) = server.waiting("m-1").await;
        let remote = A2aClient::connect(format!("http://{}/a2a", server.address)).await.unwrap();
        let message = error(&through(&Arc::new(remote), testing::input("hello")).await);
        assert!(message.contains("the request: server_busy: "), "{message}");
        assert!(message.ends_with("(503)"), "{message}");
    });
}
