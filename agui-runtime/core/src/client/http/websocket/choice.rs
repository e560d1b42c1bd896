//! Choosing a WebSocket for an agent's runs.

use std::sync::Arc;

use reqwest::{Client, Url};

use super::Socket;
use crate::client::ClientError;
use crate::client::http::{HttpAgent, connections};

impl HttpAgent {
    /// Sends runs over one WebSocket to a server of this crate, `…/agui/ws`, instead of a request for each; the scheme is `ws`,
    /// `wss`, `http` or `https`. Needs the feature `websocket`; `Server::websocket` has the other end, and the frames.
    ///
    /// The first run opens the socket. A lost socket is opened again, and runs that the server stores go on as after a lost
    /// connection. Clones with the same headers, `connect_timeout` and `max_frame` share the socket; the order in which the
    /// settings and this method are called does not matter. The socket has a task, which ends with the last agent and the last
    /// run.
    ///
    /// The socket sends this agent's headers. [Capabilities](crate::client::Upstream::capabilities) and
    /// [`stop`](crate::client::Upstream::stop) are still requests.
    ///
    /// A caller's HTTP client ([`with_client`](Self::with_client)) opens the socket too. For `wss` the client must speak only
    /// HTTP/1.1 (`http1_only`): over HTTP/2 the server refuses the socket with status 426.
    ///
    /// A slowly read run gets at most 64 events ahead, and stops no other run.
    ///
    /// # Errors
    /// [`ClientError::Url`] if the address does not end with `/agui/ws`, or the agent is not below the part before: at the same
    /// host and port, both with TLS or both without; [`ClientError::Tls`] as in [`new`](Self::new).
    ///
    /// ```
    /// use agui_runtime::client::{ClientError, HttpAgent};
    ///
    /// let chef = HttpAgent::new("https://example.org/agents/chef")?.websocket("wss://example.org/agents/agui/ws")?;
    ///
    /// let other = HttpAgent::new("https://example.org/chef")?.websocket("wss://example.org/agents/agui/ws");
    /// assert!(matches!(other, Err(ClientError::Url { .. })), "it is not below `/agents`");
    /// # Ok::<(), ClientError>(())
    /// ```
    pub fn websocket(mut self, url: impl AsRef<str>) -> Result<Self, ClientError> {
        self.socket =
            Some(Arc::new(Socket::new(url.as_ref(), &self.url, |url| self.client_of_sockets(url))?));
        Ok(self)
    }

    /// Leaves the socket to this agent's clones, whose settings differ now.
    pub(in crate::client::http) fn renew_socket(&mut self) {
        if let Some(socket) = &self.socket {
            self.socket = Some(Arc::new(socket.another()));
        }
    }

    /// Like `renew_socket`, after a change to the time limit for connecting.
    pub(in crate::client::http) fn limit_socket(&mut self) -> Result<(), ClientError> {
        if let Some(socket) = &self.socket {
            self.socket = Some(Arc::new(socket.over(self.client_of_sockets(socket.url())?)));
        }
        Ok(())
    }

    /// Returns the HTTP client for handshakes: with this agent's time limit, or the caller's client.
    fn client_of_sockets(&self, url: &Url) -> Result<Client, ClientError> {
        match self.connect {
            Some(_) => connections::client_of_sockets(url, self.connect),
            None => Ok(self.http.clone()),
        }
    }
}
