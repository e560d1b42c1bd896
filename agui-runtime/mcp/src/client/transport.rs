//! Transports that a program may bring.

use tokio::io::{AsyncRead, AsyncWrite, ReadHalf, WriteHalf};

/// A transport for [`McpClient::connect`](super::McpClient::connect) and [`McpServer::serve`](crate::McpServer::serve): a stream
/// such as a socket, or a reader and writer pair, with one message per line. The compiler infers `Kind`, which separates the two.
///
/// ```
/// use agui_runtime::mcp::McpTransport;
///
/// fn is_transport<K>(_: &impl McpTransport<K>) {}
///
/// let (here, there) = tokio::io::duplex(4096);
/// is_transport(&here);
/// is_transport(&tokio::io::split(there));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a transport for MCP",
    label = "not a transport",
    note = "pass a stream of tokio such as a socket, or a pair of a reader and a writer"
)]
pub trait McpTransport<Kind>: Send + 'static {
    /// The half that messages are read from.
    #[doc(hidden)]
    type Read: AsyncRead + Unpin + Send + 'static;

    /// The half that messages are written to.
    #[doc(hidden)]
    type Write: AsyncWrite + Unpin + Send + 'static;

    #[doc(hidden)]
    fn into_halves(self) -> (Self::Read, Self::Write);
}

/// The kind of a stream that reads and writes.
#[doc(hidden)]
#[derive(Debug)]
pub enum StreamTransport {}

/// The kind of a reader and a writer.
#[doc(hidden)]
#[derive(Debug)]
pub enum PairTransport {}

impl<S> McpTransport<StreamTransport> for S
where
    S: AsyncRead + AsyncWrite + Send + 'static,
{
    type Read = ReadHalf<S>;
    type Write = WriteHalf<S>;

    fn into_halves(self) -> (ReadHalf<S>, WriteHalf<S>) {
        tokio::io::split(self)
    }
}

impl<R, W> McpTransport<PairTransport> for (R, W)
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Read = R;
    type Write = W;

    fn into_halves(self) -> (R, W) {
        self
    }
}
