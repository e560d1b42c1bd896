//! Sessions over the socket of a scripted server: frames that come at unlucky times.

use std::time::Duration;

use agui_runtime::client::{HttpAgent, Session};
use futures::{SinkExt as _, StreamExt as _};
use http::HeaderValue;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::{WebSocketStream, accept_hdr_async};

use crate::in_time;

/// The server's end of a socket.
struct Script(WebSocketStream<TcpStream>);

impl Script {
    async fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().await.unwrap();
        #[allow(clippy::result_large_err, reason = "the signature is that of the crate")]
        let protocol = |_: &Request, mut response: Response| {
            let name = HeaderValue::from_static("agui-runtime.v1");
            response.headers_mut().insert("sec-websocket-protocol", name);
            Ok(response)
        };
        Self(accept_hdr_async(stream, protocol).await.unwrap())
    }

    /// Returns the frame of the next run.
    async fn asked(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.0.next().await.unwrap().unwrap() {
                let frame: Value = serde_json::from_str(&text).unwrap();
                if frame["type"] == "run" {
                    return frame;
                }
            }
        }
    }

    async fn send(&mut self, frame: Value) {
        self.0.send(Message::text(frame.to_string())).await.unwrap();
    }

    async fn event(&mut self, run: &Value, mut event: Value) {
        let input = &run["input"];
        if event["type"].as_str().unwrap().starts_with("RUN_") {
            event["threadId"] = input["threadId"].clone();
            event["runId"] = input["runId"].clone();
        }
        self.send(json!({ "type": "event", "id": run["id"], "event": event })).await;
    }

    async fn begin(&mut self, run: &Value) {
        let headers = json!({ "content-type": "text/event-stream" });
        self.send(json!({ "type": "open", "id": run["id"], "status": 200, "headers": headers })).await;
        self.event(run, json!({ "type": "RUN_STARTED" })).await;
    }

    async fn end(&mut self, run: &Value) {
        self.event(run, json!({ "type": "RUN_FINISHED" })).await;
        self.send(json!({ "type": "end", "id": run["id"] })).await;
    }
}

async fn listen() -> (TcpListener, Session) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let agent = HttpAgent::new(format!("http://{address}/")).unwrap();
    (listener, Session::new(agent.websocket(format!("ws://{address}/agui/ws")).unwrap()))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_meets_a_closing_socket_is_sent_over_another_one() {
    let (listener, mut session) = listen().await;
    let server = tokio::spawn(async move {
        let mut first = Script::accept(&listener).await;
        let run = first.asked().await;
        first.begin(&run).await;
        first.end(&run).await;
        first.asked().await;
        let close = CloseFrame { code: CloseCode::Away, reason: "the server ends".into() };
        first.0.send(Message::Close(Some(close))).await.unwrap();
        // The client answers it, while the connection stays open.
        assert!(matches!(first.0.next().await, Some(Ok(Message::Close(Some(_))))));
        let mut second = Script::accept(&listener).await;
        let run = second.asked().await;
        second.begin(&run).await;
        second.end(&run).await;
        drop(first);
    });
    for text in ["one", "two"] {
        session.say(text);
        in_time(session.run()).await.unwrap();
    }
    in_time(server).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn heartbeats_leave_an_unread_run_the_places_of_its_events() {
    let (listener, mut session) = listen().await;
    let (sent, all) = oneshot::channel();
    let server = tokio::spawn(async move {
        let mut script = Script::accept(&listener).await;
        let run = script.asked().await;
        script.begin(&run).await;
        for _ in 0..100 {
            script.send(json!({ "type": "heartbeat", "id": run["id"] })).await;
        }
        // With the first and the last event of the run, these are the 64 of its window.
        let message = |kind: &str| json!({ "type": kind, "messageId": "m" });
        script
            .event(&run, json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant" }))
            .await;
        for _ in 0..60 {
            let mut content = message("TEXT_MESSAGE_CONTENT");
            content["delta"] = json!("x");
            script.event(&run, content).await;
        }
        script.event(&run, message("TEXT_MESSAGE_END")).await;
        script.end(&run).await;
        sent.send(()).unwrap();
        // The socket stays open until the client leaves it.
        while let Some(Ok(_)) = script.0.next().await {}
    });
    session.say("hello");
    let mut turn = session.start();
    in_time(turn.next()).await.unwrap().expect("the run goes on");
    in_time(all).await.unwrap();
    // Nothing tells when the connection of the client has taken them.
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(in_time(turn.finish()).await.unwrap().text(), "x".repeat(60));
    drop(session);
    in_time(server).await.unwrap();
}
