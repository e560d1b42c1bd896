//! A small HTTP/1.1 client for tests of every byte that a server sends, and of the time it sends it.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "test support: what goes wrong here fails the test"
)]

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// The limit of a test's wait for the server.
const PATIENCE: Duration = Duration::from_secs(20);

/// A request as it goes over the wire, which tests can change.
#[derive(Clone)]
pub struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    patience: Duration,
    from: Option<Ipv4Addr>,
}

impl Request {
    /// A request without body and with no header but `Host`.
    #[must_use]
    pub fn new(method: &str, path: &str) -> Self {
        let headers = vec![("host".to_owned(), "localhost".to_owned())];
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            headers,
            body: Vec::new(),
            patience: PATIENCE,
            from: None,
        }
    }

    /// A `POST` of JSON that asks for server-sent events, as the official clients do.
    #[must_use]
    pub fn run(path: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::new("POST", path)
            .header("content-type", "application/json")
            .header("accept", "text/event-stream")
            .body(body)
    }

    /// Sets a header, and replaces one with the same name.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Removes a header.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// Sets the body and its length.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.header("content-length", &length)
    }

    /// Sets the time for which the server may say nothing.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Sets the address of this machine from which it is sent, such as 127.0.0.2 for another client.
    #[must_use]
    pub fn from(mut self, address: Ipv4Addr) -> Self {
        self.from = Some(address);
        self
    }

    /// The head as bytes, the empty line included.
    #[must_use]
    pub fn head(&self) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        head.into_bytes()
    }

    /// The whole request as bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        [self.head(), self.body.clone()].concat()
    }

    /// Sends it on a connection of its own and reads the head of the answer.
    pub async fn open(&self, address: SocketAddr) -> Answer {
        let mut connection = match self.from {
            Some(from) => Connection::open_from(from, address).await,
            None => Connection::open(address).await,
        };
        connection.patience = self.patience;
        connection.send(&self.head()).await;
        connection.send(&self.body).await;
        connection.answer().await
    }

    /// The same for a server that may be killed: `None` if it is not there, or hung up before it answered.
    pub async fn open_if_alive(&self, address: SocketAddr) -> Option<Answer> {
        let stream = TcpStream::connect(address).await.ok()?;
        let mut connection = Connection { stream, read: Vec::new(), patience: self.patience };
        connection.send(&self.head()).await;
        connection.send(&self.body).await;
        connection.answer_if_alive().await
    }

    /// Sends it on a connection of its own and reads the whole answer.
    pub async fn send(&self, address: SocketAddr) -> Whole {
        self.open(address).await.whole().await
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = String::from_utf8_lossy(&self.body).chars().take(500).collect();
        write!(f, "{} {} {:?} {shown}", self.method, self.path, self.headers)
    }
}

/// A connection, and what was read from it but not used yet.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
    patience: Duration,
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(address).await.unwrap(), read: Vec::new(), patience: PATIENCE }
    }

    /// Connects from one of the addresses of this machine.
    pub async fn open_from(from: Ipv4Addr, address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((from, 0).into()).unwrap();
        Self { stream: socket.connect(address).await.unwrap(), read: Vec::new(), patience: PATIENCE }
    }

    /// Sends bytes as they are. A server that hangs up in the middle is not a failure here.
    pub async fn send(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes).await;
    }

    /// Reads the head of an answer.
    pub async fn answer(self) -> Answer {
        self.answer_if_alive().await.expect("the server hung up before it answered")
    }

    /// Asks on this connection. `None` if the server has closed it meanwhile.
    pub async fn ask_if_alive(mut self, request: &Request) -> Option<Answer> {
        self.send(&request.head()).await;
        self.send(&request.body).await;
        self.answer_if_alive().await
    }

    async fn answer_if_alive(mut self) -> Option<Answer> {
        let head = loop {
            if let Some(end) = find(&self.read, b"\r\n\r\n") {
                break String::from_utf8(self.take(end + 4)).unwrap();
            }
            if !self.more().await {
                return None;
            }
        };
        let mut lines = head.lines();
        let status: u16 = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<_> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let left = match length {
            Some((_, length)) => Some(length.parse().unwrap()),
            // It has no body, whatever its headers say.
            None => (status == 204).then_some(0),
        };
        Some(Answer { status, headers, left, connection: self })
    }

    /// Reads more; returns false if the server has hung up.
    async fn more(&mut self) -> bool {
        let read = timeout(self.patience, self.stream.read_buf(&mut self.read)).await;
        matches!(read.expect("the server says nothing"), Ok(count) if count > 0)
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        let rest = self.read.split_off(count);
        std::mem::replace(&mut self.read, rest)
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// A piece of a body, or its end.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes of one chunk.
    Bytes(Vec<u8>),
    /// The body is complete.
    End,
    /// The server hung up in the middle of the body.
    Cut,
}

/// An answer whose body is read piece by piece. Dropping it hangs up.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    headers: Vec<(String, String)>,
    /// Without a length, the body comes in chunks.
    left: Option<usize>,
    connection: Connection,
}

impl Answer {
    /// A header by its lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The next piece of the body.
    pub async fn next(&mut self) -> Piece {
        match self.left {
            Some(0) => Piece::End,
            Some(left) => {
                if self.connection.read.is_empty() && !self.connection.more().await {
                    return Piece::Cut;
                }
                let count = left.min(self.connection.read.len());
                self.left = Some(left - count);
                Piece::Bytes(self.connection.take(count))
            }
            None => self.next_chunk().await,
        }
    }

    async fn next_chunk(&mut self) -> Piece {
        let connection = &mut self.connection;
        let size = loop {
            if let Some(end) = find(&connection.read, b"\r\n") {
                let line = String::from_utf8(connection.take(end + 2)).unwrap();
                break usize::from_str_radix(line.trim_end(), 16).unwrap();
            }
            if !connection.more().await {
                return Piece::Cut;
            }
        };
        while connection.read.len() < size + 2 {
            if !connection.more().await {
                return Piece::Cut;
            }
        }
        let mut chunk = connection.take(size + 2);
        assert_eq!(chunk.split_off(size), b"\r\n");
        if size == 0 {
            self.left = Some(0);
            return Piece::End;
        }
        Piece::Bytes(chunk)
    }

    /// Reads until the body so far holds this text; returns the body so far.
    pub async fn until(&mut self, text: &str) -> String {
        let mut body = Vec::new();
        while find(&body, text.as_bytes()).is_none() {
            match self.next().await {
                Piece::Bytes(bytes) => body.extend(bytes),
                end => panic!("{end:?} before `{text}`: {}", String::from_utf8_lossy(&body)),
            }
        }
        String::from_utf8(body).unwrap()
    }

    /// Reads the rest of the body.
    pub async fn whole(self) -> Whole {
        self.whole_and_connection().await.0
    }

    /// Reads the rest of the body, and returns the connection, unless the server closes it.
    pub async fn whole_and_connection(mut self) -> (Whole, Option<Connection>) {
        let mut body = Vec::new();
        let end = loop {
            match self.next().await {
                Piece::Bytes(bytes) => body.extend(bytes),
                end => break end,
            }
        };
        let stays = end == Piece::End && self.header("connection") != Some("close");
        let connection = stays.then_some(self.connection);
        (Whole { status: self.status, headers: self.headers, body, cut: end == Piece::Cut }, connection)
    }
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Whole {
    /// The status.
    pub status: u16,
    headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// True if the server hung up in the middle of the body.
    pub cut: bool,
}

impl Whole {
    /// A header by its lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The events of a stream, which has to be complete and to hold `data:` records only.
    #[must_use]
    pub fn events(&self) -> Vec<Value> {
        assert!(!self.cut, "cut: {}", self.text());
        assert_eq!(self.status, 200, "{}", self.text());
        let records = self.text().strip_suffix("\n\n").expect("records end with an empty line");
        records
            .split("\n\n")
            .map(|record| {
                let json = record.strip_prefix("data: ").unwrap_or_else(|| panic!("no data: {record}"));
                serde_json::from_str(json).unwrap()
            })
            .collect()
    }
}
