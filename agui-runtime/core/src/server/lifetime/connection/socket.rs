//! A connection's socket, which reports reads and writes to the connection state.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::connections::ConnectionEntry;
use super::refusals::RefusalCounter;
use super::refuse;
use super::state::WrittenBytesKind;

/// Bytes that are read ahead: nearly every request fits, and is then read at once.
const AHEAD: usize = 1024;

/// One connection's socket, also after an upgrade.
pub(super) struct ConnectionSocket {
    stream: TcpStream,
    member: Arc<ConnectionEntry>,
    refusals: RefusalCounter,
    /// Bytes that were inspected and that the next read returns.
    ahead: Vec<u8>,
}

impl ConnectionSocket {
    pub(super) fn new(stream: TcpStream, member: Arc<ConnectionEntry>) -> Self {
        Self { stream, member, refusals: RefusalCounter::default(), ahead: Vec::new() }
    }

    /// Reads bytes ahead and returns all that are available, and whether the stream has ended. The next reads return the same
    /// bytes.
    pub(super) fn poll_ahead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<(&[u8], bool)>> {
        let mut bytes = [0; AHEAD];
        let mut read = ReadBuf::new(&mut bytes);
        ready!(self.poll_stream(cx, &mut read))?;
        self.ahead.extend_from_slice(read.filled());
        Poll::Ready(Ok((&self.ahead, read.filled().is_empty())))
    }

    fn poll_stream(&mut self, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.member.state.is_late() {
            // hyper closes such a connection without an answer.
            let _ = self.stream.try_write(refuse::header_timeout().as_bytes());
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buf);
        if buf.filled().len() > before {
            self.member.state.has_read();
        }
        polled
    }

    /// Moves bytes that were read ahead to `buf`. Returns true if the stream may have more.
    fn take_ahead(&mut self, buf: &mut ReadBuf<'_>) -> bool {
        let now = self.ahead.len().min(buf.remaining());
        buf.put_slice(self.ahead.get(..now).unwrap_or_default());
        let was_full = self.ahead.len() >= AHEAD;
        if now == self.ahead.len() {
            self.ahead = Vec::new();
        } else {
            self.ahead.drain(..now);
        }
        was_full && self.ahead.is_empty() && buf.remaining() > 0
    }

    /// Reports the written prefix of `slices` to the state and the refusal counter.
    fn record_write<'b>(
        &mut self,
        written: &Poll<io::Result<usize>>,
        slices: impl Iterator<Item = &'b [u8]>,
    ) {
        let mut left = match written {
            Poll::Ready(Ok(bytes)) => *bytes,
            Poll::Ready(Err(_)) => 0,
            Poll::Pending => return self.member.state.is_blocked(),
        };
        let speaks = self.member.state.has_written();
        for bytes in slices {
            let bytes = bytes.get(..left).unwrap_or(bytes);
            left -= bytes.len();
            match speaks {
                WrittenBytesKind::Http2 => self.refusals.count_frames(bytes),
                WrittenBytesKind::Unasked => RefusalCounter::count_without_request(bytes),
                WrittenBytesKind::Asked => {}
            }
        }
    }
}

impl AsyncRead for ConnectionSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.ahead.is_empty() {
            return self.poll_stream(cx, buf);
        }
        if self.take_ahead(buf) {
            // An error comes again with the next read.
            let _ = self.poll_stream(cx, buf);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ConnectionSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.record_write(&written, [bytes].into_iter());
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.record_write(&written, slices.iter().map(|slice| &**slice));
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
