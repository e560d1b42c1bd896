//! An agent's socket: opened when needed, and again after a loss.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use reqwest::{Client, Response, Url};
use serde_json::value::RawValue;
use tokio::sync::Mutex;

use super::handshake;
use super::link::{FrameOutcome, Link};
use crate::client::ClientError;
use crate::client::http::connections;
use crate::wire::websocket::{ClientFrame, ClientFrameKind, Format, PATH};

/// The number of event frames that the server may send ahead of a run's reader.
pub(super) const WINDOW: u32 = 64;

/// A run to send over a socket.
pub(in crate::client::http) struct RunFrame<'r> {
    /// The address for a plain request.
    pub(in crate::client::http) url: &'r Url,
    pub(in crate::client::http) input: &'r Bytes,
    pub(in crate::client::http) cursor: Option<&'r str>,
    pub(in crate::client::http) is_binary: bool,
}

/// An agent's socket.
#[derive(Debug)]
pub(in crate::client::http) struct Socket {
    url: Url,
    http: Client,
    /// The server's path, a prefix of all agents' paths.
    base: String,
    link: Mutex<Option<Link>>,
}

impl Socket {
    /// Creates an agent's socket for an address, without a connection.
    pub(super) fn new(
        url: &str,
        agent: &Url,
        http: impl FnOnce(&Url) -> Result<Client, ClientError>,
    ) -> Result<Self, ClientError> {
        let unusable = |reason: &str| ClientError::Url { url: url.to_owned(), reason: reason.to_owned() };
        // An HTTP client makes the connection.
        let address = match url.split_once(':') {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("ws") => format!("http:{rest}"),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("wss") => format!("https:{rest}"),
            _ => url.to_owned(),
        };
        let address = connections::address(&address)?;
        let base = address.path().strip_suffix(PATH);
        let base = base.ok_or_else(|| unusable("its path does not end with `/agui/ws`"))?.to_owned();
        if address.origin() != agent.origin() || path_below(&base, agent).is_none() {
            return Err(unusable("the agent is not at the server of the socket"));
        }
        let http = http(&address)?;
        Ok(Self { url: address, http, base, link: Mutex::default() })
    }

    /// Returns a socket like this one, without a connection.
    pub(super) fn another(&self) -> Self {
        self.over(self.http.clone())
    }

    /// Returns a socket for the same address with another HTTP client.
    pub(super) fn over(&self, http: Client) -> Self {
        Self { url: self.url.clone(), http, base: self.base.clone(), link: Mutex::default() }
    }

    /// Returns the address, for an HTTP client.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// Sends a run, and returns the result as an HTTP response.
    pub(in crate::client::http) async fn send(
        &self,
        run: &RunFrame<'_>,
        headers: &HeaderMap,
        max_frame: usize,
        connect: Option<Duration>,
    ) -> Result<Response, ClientError> {
        let path = path_below(&self.base, run.url).unwrap_or_default();
        let input: &RawValue = serde_json::from_slice(run.input).map_err(ClientError::other)?;
        let mut is_fresh = false;
        loop {
            let link = self.link(headers, max_frame, connect, &mut is_fresh).await?;
            let frame = |id: &str| {
                serde_json::to_string(&ClientFrame {
                    kind: ClientFrameKind::Run,
                    id: id.into(),
                    path: Some(path.into()),
                    format: run.is_binary.then_some(Format::Binary),
                    last_event_id: run.cursor.map(Into::into),
                    headers: None,
                    window: Some(WINDOW),
                    more: None,
                    input: Some(input),
                })
            };
            match link.open(frame, run.url).await? {
                FrameOutcome::Response(response) => return Ok(*response),
                // The server closed the socket before it read the frame, so the run has not begun.
                FrameOutcome::NotRead if !is_fresh => {}
                FrameOutcome::NotRead => {
                    return Err(ClientError::Network("the server closed the WebSocket at once".into()));
                }
            }
        }
    }

    /// Returns the connection, opening one if needed.
    async fn link(
        &self,
        headers: &HeaderMap,
        max_frame: usize,
        connect: Option<Duration>,
        is_fresh: &mut bool,
    ) -> Result<Link, ClientError> {
        let mut kept = self.link.lock().await;
        if let Some(link) = kept.as_ref().filter(|link| link.is_open()) {
            return Ok(link.clone());
        }
        *is_fresh = true;
        let upgraded = handshake::upgrade(&self.http, &self.url, headers, connect).await?;
        let link = Link::new(upgraded, max_frame).await;
        *kept = Some(link.clone());
        Ok(link)
    }
}

/// Returns an agent's path relative to the server path `base`.
fn path_below<'u>(base: &str, agent: &'u Url) -> Option<&'u str> {
    match agent.path().strip_prefix(base)? {
        "" => Some("/"),
        path => path.starts_with('/').then_some(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_that_of_the_agent_at_its_server() {
        for (base, agent, path) in [
            ("", "http://h/", Some("/")),
            ("", "http://h/chef", Some("/chef")),
            ("/agents", "http://h/agents", Some("/")),
            ("/agents", "http://h/agents/chef/connect", Some("/chef/connect")),
            ("/agents", "http://h/agentschef", None),
            ("/agents", "http://h/chef", None),
        ] {
            assert_eq!(path_below(base, &agent.parse().unwrap()), path, "{base} {agent}");
        }
    }

    #[test]
    fn the_address_of_a_socket_ends_with_its_path() {
        let agent: Url = "http://h/chef".parse().unwrap();
        let http = |url: &Url| connections::client_of_sockets(url, None);
        for (url, fits) in [
            ("ws://h/agui/ws", true),
            ("WS://h:80/agui/ws", true),
            ("http://h/agui/ws", true),
            ("ws://other/agui/ws", false),
            ("ws://h:8080/agui/ws", false),
            ("wss://h/agui/ws", false),
            ("ws://h/other", false),
            ("ftp://h/agui/ws", false),
            ("agui/ws", false),
        ] {
            assert_eq!(Socket::new(url, &agent, http).is_ok(), fits, "{url}");
        }
    }
}
