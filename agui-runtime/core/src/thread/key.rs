//! A thread's name in a log.

/// A thread's name in a log.
///
/// ```
/// use agui_runtime::thread::ThreadKey;
///
/// let key = ThreadKey::new("customer-17", "/desk", "trip-7");
/// assert_eq!((key.owner(), key.agent(), key.thread()), ("customer-17", "/desk", "trip-7"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadKey {
    owner: String,
    agent: String,
    thread: String,
}

impl ThreadKey {
    /// Creates the [`ThreadKey`] for an agent's thread, which belongs to the identity `owner`. A server uses the agent's path, and
    /// `""` as owner for requests without an identity.
    pub fn new(owner: impl Into<String>, agent: impl Into<String>, thread: impl Into<String>) -> Self {
        Self { owner: owner.into(), agent: agent.into(), thread: thread.into() }
    }

    /// Returns the identity that the thread belongs to.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Returns the agent that the thread is a conversation with.
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// Returns the thread id.
    #[must_use]
    pub fn thread(&self) -> &str {
        &self.thread
    }
}
