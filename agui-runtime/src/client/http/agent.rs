//! An agent that is asked over HTTP.

use std::time::Duration;

use futures::future::BoxFuture;
use futures::{StreamExt, TryStreamExt, stream};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};

use super::limit::Limits;
use super::reader::Reader;
use super::{Accept, answer, connections, redirect};
use crate::client::{ClientError, Frames, Upstream, Warnings};
use crate::protocol::{AgentCapabilities, RunAgentInput};
use crate::wire::{snake_case, sse};

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

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
    pub(super) http: Client,
    pub(super) url: Url,
    headers: HeaderMap,
    accept: Accept,
    /// How long connecting may take; `None` if the connections are the caller's.
    pub(super) connect: Option<Duration>,
    /// How many redirects are followed.
    redirects: usize,
    pub(super) limits: Limits,
    pub(super) max_frame: usize,
    max_run: Option<usize>,
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
        let url = connections::address(url.as_ref())?;
        let connect = Some(connections::PATIENCE);
        Ok(Self::over(connections::client(&url, connect, 0)?, url, connect))
    }

    /// The agent at this address, over connections of your own: with a proxy, other certificates, a pool that others share. How long
    /// connecting may take is for them to say.
    ///
    /// So is which redirects are followed, and reqwest follows ten when not told otherwise: it sends the body and most headers to
    /// wherever the server points. Build the client with `redirect(reqwest::redirect::Policy::none())`. An answer that comes from
    /// another origin in the end is refused ([`ClientError::Redirect`]), but the request was sent there.
    ///
    /// # Errors
    /// [`ClientError::Url`] if it is no http or https address.
    ///
    /// ```
    /// use agui_runtime::client::HttpAgent;
    ///
    /// # fn example(pool: reqwest::Client) -> Result<(), agui_runtime::client::ClientError> {
    /// let agent = HttpAgent::with_client("http://127.0.0.1:8000/", pool)?;
    /// # Ok(())
    /// # }
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
        }
    }

    /// Sends a header with every request, in the place of all of that name there are. `content-type` and `accept` are this client's own.
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
        Ok(self)
    }

    /// Sends a header with every request, beside those of that name there are: for the few that may stand more than once.
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

    /// How long connecting may take; 10 seconds when not said.
    ///
    /// # Errors
    /// [`ClientError::ForeignClient`] over connections that are not this agent's own ([`with_client`](Self::with_client));
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
        if self.connect.is_none() {
            return Err(ClientError::ForeignClient);
        }
        self.connect = Some(limit);
        self.http = connections::client(&self.url, self.connect, self.redirects)?;
        Ok(self)
    }

    /// How many redirects to follow, and only those that stay within the origin of the agent's address and keep the method
    /// (RFC 9110, 15.4: 307 and 308). None when not said: the messages, the state and the headers, where secrets are, go to the address
    /// they were meant for. Every other redirect is a [`ClientError::Redirect`], which names the place.
    ///
    /// # Errors
    /// [`ClientError::ForeignClient`] over connections that are not this agent's own ([`with_client`](Self::with_client));
    /// [`ClientError::Tls`] as [`new`](Self::new).
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

    /// How many bytes one event may have on the wire; [`sse::MAX_RECORD`] when not said. So much is held until the event is whole; read,
    /// it takes more: at the worst, an event made of empty lists and objects, some 100 times that as JSON, 260 times on the binary
    /// transport. Set it to what the agent has reason to send.
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

    /// How many bytes the whole stream of a run may have, comments among them; as many as it likes when not said. What a session keeps
    /// of a run grows with its stream, so this bounds what an agent that never ends can take. Beyond it the connection is closed, with
    /// [`ClientError::RunTooLong`].
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
    pub(super) fn headers(&self, accept: HeaderValue) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.insert(ACCEPT, accept);
        headers
    }

    async fn ask(self, input: RunAgentInput, warnings: Warnings) -> Result<Frames, ClientError> {
        let mut headers = self.headers(self.accept.header());
        headers.insert(CONTENT_TYPE, JSON);
        let body = match self.accept {
            Accept::Sse | Accept::Binary => serde_json::to_vec(&input),
            Accept::SnakeCase => {
                let mut lost = |warning| warnings.tell(warning);
                serde_json::to_vec(&snake_case::ChatRequest::of_with(&input, &mut lost))
            }
        };
        let body = body.map_err(ClientError::other)?;
        let (accept, max_frame) = (self.accept, self.max_frame);
        let reader = move |content_type: &str| match accept {
            Accept::Sse | Accept::Binary => Reader::of(content_type, max_frame),
            Accept::SnakeCase => Reader::of_dialect(&input, max_frame, warnings),
        };
        let deadlines = self.limits.start();
        let request = self.http.post(self.url.clone()).headers(headers).body(body).send();
        let response =
            deadlines.wait(request).await?.map_err(|error| answer::network(error, self.connect))?;
        redirect::check(&response, &self.url)?;
        Ok(answer::read(response, deadlines, self.max_run, reader).await?.boxed())
    }
}

impl Upstream for HttpAgent {
    fn open(&self, input: RunAgentInput) -> Frames {
        self.open_with(input, Warnings::default())
    }

    fn open_with(&self, input: RunAgentInput, warnings: Warnings) -> Frames {
        stream::once(self.clone().ask(input, warnings)).try_flatten().boxed()
    }

    fn capabilities(&self) -> BoxFuture<'_, Result<Option<AgentCapabilities>, ClientError>> {
        Box::pin(self.declared())
    }
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), ClientError> {
    let unusable = |reason: String| ClientError::Header { name: name.to_owned(), reason };
    let known = HeaderName::from_bytes(name.as_bytes()).map_err(|error| unusable(error.to_string()))?;
    let mut value = HeaderValue::from_str(value).map_err(|error| unusable(error.to_string()))?;
    // Headers are where secrets are: none of them is shown by `Debug`.
    value.set_sensitive(true);
    Ok((known, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_of_others_have_limits_of_their_own() {
        let own = HttpAgent::new("http://127.0.0.1:1/").unwrap();
        let given = HttpAgent::with_client("http://127.0.0.1:1/", own.http.clone()).unwrap();
        assert!(own.connect_timeout(Duration::from_secs(1)).is_ok());
        let limited = given.connect_timeout(Duration::from_secs(1));
        assert!(matches!(limited, Err(ClientError::ForeignClient)), "{limited:?}");
    }
}
