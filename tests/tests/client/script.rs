//! A server that follows its script exactly, connection by connection, even against the rules.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// The action on a connection after its request was read. At the end of its script it is closed.
#[derive(Clone)]
pub(crate) enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Sends bytes one by one.
    Drip(Vec<u8>),
    /// Does nothing for this time.
    Wait(Duration),
    /// Does nothing until the client leaves, and reports that it waits, and that the client has left.
    UntilLeft,
}

/// A request as received.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Vec<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        lines.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).collect()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// A request, the end of what the server sends, or the end of a connection by the client.
#[derive(Debug)]
pub(crate) enum Observation {
    Request(Seen),
    Waits,
    Left,
}

pub(crate) struct Scripted {
    pub(crate) url: String,
    observations: mpsc::UnboundedReceiver<Observation>,
}

impl Scripted {
    /// A server whose connections follow these scripts, one after the other.
    pub(crate) async fn start(scripts: Vec<Vec<Step>>) -> Self {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
        let url = format!("http://{}/agent?key=1", listener.local_addr().unwrap());
        let (tell, observations) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            for script in scripts {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(play(stream, script, tell.clone()));
            }
        });
        Self { url, observations }
    }

    /// A server that answers once, with this head and body.
    pub(crate) async fn answering(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Self {
        Self::start(vec![vec![Step::Send(head(status, headers)), Step::Send(body.as_ref().to_vec())]]).await
    }

    /// Starts a server that streams this body and then closes the connection.
    pub(crate) async fn streaming(body: impl AsRef<[u8]>) -> Self {
        Self::answering("200 OK", "content-type: text/event-stream\r\n", body).await
    }

    pub(crate) async fn observation(&mut self) -> Observation {
        crate::in_time(self.observations.recv()).await.unwrap()
    }

    pub(crate) fn was_asked_no_more(&mut self) -> bool {
        self.observations.try_recv().is_err()
    }

    pub(crate) async fn asked(&mut self) -> Seen {
        match self.observation().await {
            Observation::Request(seen) => seen,
            other => panic!("nothing was asked: {other:?}"),
        }
    }

    /// Returns once the server has sent all before [`Step::UntilLeft`].
    pub(crate) async fn waits(&mut self) {
        let observed = self.observation().await;
        assert!(matches!(observed, Observation::Waits), "{observed:?}");
    }

    /// Returns once the client has left a server that waits for it.
    pub(crate) async fn left(&mut self) {
        self.waits().await;
        let observed = self.observation().await;
        assert!(matches!(observed, Observation::Left), "{observed:?}");
    }
}

/// A head whose body ends with the connection.
pub(crate) fn head(status: &str, headers: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{headers}connection: close\r\n\r\n").into_bytes()
}

async fn play(mut stream: TcpStream, script: Vec<Step>, tell: mpsc::UnboundedSender<Observation>) {
    stream.set_nodelay(true).unwrap();
    let Some(seen) = read(&mut stream).await else { return };
    tell.send(Observation::Request(seen)).ok();
    for act in script {
        let sent = match act {
            Step::Send(bytes) => stream.write_all(&bytes).await,
            Step::Drip(bytes) => drip(&mut stream, &bytes).await,
            Step::Wait(time) => {
                tokio::time::sleep(time).await;
                Ok(())
            }
            Step::UntilLeft => {
                tell.send(Observation::Waits).ok();
                let mut rest = Vec::new();
                stream.read_to_end(&mut rest).await.ok();
                tell.send(Observation::Left).ok();
                Ok(())
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

async fn drip(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    for byte in bytes {
        stream.write_all(&[*byte]).await?;
        tokio::task::yield_now().await;
    }
    Ok(())
}

async fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let mut body = bytes.split_off(end);
    let mut seen = Seen { head: String::from_utf8(bytes).unwrap(), body: Vec::new() };
    let length = seen.header("content-length").first().map_or(0, |length| length.parse().unwrap());
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    seen.body = body;
    Some(seen)
}
