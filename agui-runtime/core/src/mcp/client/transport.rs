//! Transports that a program may bring.

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, CustomResult, ServerJsonRpcMessage, ServerResult};
use rmcp::transport::Transport;
use rmcp::transport::TransportAdapterIdentity;
use rmcp::transport::async_rw::{TransportAdapterAsyncCombinedRW, TransportAdapterAsyncRW};
use tokio::io::{AsyncRead, AsyncWrite, ReadHalf, WriteHalf};

use super::lines::LineTransport;
use super::meant::mend_result;

/// A transport for [`McpClient::connect`](super::McpClient::connect): a stream such as a socket, a reader and writer pair with one
/// message per line, or an [`rmcp`](crate::mcp::rmcp) [`Transport`]. The compiler infers `Kind`, which separates the three.
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
    note = "pass a stream of tokio such as a socket, a pair of a reader and a writer, or a transport of `agui_runtime::mcp::rmcp`"
)]
pub trait McpTransport<Kind>: Send + 'static {
    #[doc(hidden)]
    fn open(self, server: &str) -> impl Transport<RoleClient> + 'static;
}

impl<S> McpTransport<TransportAdapterAsyncCombinedRW> for S
where
    S: AsyncRead + AsyncWrite + Send + 'static,
{
    fn open(self, server: &str) -> impl Transport<RoleClient> + 'static {
        let (read, write): (ReadHalf<S>, WriteHalf<S>) = tokio::io::split(self);
        LineTransport::new(server, read, write)
    }
}

impl<R, W> McpTransport<TransportAdapterAsyncRW> for (R, W)
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    fn open(self, server: &str) -> impl Transport<RoleClient> + 'static {
        LineTransport::new(server, self.0, self.1)
    }
}

impl<T> McpTransport<TransportAdapterIdentity> for T
where
    T: Transport<RoleClient> + 'static,
{
    fn open(self, _: &str) -> impl Transport<RoleClient> + 'static {
        MendingTransport(self)
    }
}

/// A transport that parses messages by itself: only results that rmcp could not read can be mended.
struct MendingTransport<T>(T);

impl<T: Transport<RoleClient>> Transport<RoleClient> for MendingTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        self.0.send(message)
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        let mut message = self.0.receive().await?;
        if let ServerJsonRpcMessage::Response(response) = &mut message
            && let ServerResult::CustomResult(CustomResult(result)) = &mut response.result
        {
            mend_result(result);
            if let Ok(result) = serde_json::from_value(result.clone()) {
                response.result = result;
            }
        }
        Some(message)
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.0.close().await
    }
}
