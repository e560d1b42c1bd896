//! A server's policies for stored threads.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::conversation::trim::TrimLimits;
use super::titles::{ThreadTitles, TitleStrategy};

/// The policy for a run on a thread whose last run goes on; set with [`ThreadOptions::busy`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BusyThread {
    /// The new run starts when the other has ended. The other run is stopped, with outcome `cancelled`, once no client reads that
    /// run: the user pressed Stop, or left. Until then the client waits for the response. Clients on the store's other servers
    /// count too, if they have read up to the request for readers; each server has half a second to respond.
    #[default]
    ReplaceUnread,
    /// The new run is refused, with status 409 and code `thread_busy`.
    Reject,
    /// The new run starts when the other has ended. Until then the client waits for the response.
    Queue,
    /// The other run is stopped, with outcome `cancelled`; then the new run starts.
    CancelFirst,
    /// No second run starts: the user's new messages join the run that works, before the model's next turn
    /// ([`Run::chat`](crate::Run::chat)) or where the agent [takes them](crate::Run::steering_messages). The client reads that run
    /// from there on. The store has each message before the client gets a response, and each message joins once; a message that
    /// the run does not take starts the next run. Messages with files, and requests with other new messages, wait as with
    /// [`Queue`](Self::Queue). Requests that change the conversation are refused, with status 409 and code `thread_busy`.
    ///
    /// All servers on the store must have this version.
    ///
    /// ```
    /// use agui_runtime::http::{BusyThread, ThreadOptions};
    ///
    /// // A message joins the research that goes on; the till takes one order after the other.
    /// let options = ThreadOptions::default().busy(BusyThread::Steer).busy_of("/till", BusyThread::Queue);
    /// ```
    Steer,
}

/// The policy for a run that no client on this server reads any more; set with [`ThreadOptions::client_leaves`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientLeaves {
    /// The run goes on to the end: the client finds the run in the thread.
    #[default]
    Continue,
    /// The run is stopped, with outcome `cancelled`, unless a client comes back within the duration.
    CancelAfter(Duration),
}

/// A server's policies for stored threads; see [`Server::threads`](crate::Server::threads).
///
/// | policy | default |
/// |---|---|
/// | [`busy`](Self::busy) | a second run on a thread waits, and replaces the first once no client reads the first |
/// | [`client_leaves`](Self::client_leaves) | a run goes on without the client |
/// | [`lease`](Self::lease) | a lost server's run ends after 15 s, or [goes on](macro@crate::agent#restart) on another; on SQLite after a restart at once |
/// | [`keep_records`](Self::keep_records), [`keep_bytes`](Self::keep_bytes) | 10,000 records per thread, or 16 MiB, are kept for clients that come back, before they are folded into one |
/// | [`delete_after`](Self::delete_after) | threads are kept for ever |
/// | [`titles`](Self::titles) | the server writes no titles |
///
/// ```
/// use std::time::Duration;
///
/// use agui_runtime::http::{BusyThread, ThreadOptions};
///
/// let options = ThreadOptions::default().busy(BusyThread::CancelFirst).delete_after(Duration::from_secs(90 * 86_400));
/// ```
#[derive(Clone, Debug)]
#[must_use = "give it to `Server::thread_options`"]
pub struct ThreadOptions {
    busy: AgentPolicies<BusyThread>,
    client_leaves: AgentPolicies<ClientLeaves>,
    pub(super) lease: Duration,
    pub(super) keep: TrimLimits,
    pub(super) delete_after: Option<Duration>,
    pub(super) titles: TitleStrategy,
}

/// A default policy, and different policies for some agents.
#[derive(Clone, Debug, Default)]
struct AgentPolicies<T> {
    all: T,
    by_path: BTreeMap<String, T>,
}

impl<T: Copy> AgentPolicies<T> {
    fn for_path(&self, path: &str) -> T {
        self.by_path.get(path).copied().unwrap_or(self.all)
    }
}

impl Default for ThreadOptions {
    /// The policies in the table above.
    fn default() -> Self {
        Self {
            busy: AgentPolicies::default(),
            client_leaves: AgentPolicies::default(),
            lease: Duration::from_secs(15),
            keep: TrimLimits { records: 10_000, bytes: 16 * 1024 * 1024 },
            delete_after: None,
            titles: TitleStrategy::default(),
        }
    }
}

impl ThreadOptions {
    /// Sets what happens to a run on a thread whose last run goes on.
    pub fn busy(mut self, busy: BusyThread) -> Self {
        self.busy.all = busy;
        self
    }

    /// Sets [`busy`](Self::busy) for one agent's threads, by path.
    pub fn busy_of(mut self, path: impl Into<String>, busy: BusyThread) -> Self {
        self.busy.by_path.insert(path.into(), busy);
        self
    }

    /// Sets what happens to a run when no client on this server reads the run any more. The generated Python client's `steer`
    /// holds no response: a run that the message starts has no reader until a client connects.
    pub fn client_leaves(mut self, leaves: ClientLeaves) -> Self {
        self.client_leaves.all = leaves;
        self
    }

    /// Sets [`client_leaves`](Self::client_leaves) for one agent's runs, by path.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::http::{ClientLeaves, ThreadOptions};
    ///
    /// // A search that no one waits for is not worth its tokens; a report is.
    /// let options = ThreadOptions::default()
    ///     .client_leaves_of("/search", ClientLeaves::CancelAfter(Duration::ZERO))
    ///     .client_leaves_of("/report", ClientLeaves::Continue);
    /// ```
    pub fn client_leaves_of(mut self, path: impl Into<String>, leaves: ClientLeaves) -> Self {
        self.client_leaves.by_path.insert(path.into(), leaves);
        self
    }

    /// Sets the time after which another server may end a run whose server is lost or cannot reach the store, with RUN_ERROR and
    /// code `node_lost`; 15 s by default, at least 1 s. The same time limits a store outage while a run goes on. A lease decides
    /// only when a run may be ended: two servers never write one run.
    ///
    /// On SQLite a server that starts alone, for example after a crash, waits for no lease: all earlier runs are lost.
    pub fn lease(mut self, time: Duration) -> Self {
        self.lease = time.max(Duration::from_secs(1));
        self
    }

    /// Sets the number of records, mostly events, that a thread keeps after the run has ended; 10,000 by default. At twice as
    /// many, the older records become one record with the conversation and the state. A client whose cursor is older connects
    /// again without a cursor.
    pub fn keep_records(mut self, records: u64) -> Self {
        self.keep.records = records;
        self
    }

    /// Sets the bytes of records that a thread keeps after the run has ended; 16 MiB by default. At twice as many, the older
    /// records become one, as with [`keep_records`](Self::keep_records). The last run is always kept, whatever the size.
    pub fn keep_bytes(mut self, bytes: u64) -> Self {
        self.keep.bytes = bytes;
        self
    }

    /// Sets the strategy that writes titles. By default the server writes none, because a model's title costs tokens: the program
    /// decides.
    ///
    /// After the first run with a text by the user and a text by the agent, the server asks the strategy once, in a separate task
    /// that neither delays the run's end nor the server's. A title is never replaced: if the user, or another server, was faster,
    /// the strategy's title is dropped. Without a title after 30 seconds, the next run's end is the next attempt; the third is the
    /// last. A run that ends while the server writes 16 titles already is no attempt. If the user removes the title, the attempts begin anew. Runs that are not stored, for example those for suggestions,
    /// have no titles.
    ///
    /// The strategy reads the conversation's beginning: a strategy that sends texts to a model provider sends what users wrote.
    ///
    /// ```
    /// use agui_runtime::http::{FirstExchange, ModelTitles, ThreadOptions};
    /// use agui_runtime::model::Model;
    ///
    /// /// Titles from a small model, but none for the agent at `/private`.
    /// fn options(small: Model) -> ThreadOptions {
    ///     let titles = std::sync::Arc::new(ModelTitles::new(small));
    ///     ThreadOptions::default().titles(move |exchange: FirstExchange| {
    ///         let titles = std::sync::Arc::clone(&titles);
    ///         async move {
    ///             use agui_runtime::http::ThreadTitles as _;
    ///             if exchange.agent_path() == "/private" { None } else { titles.title(&exchange).await }
    ///         }
    ///     })
    /// }
    /// ```
    pub fn titles(mut self, strategy: impl ThreadTitles) -> Self {
        self.titles = TitleStrategy(Some(Arc::new(strategy)));
        self
    }

    pub(super) fn busy_at(&self, path: &str) -> BusyThread {
        self.busy.for_path(path)
    }

    pub(super) fn client_leaves_at(&self, path: &str) -> ClientLeaves {
        self.client_leaves.for_path(path)
    }

    /// Returns a path that has policies but no agent.
    pub(in crate::server) fn stray_path(&self, is_known: impl Fn(&str) -> bool) -> Option<&str> {
        let paths = self.busy.by_path.keys().chain(self.client_leaves.by_path.keys());
        paths.map(String::as_str).find(|path| !is_known(path))
    }

    /// Deletes threads whose last change is older than `time`; by default threads are never deleted. A run is a change, and so is a new
    /// title, archive mark or metadata.
    pub fn delete_after(mut self, time: Duration) -> Self {
        self.delete_after = Some(time);
        self
    }
}
