//! The choice of a socket for the runs of an agent.

use std::sync::Arc;

use reqwest::{Client, Url};

use super::Socket;
use crate::client::ClientError;
use crate::client::http::{HttpAgent, connections};

impl HttpAgent {
    /// Sends runs over one WebSocket of a server of this crate, `…/agui/ws`, instead of a request for each; the scheme is
    /// `ws`, `wss`, `http` or `https`. The socket is made with the first run and again after it was lost, and then runs
    /// that the server keeps go on as after a lost connection. Clones share it, as far as their headers, their
    /// `connect_timeout` and their `max_frame` are the same; the order of these settings and of this method does not matter.
    ///
    /// The headers of this agent are those of the socket. The [capabilities](crate::client::Upstream::capabilities) and
    /// [`stop`](crate::client::Upstream::stop) are still requests. A socket has a task of its own, which ends with the last agent
    /// and run on it. Needs the feature `websocket`; `Server::websocket` has the other end, and the frames.
    ///
    /// An HTTP client of the caller's own ([`with_client`](Self::with_client)) makes the socket too. For `wss` it must be one for
    /// HTTP/1.1 alone (`http1_only`): over HTTP/2 the server refuses the socket with status 426.
    ///
    /// A run that is read slowly gets at most 64 events ahead, and stops no other run.
    ///
    /// # Errors
    /// [`ClientError::Url`] if the address does not end with `/agui/ws`, or the agent is not below what comes before: at the
    /// same host and port, with TLS for both or for none; [`ClientError::Tls`] as in [`new`](Self::new).
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

    /// Leaves the socket to the clones of this agent, which differs from them now.
    pub(in crate::client::http) fn renew_socket(&mut self) {
        if let Some(socket) = &self.socket {
            self.socket = Some(Arc::new(socket.another()));
        }
    }

    /// Does the same, because the time limit of connecting has changed.
    pub(in crate::client::http) fn limit_socket(&mut self) -> Result<(), ClientError> {
        if let Some(socket) = &self.socket {
            self.socket = Some(Arc::new(socket.over(self.client_of_sockets(socket.url())?)));
        }
        Ok(())
    }

    /// Returns the HTTP client of handshakes: one with the time limit of this agent, or the caller's own.
    fn client_of_sockets(&self, url: &Url) -> Result<Client, ClientError> {
        match self.connect {
            Some(_) => connections::client_of_sockets(url, self.connect),
            None => Ok(self.http.clone()),
        }
    }
}
