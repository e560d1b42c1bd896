//! An agent behind an HTTP address.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue};
use reqwest::{Client, Url};

use super::limit::Limits;
#[cfg(feature = "websocket")]
use super::websocket::Socket;
use super::{Accept, connections};
use crate::client::ClientError;
use crate::client::middleware::Retry;
use crate::wire::sse;

/// The number of reconnect attempts: with pauses they take three to five minutes, as long as a train is in a tunnel.
const RECONNECTS: usize = 36;

/// An agent behind a URL (AG-UI 1.0, section "HTTP exchange").
///
/// A run is one POST. Dropping the frames closes the connection, which aborts the run, unless the server stores threads: there the
/// run goes on, and [`Session::stop`](crate::client::Session::stop) ends the run. A lost connection to such a server is
/// [reconnected](Self::reconnect). Clones share connections.
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::client::{HttpAgent, Session};
///
/// let agent = HttpAgent::new("https://example.org/agent")?
///     .header("authorization", "Bearer 1234")?
///     .idle_timeout(Duration::from_secs(60));
/// let session: Session = Session::new(agent);
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
#[derive(Debug, Clone)]
pub struct HttpAgent {
    pub(super) http: Client,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) accept: Accept,
    /// The time limit for connecting; `None` for a caller's HTTP client.
    pub(super) connect: Option<Duration>,
    /// The largest number of followed redirects.
    pub(super) redirects: usize,
    pub(super) limits: Limits,
    pub(super) max_frame: usize,
    pub(super) max_run: Option<usize>,
    pub(super) reconnect: Retry,
    /// True if the server is known to store threads.
    pub(super) resumable: Arc<AtomicBool>,
    /// The WebSocket for runs; `None` sends each run as a request.
    #[cfg(feature = "websocket")]
    pub(super) socket: Option<Arc<Socket>>,
}

impl HttpAgent {
    /// Creates an agent for this address. Connecting is limited to 10 seconds; nothing else has a time limit.
    ///
    /// # Errors
    /// [`ClientError::Url`] for an address that is not an http or https URL, [`ClientError::Tls`] for an https URL on a machine
    /// without trusted certificates.
    ///
    /// ```
    /// use agui_runtime::client::{ClientError, HttpAgent};
    ///
    /// assert!(HttpAgent::new("http://127.0.0.1:8000/chef").is_ok());
    /// assert!(matches!(HttpAgent::new("ftp://example.org"), Err(ClientError::Url { .. })));
    /// ```
    pub fn new(url: impl AsRef<str>) -> Result<Self, ClientError> {
        let url = connections::address(url.as_ref())?;
        let connect = Some(connections::PATIENCE);
        Ok(Self::over(connections::client(&url, connect, 0)?, url, connect))
    }

    /// Creates an agent over your own HTTP client: with a proxy, other certificates, a shared pool. The client's connect timeout
    /// applies.
    ///
    /// The client's redirect policy applies too. By default, reqwest follows ten redirects, and sends the body and most headers to
    /// any address that the server names. Build the client with `redirect(reqwest::redirect::Policy::none())`. A response from
    /// another origin is refused ([`ClientError::Redirect`]), but the request was sent there.
    ///
    /// # Errors
    /// [`ClientError::Url`] for an address that is not an http or https URL.
    ///
    /// ```
    /// use agui_runtime::client::{ClientError, HttpAgent};
    ///
    /// /// Returns two agents that share their connections.
    /// fn agents(pool: reqwest::Client) -> Result<[HttpAgent; 2], ClientError> {
    ///     Ok([
    ///         HttpAgent::with_client("http://127.0.0.1:8000/chef", pool.clone())?,
    ///         HttpAgent::with_client("http://127.0.0.1:8000/waiter", pool)?,
    ///     ])
    /// }
    /// ```
    pub fn with_client(url: impl AsRef<str>, http: Client) -> Result<Self, ClientError> {
        Ok(Self::over(http, connections::address(url.as_ref())?, None))
    }

    fn over(http: Client, url: Url, connect: Option<Duration>) -> Self {
        Self {
            http,
            url,
            headers: HeaderMap::new(),
            accept: Accept::default(),
            connect,
            redirects: 0,
            limits: Limits::default(),
            max_frame: sse::MAX_RECORD,
            max_run: None,
            reconnect: Retry::times(RECONNECTS),
            resumable: Arc::default(),
            #[cfg(feature = "websocket")]
            socket: None,
        }
    }

    /// Returns the address.
    #[must_use]
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Returns a request's headers; this client's headers replace the caller's.
    pub(super) fn headers(&self, accept: HeaderValue) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.insert(ACCEPT, accept);
        headers
    }

    /// Notes that the server stores threads, for clones of this agent too.
    pub(super) fn stores_threads(&self) {
        self.resumable.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_resumable(&self) -> bool {
        self.resumable.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_connection_is_made_again_for_minutes() {
        let agent = HttpAgent::new("http://127.0.0.1:1/").unwrap();
        let longest: Duration = (0..agent.reconnect.limit()).map(|retry| agent.reconnect.pause(retry)).sum();
        // Pauses vary down to their half.
        assert!((300..330).contains(&longest.as_secs()), "{longest:?}");
    }
}
