//! A client of the socket that sends and sees every frame.

use std::net::SocketAddr;
use std::time::Duration;

use futures::{SinkExt as _, StreamExt as _};
use http::{HeaderValue, Response};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::kitchen::{Report, asking};

const LIMIT: Duration = Duration::from_secs(20);

/// A refused handshake.
pub(super) type Refused = Box<Response<Option<Vec<u8>>>>;

/// One socket.
pub(super) struct Socket(pub(super) WebSocketStream<TcpStream>);

impl Socket {
    pub(super) async fn open(address: SocketAddr) -> Self {
        Self::open_with(address, &[]).await.unwrap()
    }

    /// Opens a socket whose handshake has these headers; an empty value leaves one out.
    pub(super) async fn open_with(
        address: SocketAddr,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, Refused> {
        let mut request = format!("ws://{address}/agui/ws").into_client_request().unwrap();
        let protocol = HeaderValue::from_static("agui-runtime.v1");
        request.headers_mut().insert("sec-websocket-protocol", protocol);
        for (name, value) in headers {
            request.headers_mut().remove(*name);
            if !value.is_empty() {
                request.headers_mut().insert(*name, HeaderValue::try_from(*value).unwrap());
            }
        }
        let stream = TcpStream::connect(address).await.unwrap();
        match client_async(request, stream).await {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(Error::Http(response)) => Err(response),
            Err(error) => panic!("{error}"),
        }
    }

    pub(super) async fn send(&mut self, frame: &Value) {
        self.0.send(Message::text(frame.to_string())).await.unwrap();
    }

    /// Starts a run of the cook on a thread of its own.
    pub(super) async fn run(&mut self, id: &str, text: &str) {
        self.send(&run(id, text)).await;
    }

    /// Returns the next message besides pings.
    pub(super) async fn message(&mut self) -> Message {
        loop {
            let message = timeout(LIMIT, self.0.next()).await.expect("the server says nothing");
            match message.expect("the socket is closed").unwrap() {
                Message::Ping(_) => {}
                message => return message,
            }
        }
    }

    pub(super) async fn frame(&mut self) -> Value {
        let message = self.message().await;
        serde_json::from_str(message.to_text().unwrap()).unwrap_or_else(|_| panic!("{message:?}"))
    }

    /// Returns the frames up to the end of this run.
    pub(super) async fn until_end(&mut self, id: &str) -> Vec<Value> {
        let mut frames = Vec::new();
        loop {
            let frame = self.frame().await;
            let is_last = frame["type"] == "end" && frame["id"] == id;
            frames.push(frame);
            if is_last {
                return frames;
            }
        }
    }

    /// Waits until a run has sent this text.
    pub(super) async fn until(&mut self, text: &str) {
        while self.frame().await["event"]["delta"] != text {}
    }

    /// Returns the code and the reason with which the server closes the socket.
    pub(super) async fn closed(&mut self) -> (u16, String) {
        loop {
            match self.message().await {
                Message::Close(Some(close)) => return (close.code.into(), close.reason.to_string()),
                Message::Close(None) => panic!("closed without a reason"),
                _ => {}
            }
        }
    }

    /// Returns true if the connection ends without a frame that closes it.
    pub(super) async fn is_cut(&mut self) -> bool {
        loop {
            match timeout(LIMIT, self.0.next()).await.expect("the socket stays open") {
                Some(Ok(Message::Close(_))) => return false,
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return true,
            }
        }
    }
}

/// Waits until a run that waited was dropped.
pub(super) async fn dropped(reports: &mut UnboundedReceiver<Report>) {
    let report = timeout(LIMIT, reports.recv()).await.expect("the run goes on");
    assert_eq!(report, Some(Report::Dropped));
}

pub(super) fn run(id: &str, text: &str) -> Value {
    let mut input = asking(text);
    input["threadId"] = json!(format!("t-{id}"));
    json!({ "type": "run", "id": id, "path": "/", "input": input })
}
