//! A client of the socket that writes and reads bytes (RFC 6455, section 5), so that no library corrects what it sends.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

const LIMIT: Duration = Duration::from_secs(20);

pub(super) const CONTINUATION: u8 = 0;
pub(super) const TEXT: u8 = 1;
pub(super) const CLOSE: u8 = 8;
pub(super) const PING: u8 = 9;
pub(super) const PONG: u8 = 10;

/// The bit of the last frame of a message, and the one of a compressed message (RFC 7692, section 6).
pub(super) const FIN: u8 = 0x80;
pub(super) const COMPRESSED: u8 = 0x40;

/// A connection that became a socket.
pub(super) struct Wire {
    stream: TcpStream,
    /// The head of the response, in lower case.
    pub(super) head: String,
}

impl Wire {
    /// Makes a handshake that offers these extensions.
    pub(super) async fn open(address: SocketAddr, extensions: &str) -> Self {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!(
            "GET /agui/ws HTTP/1.1\r\nhost: {address}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             sec-websocket-protocol: agui-runtime.v1\r\nsec-websocket-extensions: {extensions}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        let head = String::from_utf8(head).unwrap().to_lowercase();
        assert!(head.starts_with("http/1.1 101 "), "{head}");
        // The value of RFC 6455, section 1.3.
        assert!(head.contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo="), "{head}");
        Self { stream, head }
    }

    pub(super) async fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// Sends a frame, masked as those of a client are.
    pub(super) async fn send(&mut self, first: u8, payload: &[u8]) {
        self.write(&frame(first, payload)).await;
    }

    pub(super) async fn say(&mut self, frame: &Value) {
        self.send(FIN | TEXT, frame.to_string().as_bytes()).await;
    }

    /// Returns the next frame, its opcode and its payload; `None` at the end of the connection.
    pub(super) async fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        timeout(LIMIT, self.read()).await.expect("the server says nothing")
    }

    async fn read(&mut self) -> Option<(u8, Vec<u8>)> {
        // A connection may be reset, because the server does not read what comes after a violation.
        let first = self.stream.read_u8().await.ok()?;
        let second = self.stream.read_u8().await.ok()?;
        assert_eq!((first & 0x70, second & 0x80), (0, 0), "no reserved bit, and no mask");
        let length = match second {
            126 => usize::from(self.stream.read_u16().await.ok()?),
            127 => usize::try_from(self.stream.read_u64().await.ok()?).unwrap(),
            short => usize::from(short),
        };
        let mut payload = vec![0; length];
        self.stream.read_exact(&mut payload).await.ok()?;
        assert_eq!(first & FIN, FIN, "the server sends whole messages");
        Some((first & 0x0f, payload))
    }

    /// Returns the next frame of the protocol of this crate.
    pub(super) async fn next_frame(&mut self) -> Value {
        loop {
            let (opcode, payload) = self.next().await.expect("the connection ends");
            match opcode {
                TEXT => return serde_json::from_slice(&payload).unwrap(),
                PING => {}
                _ => panic!("{opcode}: {payload:?}"),
            }
        }
    }

    /// Returns the code with which the server closes the socket, after which it ends the connection.
    pub(super) async fn closed(mut self) -> u16 {
        let code = loop {
            let (opcode, payload) = self.next().await.expect("the connection ends without a close");
            if opcode == CLOSE {
                break u16::from_be_bytes([payload[0], payload[1]]);
            }
        };
        let after = self.next().await;
        assert!(after.is_none(), "a close is the last frame: {after:?}");
        code
    }
}

/// Returns a masked frame.
pub(super) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];
    let mut bytes = vec![first];
    match payload.len() {
        length @ 0..126 => bytes.push(0x80 | u8::try_from(length).unwrap()),
        length => {
            bytes.push(0x80 | 126);
            bytes.extend(u16::try_from(length).unwrap().to_be_bytes());
        }
    }
    bytes.extend(MASK);
    bytes.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    bytes
}
