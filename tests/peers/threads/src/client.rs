//! A client that checks its stream: every token once, in order, to the end of the run.

use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use http::Request;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout};

use crate::load::Load;
use crate::process::Fault;

/// The longest silence of a server. A stream is no longer silent than its load says.
const SILENCE: Duration = Duration::from_secs(60);

/// A run that a client asks for.
#[derive(Clone, Debug)]
pub struct Asked {
    pub thread: String,
    pub run: String,
    pub load: Load,
}

impl Asked {
    fn body(&self) -> String {
        let content = json!(self.load).to_string();
        let message = json!({ "id": format!("u-{}", self.run), "role": "user", "content": content });
        json!({
            "threadId": self.thread,
            "runId": self.run,
            "protocolVersion": "1.0",
            "messages": [message],
            "tools": [],
            "context": [],
            "state": {},
            "forwardedProps": {},
        })
        .to_string()
    }
}

/// The parts of a stream that a client has seen.
#[derive(Debug, Default)]
pub struct Seen {
    pub events: u64,
    /// The number of the next token.
    pub next: u64,
    /// The number at the end of the last id.
    last_id: u64,
    is_ended: bool,
}

/// An answer that is being read.
pub struct Answer {
    body: Incoming,
    buffer: BytesMut,
    seen: Seen,
    connection: AbortHandle,
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

/// Asks for a run, or attaches to it if it exists, after the event with the id `after`.
pub async fn run(port: u16, asked: &Asked, after: Option<&str>) -> Result<Answer, Fault> {
    post(port, "/", asked.body(), after).await
}

/// Asks for a run at another path.
pub async fn run_at(port: u16, path: &str, asked: &Asked) -> Result<Answer, Fault> {
    post(port, path, asked.body(), None).await
}

/// Connects to a thread.
pub async fn connect(port: u16, asked: &Asked) -> Result<Answer, Fault> {
    let body = json!({ "threadId": asked.thread, "runId": "c", "protocolVersion": "1.0", "messages": [] });
    post(port, "/connect", body.to_string(), None).await
}

async fn post(port: u16, path: &str, body: String, after: Option<&str>) -> Result<Answer, Fault> {
    let socket = TcpStream::connect(("127.0.0.1", port)).await?;
    socket.set_nodelay(true)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(socket)).await?;
    let connection = tokio::spawn(async move {
        // The body fails with the same error.
        let _ = connection.await;
    })
    .abort_handle();
    let mut request = Request::post(path)
        .header("host", format!("127.0.0.1:{port}"))
        .header("content-type", "application/json")
        .header("accept", "text/event-stream");
    if let Some(after) = after {
        request = request.header("last-event-id", after);
    }
    let response = sender.send_request(request.body(Full::new(Bytes::from(body)))?).await?;
    let status = response.status();
    let body = response.into_body();
    if !status.is_success() {
        let text = body.collect().await?.to_bytes();
        return Err(format!("{path}: {status}: {}", String::from_utf8_lossy(&text)).into());
    }
    Ok(Answer { body, buffer: BytesMut::new(), seen: Seen::default(), connection })
}

impl Answer {
    /// Reads until something has come.
    pub async fn first_byte(&mut self) -> Result<Instant, Fault> {
        self.more().await?;
        Ok(Instant::now())
    }

    /// Reads until a token has come.
    pub async fn first_token(&mut self) -> Result<Instant, Fault> {
        while self.seen.next == 0 {
            self.more().await?;
            self.check()?;
        }
        Ok(Instant::now())
    }

    /// Reads until `tokens` tokens have come.
    pub async fn tokens(&mut self, tokens: u64) -> Result<(), Fault> {
        while self.seen.next < tokens {
            self.more().await?;
            self.check()?;
        }
        Ok(())
    }

    /// Reads to the end, which must be the end of the run, after `tokens` tokens.
    pub async fn to_end(mut self, tokens: u64) -> Result<u64, Fault> {
        while !self.seen.is_ended {
            self.more().await?;
            self.check()?;
        }
        if self.seen.next != tokens {
            return Err(format!("the run ended after {} of {tokens} tokens", self.seen.next).into());
        }
        Ok(self.seen.events)
    }

    async fn more(&mut self) -> Result<(), Fault> {
        loop {
            let frame = timeout(SILENCE, self.body.frame()).await.map_err(|_| "the server is silent")?;
            let frame =
                frame.ok_or_else(|| format!("the stream ended without its run: {:?}", self.seen))??;
            if let Ok(data) = frame.into_data() {
                self.buffer.extend_from_slice(&data);
                return Ok(());
            }
        }
    }

    fn check(&mut self) -> Result<(), Fault> {
        while let Some(end) = self.buffer.windows(2).position(|two| two == b"\n\n") {
            let frame = std::str::from_utf8(&self.buffer[..end])?;
            self.seen.take(frame)?;
            self.buffer.advance(end + 2);
        }
        Ok(())
    }
}

impl Seen {
    fn take(&mut self, frame: &str) -> Result<(), Fault> {
        for line in frame.lines() {
            if let Some(id) = line.strip_prefix("id: ") {
                // Ours are `<run>.<number>`, those of Redis `<milliseconds>-<number>`.
                let number =
                    id.rsplit_once('.').map_or(Ok(self.last_id + 1), |(_, number)| number.parse())?;
                if number <= self.last_id {
                    return Err(format!("id {number} after {}", self.last_id).into());
                }
                self.last_id = number;
            } else if let Some(event) = line.strip_prefix("data: ") {
                self.event(event)?;
            }
        }
        Ok(())
    }

    fn event(&mut self, event: &str) -> Result<(), Fault> {
        self.events += 1;
        if event.contains(r#""type":"TEXT_MESSAGE_CONTENT""#) {
            let delta = event.split_once(r#""delta":""#).and_then(|(_, rest)| rest.split_once('"'));
            let (text, _) = delta.ok_or("a token without text")?;
            for number in text.split_whitespace() {
                if number.parse() != Ok(self.next) {
                    return Err(format!("token {number} came in the place of token {}", self.next).into());
                }
                self.next += 1;
            }
        }
        if event.contains(r#""type":"RUN_ERROR""#) {
            return Err(event.into());
        }
        self.is_ended |= event.contains(r#""type":"RUN_FINISHED""#);
        Ok(())
    }
}
