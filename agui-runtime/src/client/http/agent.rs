//! An agent that is asked over HTTP.

use std::time::Duration;

use futures::future::BoxFuture;
use futures::{StreamExt, TryStreamExt, stream};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use reqwest::{Client, Url};

use super::limit::Limits;
use super::reader::Reader;
use super::{answer, tls};
use crate::client::{ClientError, Frames, Upstream};
use crate::protocol::{AgentCapabilities, RunAgentInput};
use crate::receive::enforce::leave_out_unknown;
use crate::wire::{snake_case, sse};

/// What of a rejection is kept.
const MAX_REJECTION: usize = 64 << 10;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Which encoding of the stream is asked for. What comes is read by what it says it is.
///
/// ```
/// use agui_runtime::client::{Accept, HttpAgent};
/// use agui_runtime::wire::snake_case::CHAT_PATH;
///
/// let other = HttpAgent::new(format!("http://127.0.0.1:8000{CHAT_PATH}"))?.accept(Accept::SnakeCase);
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Accept {
    /// Server-sent events, which every server speaks.
    #[default]
    Sse,
    /// The binary transport, and server-sent events of servers that have none. Smaller, and quicker to read.
    Binary,
    /// Not AG-UI at all: the snake_case dialect, for servers that speak that ([`snake_case`]). The request is written in it, too.
    SnakeCase,
}

impl Accept {
    fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Sse | Self::SnakeCase => sse::CONTENT_TYPE,
            Self::Binary => "application/vnd.ag-ui.event+proto, text/event-stream",
        })
    }
}

/// An agent behind a URL (AG-UI 1.0, section "HTTP exchange").
///
/// A run is one POST; dropping its frames hangs up, which is how a run is aborted. Connections are kept and shared by clones.
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
    http: Client,
    url: Url,
    headers: HeaderMap,
    accept: Accept,
    connect: Option<Duration>,
    limits: Limits,
    max_frame: usize,
}

impl HttpAgent {
    /// The agent at this address. A connection may take 10 seconds, everything else as long as it likes.
    ///
    /// # Errors
    /// [`ClientError::Url`] if it is no http or https address, [`ClientError::Tls`] if it is an https one and this machine has no
    /// certificates to trust.
    ///
    /// ```
    /// use agui_runtime::client::{ClientError, HttpAgent};
    ///
    /// assert!(HttpAgent::new("http://127.0.0.1:8000/chef").is_ok());
    /// assert!(matches!(HttpAgent::new("ftp://example.org"), Err(ClientError::Url { .. })));
    /// ```
    pub fn new(url: impl AsRef<str>) -> Result<Self, ClientError> {
        let text = url.as_ref();
        let unusable = |reason: &str| ClientError::Url { url: text.to_owned(), reason: reason.to_owned() };
        let url = Url::parse(text).map_err(|error| unusable(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(unusable("it has another scheme"));
        }
        let connect = Some(Duration::from_secs(10));
        Ok(Self {
            http: client(&url, connect)?,
            url,
            headers: HeaderMap::new(),
            accept: Accept::default(),
            connect,
            limits: Limits::default(),
            max_frame: sse::MAX_RECORD,
        })
    }

    /// The same agent over connections of your own: with a proxy, other certificates, a pool that others share. How long connecting may
    /// take is then for them to say.
    ///
    /// ```
    /// use agui_runtime::client::HttpAgent;
    ///
    /// # fn example(pool: reqwest::Client) -> Result<(), agui_runtime::client::ClientError> {
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.with_client(pool);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_client(mut self, http: Client) -> Self {
        self.http = http;
        self.connect = None;
        self
    }

    /// Sends a header with every request. `content-type` and `accept` are this client's own.
    ///
    /// # Errors
    /// [`ClientError::Header`] if it cannot be sent.
    ///
    /// ```
    /// use agui_runtime::client::{ClientError, HttpAgent};
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.header("x-tenant", "7")?;
    /// assert!(matches!(agent.header("x tenant", "7"), Err(ClientError::Header { .. })));
    /// # Ok::<(), ClientError>(())
    /// ```
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, ClientError> {
        let unusable = |reason: String| ClientError::Header { name: name.to_owned(), reason };
        let known = HeaderName::from_bytes(name.as_bytes()).map_err(|error| unusable(error.to_string()))?;
        let mut value = HeaderValue::from_str(value).map_err(|error| unusable(error.to_string()))?;
        // Headers are where secrets are: none of them is shown by `Debug`.
        value.set_sensitive(true);
        self.headers.append(known, value);
        Ok(self)
    }

    /// Which encoding to ask for.
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

    /// How long connecting may take; 10 seconds when not said. Connections are this client's own then: call it instead of
    /// [`with_client`](Self::with_client), not after it.
    ///
    /// # Errors
    /// [`ClientError::Tls`] as [`new`](Self::new).
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
        self.connect = Some(limit);
        self.http = client(&self.url, self.connect)?;
        Ok(self)
    }

    /// How long the server may be silent, before its answer and within it. Servers that keep quiet connections open send comments.
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

    /// How long a whole run may take.
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

    /// How many bytes one event may have on the wire; [`sse::MAX_RECORD`] when not said. So much memory a server can make this client
    /// hold for it.
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

    /// The address.
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

    /// The headers of a request: the caller's, then ours in their place.
    fn headers(&self, accept: HeaderValue) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.insert(ACCEPT, accept);
        headers
    }

    async fn ask(self, input: RunAgentInput) -> Result<Frames, ClientError> {
        let mut headers = self.headers(self.accept.header());
        headers.insert(CONTENT_TYPE, JSON);
        let body = match self.accept {
            Accept::Sse | Accept::Binary => serde_json::to_vec(&input),
            Accept::SnakeCase => serde_json::to_vec(&snake_case::ChatRequest::of(&input)),
        };
        let body = body.map_err(ClientError::other)?;
        let (accept, max_frame) = (self.accept, self.max_frame);
        let reader = move |content_type: &str| match accept {
            Accept::Sse | Accept::Binary => Reader::of(content_type, max_frame),
            Accept::SnakeCase => Reader::of_dialect(&input, max_frame),
        };
        let deadlines = self.limits.start();
        let request = self.http.post(self.url).headers(headers).body(body).send();
        let response =
            deadlines.wait(request).await?.map_err(|error| answer::network(error, self.connect))?;
        Ok(answer::read(response, deadlines, reader, MAX_REJECTION).await?.boxed())
    }

    /// `GET` on the agent's path and `/capabilities`, as servers of this crate answer it, and some others.
    async fn declared(&self) -> Result<Option<AgentCapabilities>, ClientError> {
        let mut url = self.url.clone();
        url.set_path(&format!("{}/capabilities", self.url.path().trim_end_matches('/')));
        let headers = self.headers(JSON);
        let deadlines = self.limits.start();
        let request = self.http.get(url).headers(headers).send();
        let response =
            deadlines.wait(request).await?.map_err(|error| answer::network(error, self.connect))?;
        let undeclared = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED, StatusCode::NOT_IMPLEMENTED];
        if undeclared.contains(&response.status()) {
            return Ok(None);
        }
        if !response.status().is_success() {
            return Err(answer::rejection(response, deadlines, MAX_REJECTION).await);
        }
        let body = answer::whole(response, deadlines, self.max_frame).await?;
        let mut declared = serde_json::from_slice(&body).map_err(ClientError::Capabilities)?;
        for place in leave_out_unknown::<AgentCapabilities>(&mut declared) {
            tracing::debug!(place, "AG-UI 1.0 does not know this capability");
        }
        serde_json::from_value(declared).map(Some).map_err(ClientError::Capabilities)
    }
}

fn client(url: &Url, connect: Option<Duration>) -> Result<Client, ClientError> {
    let mut builder = Client::builder().tls_backend_preconfigured(tls::config(url.scheme() == "https")?);
    if let Some(limit) = connect {
        builder = builder.connect_timeout(limit);
    }
    builder.build().map_err(|error| ClientError::Tls(Box::new(error)))
}

impl Upstream for HttpAgent {
    fn open(&self, input: RunAgentInput) -> Frames {
        stream::once(self.clone().ask(input)).try_flatten().boxed()
    }

    fn capabilities(&self) -> BoxFuture<'_, Result<Option<AgentCapabilities>, ClientError>> {
        Box::pin(self.declared())
    }
}
