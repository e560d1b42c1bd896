//! The name of a thread in a log.

/// The name of a thread in a log.
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
    /// Returns the key of a thread of one agent, which belongs to the identity `owner`. A server uses the path of the
    /// agent, and `""` for the owner of requests without an identity.
    ///
    /// ```
    /// let key = agui_runtime::thread::ThreadKey::new("", "/", "trip-7");
    /// ```
    pub fn new(owner: impl Into<String>, agent: impl Into<String>, thread: impl Into<String>) -> Self {
        Self { owner: owner.into(), agent: agent.into(), thread: thread.into() }
    }

    /// Returns the identity that the thread belongs to.
    ///
    /// ```
    /// assert_eq!(agui_runtime::thread::ThreadKey::new("ada", "/", "t").owner(), "ada");
    /// ```
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Returns the agent that the thread is a conversation with.
    ///
    /// ```
    /// assert_eq!(agui_runtime::thread::ThreadKey::new("ada", "/desk", "t").agent(), "/desk");
    /// ```
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// Returns the id of the thread.
    ///
    /// ```
    /// assert_eq!(agui_runtime::thread::ThreadKey::new("ada", "/", "t").thread(), "t");
    /// ```
    #[must_use]
    pub fn thread(&self) -> &str {
        &self.thread
    }
}
