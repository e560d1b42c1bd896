//! Messages over a reader and a writer, one per line (MCP, section "stdio").

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::meant::mend;
use agui_runtime_core::__leaf::quoted;

/// Line limit in bytes. A longer line is dropped.
const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// Time after which a process that is silent about the first request gets another line.
const SILENCE: Duration = Duration::from_secs(1);

/// A message that needs no response: it cancels a request that was never made. A program that the first request has stopped may
/// still wait for a line, as Python SDKs before 1.9 do. A server of 2026-07-28 that only starts slowly needs the version:
/// after a message without a version, TypeScript's SDK speaks 2025-11-25 for as long as the connection lasts.
const NUDGE: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
"#;

/// A transport over a reader and a writer.
pub(super) struct LineTransport<R, W> {
    server: String,
    read: BufReader<R>,
    /// An incomplete line, stored here because a pending read may be dropped.
    line: Vec<u8>,
    /// True inside a line that exceeds the limit.
    skips: bool,
    write: Arc<Mutex<Option<W>>>,
    /// True if a silent server is nudged.
    nudges: bool,
    nudge_at: Option<Instant>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> LineTransport<R, W> {
    pub(super) fn new(server: &str, read: R, write: W) -> Self {
        Self {
            server: server.to_owned(),
            read: BufReader::new(read),
            line: Vec::new(),
            skips: false,
            write: Arc::new(Mutex::new(Some(write))),
            nudges: false,
            nudge_at: None,
        }
    }

    /// Sends a further line to a server that is silent about the first request.
    pub(super) fn nudging(self) -> Self {
        Self { nudges: true, ..self }
    }

    /// Reads to the end of a line; false at the stream's end. A dropped call can be resumed.
    async fn read_line(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.read.fill_buf().await?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let end = memchr::memchr(b'\n', bytes);
            let taken = end.map_or(bytes.len(), |end| end + 1);
            if !self.skips {
                self.line.extend_from_slice(bytes.get(..taken).unwrap_or_default());
            }
            self.read.consume(taken);
            if self.line.len() > LONGEST_LINE {
                tracing::warn!(
                    server = self.server,
                    "a message of an MCP server is longer than {LONGEST_LINE} bytes"
                );
                self.line = Vec::new();
                self.skips = true;
            }
            if end.is_some() && !std::mem::take(&mut self.skips) {
                return Ok(true);
            }
        }
    }

    /// Waits for a line, and nudges a silent server.
    async fn next_line(&mut self) -> io::Result<bool> {
        if let Some(at) = self.nudge_at {
            if let Ok(line) = tokio::time::timeout_at(at, self.read_line()).await {
                return line;
            }
            self.nudge_at = None;
            if let Some(write) = &mut *self.write.lock().await {
                // A server that has ended is noticed by its output.
                drop(write.write_all(NUDGE).await);
                drop(write.flush().await);
            }
        }
        self.read_line().await
    }

    /// Parses a line; `None` for anything but a message.
    fn message(&self, line: &[u8]) -> Option<ServerJsonRpcMessage> {
        // Empty lines, and the mark that some systems write before a text.
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return None;
        }
        let read = serde_json::from_slice::<Value>(line).and_then(|mut message| {
            mend(&mut message);
            serde_json::from_value(message)
        });
        if let Err(error) = &read {
            tracing::debug!(error = %quoted(error), server = self.server, "a line of an MCP server is no message");
        }
        read.ok()
    }
}

impl<R, W> Transport<RoleClient> for LineTransport<R, W>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        if let ClientJsonRpcMessage::Request(request) = &message {
            let is_first = matches!(request.request, ClientRequest::DiscoverRequest(_));
            self.nudge_at = (self.nudges && is_first).then(|| Instant::now() + SILENCE);
        }
        let write = Arc::clone(&self.write);
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut write = write.lock().await;
            let write = write.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            write.write_all(&line).await?;
            write.flush().await
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            match self.next_line().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    tracing::debug!(error = %quoted(&error), server = self.server, "an MCP server cannot be read");
                    return None;
                }
            }
            self.nudge_at = None;
            let line = std::mem::take(&mut self.line);
            if let Some(message) = self.message(&line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        match self.write.lock().await.take() {
            Some(mut write) => write.shutdown().await,
            None => Ok(()),
        }
    }
}
