//! The socket of a connection, whose state observes reads and writes.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::crowd::Member;
use super::refusals::Refusals;
use super::refuse;
use super::state::Speaks;

/// The socket of one connection, also after an upgrade.
pub(super) struct Socket {
    stream: TcpStream,
    member: Arc<Member>,
    refusals: Refusals,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, member: Arc<Member>) -> Self {
        Self { stream, member, refusals: Refusals::default() }
    }

    /// Records the first bytes of these, as many as were written.
    fn note<'b>(&mut self, written: &Poll<io::Result<usize>>, slices: impl Iterator<Item = &'b [u8]>) {
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
                Speaks::Http2 => self.refusals.wrote_frames(bytes),
                Speaks::Unasked => Refusals::wrote_unasked(bytes),
                Speaks::Asked => {}
            }
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.member.state.is_late() {
            // hyper closes such a connection without an answer.
            let _ = self.stream.try_write(refuse::header_timeout().as_bytes());
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let before = buf.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buf);
        if let Some(read) = buf.filled().get(before..).filter(|read| !read.is_empty()) {
            self.member.state.has_read(read);
        }
        polled
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.note(&written, [bytes].into_iter());
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.note(&written, slices.iter().map(|slice| &**slice));
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
