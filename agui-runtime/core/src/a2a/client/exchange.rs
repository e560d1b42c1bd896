//! Requests to an A2A agent, and bounded responses.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::HeaderMap;
use reqwest::{Client, Response, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::ask::{A2aBinding, A2aOperation};
use super::refusal::A2aRefusal;
use crate::a2a::A2aError;
use crate::a2a::wire::{A2aUpdate, VERSION, VERSION_HEADER};
use crate::agent::BoxError;
use crate::quoted::quoted;
use crate::tls;
use crate::wire::sse;

/// Byte limits for a response, and for an error text.
const LARGEST_ANSWER: usize = 64 * 1024 * 1024;
const LONGEST_REFUSAL: usize = 64 * 1024;

/// Time limit for connecting.
const REACH: Duration = Duration::from_secs(10);

/// Default time for which an agent may stay silent.
const PATIENCE: Duration = Duration::from_secs(300);

/// A remote A2A agent.
#[derive(Clone)]
pub(super) struct RemoteAgent {
    client: Client,
    headers: HeaderMap,
    url: Url,
    binding: A2aBinding,
    /// The host, for errors.
    pub(super) name: String,
    /// Time for which the agent may stay silent.
    pub(super) patience: Duration,
}

impl RemoteAgent {
    pub(super) fn new(url: &str, headers: HeaderMap) -> Result<Self, A2aError> {
        let parsed = Url::parse(url);
        let name = parsed.as_ref().ok().and_then(Url::host_str).unwrap_or("address").to_owned();
        let failed = |source: BoxError| A2aError::Connect { agent: name.clone(), source };
        let url = parsed.map_err(|error| failed(error.into()))?;
        let trust = tls::shared_config(url.scheme() == "https").map_err(|error| failed(error.into()))?;
        let client = Client::builder()
            .tls_backend_preconfigured(trust)
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(REACH)
            .build()
            .map_err(|error| failed(error.into()))?;
        Ok(Self { client, headers, url, binding: A2aBinding::JsonRpc, name, patience: PATIENCE })
    }

    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the same agent at another address.
    pub(super) fn at(&self, url: Url, binding: A2aBinding) -> Self {
        Self { url, binding, ..self.clone() }
    }

    /// Fetches a document, such as a card.
    pub(super) async fn document<T: DeserializeOwned>(&self) -> Result<T, A2aError> {
        let asked = self.client.get(self.url.clone()).headers(self.headers.clone()).send();
        let response = self.within(asked).await?.map_err(|error| self.no_response(error))?;
        let body = self.body(self.checked(response).await?).await?;
        self.read(&body)
    }

    /// Sends a request, and reads the result.
    pub(super) async fn call<T: DeserializeOwned>(&self, ask: A2aOperation<'_>) -> Result<T, A2aError> {
        let response = self.request(ask).await?;
        let body = self.body(response).await?;
        self.result(&body)
    }

    /// Sends a request, and reads results as they arrive. An agent without streaming gives one result.
    ///
    /// Returns only after the first result, because some agents send a refusal instead.
    pub(super) async fn stream(&self, ask: A2aOperation<'_>) -> Result<A2aUpdateStream, A2aError> {
        let response = self.request(ask).await?;
        let media = response.headers().get(http::header::CONTENT_TYPE);
        let is_stream = media.is_some_and(|media| media.as_bytes().starts_with(sse::CONTENT_TYPE.as_bytes()));
        if !is_stream {
            return Ok(A2aUpdateStream::only(self, self.result(&self.body(response).await?)?));
        }
        let mut updates = A2aUpdateStream {
            remote: self.clone(),
            response: Some(response),
            decoder: sse::Decoder::new(),
            taken: 0,
            first: None,
        };
        updates.first = Some(updates.next().await?.ok_or_else(|| self.early())?);
        Ok(updates)
    }

    /// Follows a task. The protocol's text says POST, the service definition GET.
    pub(super) async fn subscribe(&self, task: &str) -> Result<A2aUpdateStream, A2aError> {
        match self.stream(A2aOperation::Subscribe(task)).await {
            Err(A2aError::Refused { code: 404 | 405, .. }) if self.binding == A2aBinding::HttpJson => {
                self.stream(A2aOperation::SubscribeByGet(task)).await
            }
            subscribed => subscribed,
        }
    }

    async fn request(&self, ask: A2aOperation<'_>) -> Result<Response, A2aError> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let asked = ask
            .request(&self.client, self.binding, &self.url, number)
            .headers(self.headers.clone())
            .header(http::header::ACCEPT, "application/json, application/a2a+json, text/event-stream")
            .header(VERSION_HEADER, VERSION)
            .send();
        let response = self.within(asked).await?.map_err(|error| self.no_response(error))?;
        self.checked(response).await
    }

    /// Waits for as long as the agent may stay silent.
    async fn within<T>(&self, saying: impl Future<Output = T>) -> Result<T, A2aError> {
        match tokio::time::timeout(self.patience, saying).await {
            Ok(said) => Ok(said),
            Err(_) => Err(self.lost(format!("it said nothing for {:?}", self.patience))),
        }
    }

    /// Turns an error status, redirects included, into an error.
    async fn checked(&self, response: Response) -> Result<Response, A2aError> {
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        // The status says enough if the text does not come.
        let text = match self.within(bounded(response, LONGEST_REFUSAL)).await {
            Ok(Ok(Some(text))) => text,
            _ => Vec::new(),
        };
        let message = match A2aRefusal::read(&text) {
            Some(refusal) => refusal.text(),
            None => quoted(String::from_utf8_lossy(&text)).to_string(),
        };
        let message = if message.is_empty() { status.to_string() } else { message };
        Err(self.refused(i64::from(status.as_u16()), message))
    }

    async fn body(&self, response: Response) -> Result<Vec<u8>, A2aError> {
        match self.within(bounded(response, LARGEST_ANSWER)).await? {
            Ok(Some(body)) => Ok(body),
            Ok(None) => Err(self.too_large()),
            Err(error) => Err(self.lost(error)),
        }
    }

    /// Reads a result in either binding.
    fn result<T: DeserializeOwned>(&self, body: &[u8]) -> Result<T, A2aError> {
        #[derive(Deserialize)]
        struct Answer<T> {
            result: Option<T>,
        }

        if let Some(refusal) = A2aRefusal::read(body) {
            return Err(self.refused(refusal.number(), refusal.text()));
        }
        match self.binding {
            A2aBinding::HttpJson => self.read(body),
            A2aBinding::JsonRpc => {
                let Answer { result } = self.read(body)?;
                result.ok_or_else(|| self.malformed("an answer with neither a result nor an error"))
            }
        }
    }

    fn refused(&self, code: i64, message: String) -> A2aError {
        A2aError::Refused { agent: self.name.clone(), code, message }
    }

    fn read<T: DeserializeOwned>(&self, body: &[u8]) -> Result<T, A2aError> {
        serde_json::from_slice(body)
            .map_err(|error| self.malformed(format!("an answer that is not one: {}", quoted(error))))
    }

    /// The error for a stream that ends before the task.
    pub(super) fn early(&self) -> A2aError {
        self.lost("its stream ended before the task")
    }

    fn malformed(&self, what: impl Into<String>) -> A2aError {
        A2aError::Malformed { agent: self.name.clone(), what: what.into() }
    }

    fn too_large(&self) -> A2aError {
        self.malformed(format!("more than {LARGEST_ANSWER} bytes"))
    }

    /// The error for a request without a response. A request that was sent may have arrived.
    fn no_response(&self, error: reqwest::Error) -> A2aError {
        let (agent, is_sent) = (self.name.clone(), error.is_request() && !error.is_connect());
        let source = error.without_url().into();
        if is_sent { A2aError::Lost { agent, source } } else { A2aError::Connect { agent, source } }
    }

    fn lost(&self, error: impl Into<BoxError>) -> A2aError {
        A2aError::Lost { agent: self.name.clone(), source: error.into() }
    }
}

/// Reads a body; `None` if the body exceeds `most` bytes.
async fn bounded(mut response: Response, most: usize) -> Result<Option<Vec<u8>>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(reqwest::Error::without_url)? {
        body.extend_from_slice(&bytes);
        if body.len() > most {
            return Ok(None);
        }
    }
    Ok(Some(body))
}

/// The results for one request; dropping them closes the connection.
pub(super) struct A2aUpdateStream {
    remote: RemoteAgent,
    response: Option<Response>,
    decoder: sse::Decoder,
    taken: usize,
    /// A result that has already arrived.
    first: Option<A2aUpdate>,
}

impl A2aUpdateStream {
    /// Wraps one result that has already arrived.
    pub(super) fn only(remote: &RemoteAgent, update: A2aUpdate) -> Self {
        let (remote, decoder) = (remote.clone(), sse::Decoder::new());
        Self { remote, response: None, decoder, taken: 0, first: Some(update) }
    }

    /// Returns the next result; `None` at the stream's end.
    pub(super) async fn next(&mut self) -> Result<Option<A2aUpdate>, A2aError> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        let Self { remote, response: Some(response), decoder, taken, .. } = self else { return Ok(None) };
        loop {
            let endless = |_| remote.malformed("an event that does not end");
            if let Some(data) = decoder.next().map_err(endless)? {
                // A keep-alive of some servers.
                if data.trim().is_empty() {
                    continue;
                }
                return remote.result(data.as_bytes()).map(Some);
            }
            match remote.within(response.chunk()).await? {
                Ok(Some(bytes)) => {
                    *taken = taken.saturating_add(bytes.len());
                    if *taken > LARGEST_ANSWER {
                        return Err(remote.too_large());
                    }
                    decoder.push(&bytes);
                }
                Ok(None) => {
                    self.response = None;
                    return Ok(None);
                }
                Err(error) => return Err(remote.lost(error.without_url())),
            }
        }
    }
}
