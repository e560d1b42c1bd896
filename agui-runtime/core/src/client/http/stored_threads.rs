//! The threads that a server stores for this client: list, change, delete.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::Method;
use http::header::CONTENT_TYPE;
use reqwest::Url;
use serde::{Deserialize, Deserializer, Serialize};

use super::{HttpAgent, answer, exchange::JSON, redirect};
use crate::client::ClientError;
use crate::protocol::{InterruptId, JsonObject, MessageId, Role, RunId, ThreadId};

/// A thread that the server stores, without the conversation: [`Session::connect`](crate::client::Session::connect) reads that.
///
/// ```no_run
/// use agui_runtime::client::{HttpAgent, ThreadQuery};
///
/// # async fn example() -> Result<(), agui_runtime::client::ClientError> {
/// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.header("authorization", "Bearer 1234")?;
/// for thread in agent.threads(&ThreadQuery::new()).await?.threads {
///     println!("{} {}", thread.thread_id, thread.title.as_deref().unwrap_or("(no title)"));
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StoredThread {
    /// The thread's id.
    pub thread_id: ThreadId,
    /// The title, by the user or the server.
    #[serde(default)]
    pub title: Option<String>,
    /// True if the thread is only listed [with archived threads](ThreadQuery::with_archived).
    #[serde(default)]
    pub archived: bool,
    /// The application's facts.
    #[serde(default)]
    pub metadata: JsonObject,
    /// The last text by the user or the agent.
    #[serde(default)]
    pub last_message: Option<MessageExcerpt>,
    /// The time of the first run; the Unix epoch if the server does not say.
    #[serde(default = "unknown_time", deserialize_with = "from_millis")]
    pub created_at: SystemTime,
    /// The time of the last change.
    #[serde(default = "unknown_time", deserialize_with = "from_millis")]
    pub updated_at: SystemTime,
    /// True if a run goes on.
    #[serde(default)]
    pub running: bool,
    /// The questions that wait for the user.
    #[serde(default)]
    pub open_interrupts: Vec<InterruptId>,
    /// The last run.
    #[serde(default)]
    pub last_run_id: Option<RunId>,
    /// True if the server cannot read the thread, which a newer version wrote.
    #[serde(default)]
    pub unreadable: bool,
}

/// The beginning of a message in a [`StoredThread`]: one line, at most 200 characters.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct MessageExcerpt {
    /// The message's id.
    pub id: MessageId,
    /// The author: the user or the agent.
    pub role: Role,
    /// The text.
    pub text: String,
}

/// A page of a list of threads, the last changed first: the response to [`HttpAgent::threads`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ThreadPage {
    /// The threads. Fewer than asked for, or none, if many archived threads lie between them.
    pub threads: Vec<StoredThread>,
    /// The place at which the [next page](ThreadQuery::after) begins; `None` for the last page.
    #[serde(default)]
    pub next: Option<String>,
}

/// A request for a list of threads.
///
/// ```
/// use agui_runtime::client::ThreadQuery;
///
/// let query = ThreadQuery::new().limit(20).with_archived();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "give it to `HttpAgent::threads`"]
pub struct ThreadQuery {
    after: Option<String>,
    limit: Option<usize>,
    with_archived: bool,
}

impl ThreadQuery {
    /// Returns a request for the first page, without archived threads; see [`ThreadQuery`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins after a page, at its [`next`](ThreadPage::next).
    pub fn after(mut self, next: impl Into<String>) -> Self {
        self.after = Some(next.into());
        self
    }

    /// Sets the maximum number of threads, 1 to 100.
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Lists archived threads too.
    pub fn with_archived(mut self) -> Self {
        self.with_archived = true;
        self
    }
}

/// A change to a thread: what is not named stays.
///
/// ```
/// use agui_runtime::client::ThreadChange;
///
/// let rename = ThreadChange::new().title("A lost parcel");
/// let archive = ThreadChange::new().archived(true);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[must_use = "give it to `HttpAgent::change_thread`"]
pub struct ThreadChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    archived: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<JsonObject>,
}

impl ThreadChange {
    /// Returns a change that changes nothing; see [`ThreadChange`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the title: at most 200 characters, without control characters. An empty title is [none](Self::without_title).
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(Some(title.into()));
        self
    }

    /// Removes the title, which the server may then write anew.
    pub fn without_title(mut self) -> Self {
        self.title = Some(None);
        self
    }

    /// Archives the thread, or takes the thread back.
    pub fn archived(mut self, archived: bool) -> Self {
        self.archived = Some(archived);
        self
    }

    /// Merges facts into the metadata (RFC 7396): `null` removes a member.
    pub fn metadata(mut self, patch: JsonObject) -> Self {
        self.metadata = Some(patch);
        self
    }
}

impl HttpAgent {
    /// Lists the caller's threads, the last changed first. The server must know the caller's identity, by a
    /// [header](Self::header).
    ///
    /// # Errors
    /// [`ClientError::Status`]: 403 if the server does not know the caller, 404 if the server stores no threads.
    pub async fn threads(&self, query: &ThreadQuery) -> Result<ThreadPage, ClientError> {
        let mut url = self.below(&["threads"]);
        let ThreadQuery { after, limit, with_archived } = query;
        {
            let mut pairs = url.query_pairs_mut();
            pairs.extend_pairs(after.iter().map(|after| ("after", after)));
            pairs.extend_pairs(limit.map(|limit| ("limit", limit.to_string())));
            pairs.extend_pairs(with_archived.then_some(("includeArchived", "true")));
        }
        parsed(&self.ask_threads(Method::GET, url, None).await?)
    }

    /// Returns one of the caller's threads.
    ///
    /// # Errors
    /// [`ClientError::Status`]: 404 if the caller has no such thread.
    pub async fn thread(&self, thread: &ThreadId) -> Result<StoredThread, ClientError> {
        parsed(&self.ask_threads(Method::GET, self.below(&["threads", thread.as_str()]), None).await?)
    }

    /// Changes a thread's title, archive mark or metadata. Returns the changed thread.
    ///
    /// # Errors
    /// [`ClientError::Status`]: 404 if the caller has no such thread, 400 for a title or metadata beyond the limits.
    pub async fn change_thread(
        &self,
        thread: &ThreadId,
        change: &ThreadChange,
    ) -> Result<StoredThread, ClientError> {
        let body = serde_json::to_vec(change).map_err(ClientError::other)?;
        let url = self.below(&["threads", thread.as_str()]);
        parsed(&self.ask_threads(Method::PATCH, url, Some(body)).await?)
    }

    /// Deletes a thread with the conversation; an open run ends.
    ///
    /// # Errors
    /// [`ClientError::Status`]: 404 if the caller has no such thread.
    pub async fn delete_thread(&self, thread: &ThreadId) -> Result<(), ClientError> {
        let url = self.below(&["threads", thread.as_str()]);
        self.ask_threads(Method::DELETE, url, None).await.map(drop)
    }

    async fn ask_threads(
        &self,
        method: Method,
        url: Url,
        body: Option<Vec<u8>>,
    ) -> Result<Vec<u8>, ClientError> {
        let deadlines = self.limits.start();
        let mut headers = self.headers(JSON);
        let mut request = self.http.request(method, url);
        if let Some(body) = body {
            headers.insert(CONTENT_TYPE, JSON);
            request = request.body(body);
        }
        let sent = request.headers(headers).send();
        let response = deadlines.wait(sent).await?.map_err(|error| answer::network(error, self.connect))?;
        redirect::check(&response, &self.url)?;
        if !response.status().is_success() {
            return Err(answer::rejection(response, deadlines).await);
        }
        answer::whole(response, deadlines, self.max_frame).await
    }
}

fn parsed<T: for<'de> Deserialize<'de>>(body: &[u8]) -> Result<T, ClientError> {
    serde_json::from_slice(body).map_err(ClientError::other)
}

fn unknown_time() -> SystemTime {
    UNIX_EPOCH
}

/// Reads milliseconds since the Unix epoch. A time beyond this machine's range is unknown.
fn from_millis<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SystemTime, D::Error> {
    let millis = u64::deserialize(deserializer)?;
    Ok(UNIX_EPOCH.checked_add(Duration::from_millis(millis)).unwrap_or(UNIX_EPOCH))
}
