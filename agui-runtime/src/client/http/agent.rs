//! An agent that is reached over HTTP.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{StreamExt, TryStreamExt, stream};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url};

use super::follow::{Follow, Target};
use super::limit::{Deadlines, Limits};
use super::reader::Reader;
#[cfg(feature = "websocket")]
use super::websocket::{RunFrame, Socket};
use super::{Accept, answer, connections, redirect};
use crate::client::middleware::Retry;
use crate::client::{ClientError, Frames, Upstream, Warnings};
#[cfg(feature = "dialect")]
use crate::dialect::snake_case;
use crate::protocol::{AgentCapabilities, RunAgentInput, ThreadId};
use crate::wire::sse;

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The header with the id of the last received event (WHATWG HTML, 9.2).
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// An agent behind a URL (AG-UI 1.0, section "HTTP exchange").
///
/// A run is one POST. Dropping its frames closes the connection, which aborts the run, unless the server stores threads:
/// there the run goes on, and [`Session::stop`](crate::client::Session::stop) ends it. A lost connection to such a server
/// is made again ([`reconnect`](Self::reconnect)). Clones share their connections.
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
    headers: HeaderMap,
    accept: Accept,
    /// The time limit of connecting; `None` if the HTTP client is the caller's.
    pub(super) connect: Option<Duration>,
    /// The largest number of redirects that are followed.
    redirects: usize,
    pub(super) limits: Limits,
    pub(super) max_frame: usize,
    pub(super) max_run: Option<usize>,
    pub(super) reconnect: Retry,
    /// True if the server is known to store threads.
    resumable: Arc<AtomicBool>,
    /// The socket of runs; without one, each is a request of its own.
    #[cfg(feature = "websocket")]
    socket: Option<Arc<Socket>>,
}

impl HttpAgent {
    /// Creates an agent for this address. Connecting is limited to 10 seconds; nothing else has a time
    /// limit.
    ///
    /// # Errors
    /// [`ClientError::Url`] if it is not an http or https URL, [`ClientError::Tls`] if it is an https URL
    /// and this machine has no trusted certificates.
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

    /// Creates an agent for this address over an HTTP client of your own: with a proxy, other certificates,
    /// a shared pool. Its connect timeout applies.
    ///
    /// Its redirect policy applies too, and reqwest follows ten redirects by default: it sends the body and
    /// most headers to any address that the server names. Build the client with
    /// `redirect(reqwest::redirect::Policy::none())`. A response from another origin is refused
    /// ([`ClientError::Redirect`]), but the request was sent there.
    ///
    /// # Errors
    /// [`ClientError::Url`] if it is not an http or https URL.
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
            reconnect: Retry::times(10),
            resumable: Arc::default(),
            #[cfg(feature = "websocket")]
            socket: None,
        }
    }

    /// Sends runs over one WebSocket of a server of this crate, `…/agui/ws`, instead of a request for each; the scheme is
    /// `ws`, `wss`, `http` or `https`. The socket is made with the first run and again after it was lost, and then runs
    /// that the server keeps go on as after a lost connection. Clones share it, as far as their headers are the same.
    ///
    /// The headers of this agent are those of the socket. The [capabilities](Upstream::capabilities) and
    /// [`stop`](Upstream::stop) are still requests. A socket has a task of its own, which ends with the last agent and run
    /// on it. Needs the feature `websocket`; `Server::websocket` has the other end, and the frames.
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
    #[cfg(feature = "websocket")]
    pub fn websocket(mut self, url: impl AsRef<str>) -> Result<Self, ClientError> {
        let http = |url: &Url| match self.connect {
            Some(_) => connections::client_of_sockets(url, self.connect),
            None => Ok(self.http.clone()),
        };
        self.socket = Some(Arc::new(Socket::new(url.as_ref(), &self.url, http)?));
        Ok(self)
    }

    /// Leaves the socket to the clones of this agent: this one differs from them now.
    fn renew_socket(&mut self) {
        #[cfg(feature = "websocket")]
        if let Some(socket) = &self.socket {
            self.socket = Some(Arc::new(socket.another()));
        }
    }

    /// Sends a header with every request, and replaces earlier ones of the same name. `content-type` and
    /// `accept` are set by this client.
    ///
    /// # Errors
    /// [`ClientError::Header`] if it cannot be sent.
    ///
    /// ```
    /// use agui_runtime::client::{ClientError, HttpAgent};
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.header("authorization", "Bearer old")?;
    /// let renewed = agent.header("authorization", "Bearer new")?;
    /// assert!(matches!(renewed.header("x tenant", "7"), Err(ClientError::Header { .. })));
    /// # Ok::<(), ClientError>(())
    /// ```
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, ClientError> {
        let (name, value) = header(name, value)?;
        self.headers.insert(name, value);
        self.renew_socket();
        Ok(self)
    }

    /// Sends a header with every request, in addition to earlier ones of the same name: for the few headers
    /// that may be repeated.
    ///
    /// # Errors
    /// [`ClientError::Header`] if it cannot be sent.
    ///
    /// ```
    /// use agui_runtime::client::HttpAgent;
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?
    ///     .append_header("forwarded", "for=192.0.2.43")?
    ///     .append_header("forwarded", "for=198.51.100.17")?;
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    pub fn append_header(mut self, name: &str, value: &str) -> Result<Self, ClientError> {
        let (name, value) = header(name, value)?;
        self.headers.append(name, value);
        self.renew_socket();
        Ok(self)
    }

    /// Sets the requested encoding of the stream.
    ///
    /// ```
    /// use agui_runtime::client::{Accept, HttpAgent};
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.accept(Accept::Binary);
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn accept(mut self, accept: Accept) -> Self {
        self.accept = accept;
        self
    }

    /// Sets the time limit of connecting; the default is 10 seconds.
    ///
    /// # Errors
    /// [`ClientError::ForeignClient`] for an agent over the caller's own HTTP client
    /// ([`with_client`](Self::with_client)); [`ClientError::Tls`] as in [`new`](Self::new).
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::client::HttpAgent;
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.connect_timeout(Duration::from_secs(1))?;
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    pub fn connect_timeout(mut self, limit: Duration) -> Result<Self, ClientError> {
        if self.connect.is_none() {
            return Err(ClientError::ForeignClient);
        }
        self.connect = Some(limit);
        self.http = connections::client(&self.url, self.connect, self.redirects)?;
        Ok(self)
    }

    /// Sets the number of redirects to follow. Only redirects to the same origin that keep the method are
    /// followed (RFC 9110, 15.4: 307 and 308). The default is 0, so the messages, the state and the
    /// headers with their secrets go only to the given address. Every other redirect is a
    /// [`ClientError::Redirect`], which names the target.
    ///
    /// # Errors
    /// [`ClientError::ForeignClient`] for an agent over the caller's own HTTP client
    /// ([`with_client`](Self::with_client)); [`ClientError::Tls`] as in [`new`](Self::new).
    ///
    /// ```
    /// use agui_runtime::client::HttpAgent;
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/agent")?.same_origin_redirects(2)?;
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    pub fn same_origin_redirects(mut self, limit: usize) -> Result<Self, ClientError> {
        if self.connect.is_none() {
            return Err(ClientError::ForeignClient);
        }
        self.redirects = limit;
        self.http = connections::client(&self.url, self.connect, limit)?;
        Ok(self)
    }

    /// Sets the longest time without bytes from the server, before its response and within it. Servers send
    /// comments to keep a quiet connection open.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::client::HttpAgent;
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.idle_timeout(Duration::from_secs(60));
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn idle_timeout(mut self, limit: Duration) -> Self {
        self.limits.idle = Some(limit);
        self
    }

    /// Sets the time limit of a whole run.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::client::HttpAgent;
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.run_timeout(Duration::from_secs(600));
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn run_timeout(mut self, limit: Duration) -> Self {
        self.limits.whole = Some(limit);
        self
    }

    /// Sets the largest size of one event on the wire, in bytes; the default is [`sse::MAX_RECORD`]. The
    /// client holds that many bytes until the event is complete. Parsed, it takes more memory: in the worst
    /// case, an event of empty lists and objects, about 100 times as much for JSON and 260 times for the
    /// binary transport. Set it to the size of the largest event that the agent sends.
    ///
    /// ```
    /// use agui_runtime::client::HttpAgent;
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.max_frame(1 << 20);
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn max_frame(mut self, bytes: usize) -> Self {
        self.max_frame = bytes;
        self
    }

    /// Sets the largest size of a run's whole stream in bytes, comments included; the default is no limit.
    /// The memory that a session uses for a run grows with its stream, so this limits an agent that never
    /// ends. Beyond it the connection is closed with [`ClientError::RunTooLong`].
    ///
    /// ```
    /// use agui_runtime::client::HttpAgent;
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.max_run(16 << 20);
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn max_run(mut self, bytes: usize) -> Self {
        self.max_run = Some(bytes);
        self
    }

    /// Sets how often a lost connection is made again; the default is 10 times, after pauses from a quarter of a
    /// second to 10 seconds. `Retry::times(0)` never does.
    ///
    /// A server that stores threads sends an id with each event. If the connection to it is lost before the last event
    /// of a run, this client connects again and continues after the last event that it received: each event is
    /// delivered once, and in order. The attempts are counted from the last event, or from the last connection that
    /// lasted as long as the longest pause. Pauses vary by up to a half. A server can ask for a longer one, up to a
    /// minute, with the header `Retry-After`. [`ClientError::Lost`] follows the last attempt. Without ids nothing is
    /// sent twice.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::client::HttpAgent;
    /// use agui_runtime::client::middleware::Retry;
    ///
    /// let patient = Retry::times(30).longest_pause(Duration::from_secs(30));
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.reconnect(patient);
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn reconnect(mut self, retry: Retry) -> Self {
        self.reconnect = retry;
        self
    }

    /// Says that the server stores threads: a run whose request got no answer is requested again too, because such a
    /// server recognizes the run by its id. Without this method the client knows it from the first event with an id,
    /// or from the [capabilities](Upstream::capabilities).
    ///
    /// ```
    /// use agui_runtime::client::HttpAgent;
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.resumable();
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn resumable(mut self) -> Self {
        self.resumable = Arc::new(AtomicBool::new(true));
        self
    }

    /// Returns the address.
    ///
    /// ```
    /// use agui_runtime::client::HttpAgent;
    ///
    /// assert_eq!(HttpAgent::new("http://127.0.0.1:8000")?.url(), "http://127.0.0.1:8000/");
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Returns the headers of a request; those of this client replace those of the caller.
    pub(super) fn headers(&self, accept: HeaderValue) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.insert(ACCEPT, accept);
        headers
    }

    /// Notes that the server stores threads. Clones of this agent know it too.
    pub(super) fn stores_threads(&self) {
        self.resumable.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_resumable(&self) -> bool {
        self.resumable.load(Ordering::Relaxed)
    }

    /// Sends the request of a run, or of a client that connects to a thread.
    pub(super) async fn post(
        &self,
        target: Target,
        input: Bytes,
        cursor: Option<&str>,
        deadlines: Deadlines,
    ) -> Result<Response, ClientError> {
        // Only server-sent events have ids.
        let continues = target == Target::Connect || cursor.is_some();
        let mut headers = self.headers(if continues { Accept::Sse } else { self.accept }.header());
        headers.insert(CONTENT_TYPE, JSON);
        if let Some(cursor) = cursor {
            let cursor = HeaderValue::from_str(cursor).map_err(ClientError::other)?;
            headers.insert(LAST_EVENT_ID, cursor);
        }
        let url = match target {
            Target::Run => self.url.clone(),
            Target::Connect => self.below(&["connect"]),
        };
        #[cfg(feature = "websocket")]
        if let Some(socket) = &self.socket {
            let run = RunFrame {
                url: &url,
                input: &input,
                cursor,
                is_binary: !continues && self.accept == Accept::Binary,
            };
            let opening = socket.send(&run, &self.headers, self.max_frame, self.connect);
            return deadlines.wait(opening).await?;
        }
        let request = self.http.post(url).headers(headers).body(input).send();
        let response =
            deadlines.wait(request).await?.map_err(|error| answer::network(error, self.connect))?;
        redirect::check(&response, &self.url)?;
        Ok(response)
    }

    fn follow(
        &self,
        target: Target,
        input: RunAgentInput,
        warnings: Warnings,
    ) -> Result<Frames, ClientError> {
        let accept = if target == Target::Connect { Accept::Sse } else { self.accept };
        let body = match accept {
            Accept::Sse | Accept::Binary => serde_json::to_vec(&input),
            #[cfg(feature = "dialect")]
            Accept::SnakeCase => {
                let mut lost = |warning| warnings.report(warning);
                serde_json::to_vec(&snake_case::ChatRequest::of_with(&input, &mut lost))
            }
        };
        let body = body.map_err(ClientError::other)?.into();
        let (run, max_frame) = (input.run_id.clone(), self.max_frame);
        // Only another contract has something to warn of here.
        #[cfg(not(feature = "dialect"))]
        drop((input, warnings));
        let reader = move |content_type: &str| match accept {
            Accept::Sse | Accept::Binary => Reader::of(content_type, max_frame),
            #[cfg(feature = "dialect")]
            Accept::SnakeCase => Reader::of_dialect(&input, max_frame, warnings),
        };
        Ok(Follow::new(self.clone(), target, &run, body, Box::new(reader)).frames())
    }

    fn opened(&self, target: Target, input: RunAgentInput, warnings: Warnings) -> Frames {
        let agent = self.clone();
        stream::once(async move { agent.follow(target, input, warnings) }).try_flatten().boxed()
    }
}

impl Upstream for HttpAgent {
    fn open(&self, input: RunAgentInput) -> Frames {
        self.open_with(input, Warnings::default())
    }

    fn open_with(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        self.opened(Target::Run, input, warnings)
    }

    fn connect(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        self.opened(Target::Connect, input, warnings)
    }

    fn stop<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<bool, ClientError>> {
        Box::pin(self.stop_thread(thread))
    }

    fn capabilities(&self) -> BoxFuture<'_, Result<Option<AgentCapabilities>, ClientError>> {
        Box::pin(self.declared())
    }
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), ClientError> {
    let unusable = |reason: String| ClientError::Header { name: name.to_owned(), reason };
    let known = HeaderName::from_bytes(name.as_bytes()).map_err(|error| unusable(error.to_string()))?;
    let mut value = HeaderValue::from_str(value).map_err(|error| unusable(error.to_string()))?;
    // Headers may contain secrets, so `Debug` shows none of them.
    value.set_sensitive(true);
    Ok((known, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callers_own_client_keeps_its_own_limits() {
        let own = HttpAgent::new("http://127.0.0.1:1/").unwrap();
        let given = HttpAgent::with_client("http://127.0.0.1:1/", own.http.clone()).unwrap();
        assert!(own.connect_timeout(Duration::from_secs(1)).is_ok());
        let limited = given.connect_timeout(Duration::from_secs(1));
        assert!(matches!(limited, Err(ClientError::ForeignClient)), "{limited:?}");
    }
}
