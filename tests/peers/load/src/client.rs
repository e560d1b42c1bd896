//! A client that costs little: it counts the ends of frames, and checks the end of the answer.

use std::cell::RefCell;
use std::io;

use memchr::{memchr_iter, memmem};
use tokio::net::TcpStream;

use crate::process::Fault;

/// The end of an answer whose length is not known before (RFC 9112, section 7.1).
const LAST_CHUNK: &[u8] = b"0\r\n\r\n";

thread_local! {
    /// One buffer for all connections: none of them keeps bytes.
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; 256 * 1024]);
}

/// A connection that asks for runs.
pub struct Connection {
    socket: TcpStream,
    request: String,
    /// The last bytes of the answer so far.
    tail: Vec<u8>,
    /// The events of the answer so far.
    pub events: u64,
}

impl Connection {
    /// Connects. Each connection has a thread of its own.
    pub async fn open(port: u16, number: usize) -> Result<Self, Fault> {
        let socket = TcpStream::connect(("127.0.0.1", port)).await?;
        socket.set_nodelay(true)?;
        Ok(Self { socket, request: request(port, number), tail: Vec::new(), events: 0 })
    }

    /// Asks for a run.
    pub async fn ask(&mut self) -> Result<(), Fault> {
        self.tail.clear();
        self.events = 0;
        let mut rest = self.request.as_bytes();
        while !rest.is_empty() {
            self.socket.writable().await?;
            match self.socket.try_write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Reads until `events` events have come.
    pub async fn events(&mut self, events: u64) -> Result<(), Fault> {
        while self.events < events {
            self.read().await?;
        }
        Ok(())
    }

    /// Reads to the end of the answer, which must have `events` events.
    pub async fn to_end(&mut self, events: u64) -> Result<(), Fault> {
        while !self.tail.ends_with(LAST_CHUNK) {
            self.read().await?;
        }
        if self.events != events {
            return Err(format!("a run of {} events in place of {events}", self.events).into());
        }
        Ok(())
    }

    /// Reads what is there, or the next bytes.
    pub async fn read(&mut self) -> Result<(), Fault> {
        loop {
            self.socket.readable().await?;
            let read = BUFFER.with_borrow_mut(|buffer| {
                self.socket.try_read(buffer).map(|read| self.take(&buffer[..read]).map(|()| read))
            });
            match read {
                Ok(Ok(0)) => return Err("the server closed the connection".into()),
                Ok(read) => return read.map(|_| ()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if self.tail.is_empty() && !bytes.is_empty() && !bytes.starts_with(b"HTTP/1.1 200 ") {
            return Err(String::from_utf8_lossy(bytes).into());
        }
        if memmem::find(bytes, b"RUN_ERROR").is_some() {
            return Err(String::from_utf8_lossy(bytes).into());
        }
        for end in memchr_iter(b'\n', bytes) {
            let before = match end.checked_sub(1) {
                Some(before) => bytes.get(before),
                None => self.tail.last(),
            };
            self.events += u64::from(before == Some(&b'\n'));
        }
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(LAST_CHUNK.len())..]);
        self.tail.drain(..self.tail.len().saturating_sub(LAST_CHUNK.len()));
        Ok(())
    }
}

fn request(port: u16, number: usize) -> String {
    let body = format!(
        r#"{{"threadId":"thread-{number}","runId":"run-{number}","protocolVersion":"1.0","state":{{}},"messages":[{{"id":"message-0","role":"user","content":"Count for me, please."}}],"tools":[],"context":[],"forwardedProps":{{}}}}"#
    );
    format!(
        "POST / HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\naccept: text/event-stream\r\nuser-agent: load\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
