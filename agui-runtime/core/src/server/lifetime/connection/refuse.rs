//! Responses on connections from which no request can be read.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::server::metrics;

/// Returns the response to a head that is not complete in time.
pub(super) fn header_timeout() -> String {
    response("408 Request Timeout", "header_timeout", "the head of the request did not arrive in time")
}

fn too_many() -> String {
    let message = "the server has reached its limit of connections: try again later";
    response("503 Service Unavailable\r\nretry-after: 1", "too_many_connections", message)
}

fn response(status: &str, code: &'static str, message: &str) -> String {
    metrics::refused(code);
    let body = format!(r#"{{"error":{{"code":"{code}","message":"{message}"}}}}"#);
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

/// Connections that are refused concurrently. Further ones are closed without a response.
const AT_ONCE: usize = 32;

/// The time that a client has to read the response, and the bytes that are read from the client meanwhile: closing a socket with
/// unread bytes resets the connection, and the response is lost.
const LINGER: Duration = Duration::from_secs(1);
const LEFT: usize = 64 * 1024;

/// Refuses connections for which no slot is free.
pub(super) struct ConnectionRefuser(Arc<Semaphore>);

impl ConnectionRefuser {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }

    pub(super) fn refuse(&self, mut stream: TcpStream) {
        let answer = too_many();
        let Ok(permit) = Arc::clone(&self.0).try_acquire_owned() else { return };
        tokio::spawn(async move {
            let answered = async {
                stream.write_all(answer.as_bytes()).await?;
                stream.shutdown().await?;
                let (mut buffer, mut left) = ([0; 1024], LEFT);
                loop {
                    match stream.read(&mut buffer).await? {
                        0 => return Ok::<_, std::io::Error>(()),
                        read => match left.checked_sub(read) {
                            Some(rest) => left = rest,
                            None => return Ok(()),
                        },
                    }
                }
            };
            let _ = timeout(LINGER, answered).await;
            drop(permit);
        });
    }
}
