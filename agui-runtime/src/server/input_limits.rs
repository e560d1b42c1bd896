//! What an input may be at the most.

/// The deepest nesting that is ever read: one level less than what serde_json refuses.
const DEEPEST: usize = 126;

/// Limits on the JSON of an input, checked before anything is built of it; see [`Server::input_limits`](crate::Server::input_limits).
///
/// A small body can describe a very large structure, so [`body_size`](crate::Limits::body_size) alone does not bound the memory of
/// a request. An input beyond a limit is answered with 413, and one that is nested too deep with 422: the `code` names the limit,
/// the `message` its figure, the `path` the place.
///
/// | limit | default | code |
/// |---|---|---|
/// | [`nodes`](Self::nodes) | 500,000 | `too_many_nodes` |
/// | [`depth`](Self::depth) | 100 | `too_deep` |
/// | [`members`](Self::members) | 100,000 | `too_many_members` |
/// | [`messages`](Self::messages) | 100,000 | `too_many_messages` |
/// | [`tools`](Self::tools) | 1,000 | `too_many_tools` |
/// | [`text`](Self::text) | 10 MiB | `text_too_long` |
///
/// ```
/// use agui_runtime::{InputLimits, Server};
///
/// let limits = InputLimits::default().messages(2_000).nodes(50_000).text(64 * 1024);
/// let server = Server::new().input_limits(limits);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct InputLimits {
    pub(super) nodes: usize,
    pub(super) depth: usize,
    pub(super) members: usize,
    pub(super) messages: usize,
    pub(super) tools: usize,
    pub(super) text: usize,
    pub(super) inline: usize,
    pub(super) at_once: usize,
}

impl Default for InputLimits {
    fn default() -> Self {
        Self {
            nodes: 500_000,
            depth: 100,
            members: 100_000,
            messages: 100_000,
            tools: 1_000,
            text: 10 * 1024 * 1024,
            inline: 256 * 1024,
            at_once: 2,
        }
    }
}

impl InputLimits {
    /// How many values the whole document may have: objects, lists, strings, numbers, booleans and nulls, keys not counted. 500,000
    /// by default: a conversation of 30,000 calls and answers, or a table of 20,000 rows and 20 columns as state.
    ///
    /// What an agent parses as `serde_json::Value` takes about 100 to 300 bytes for each.
    ///
    /// ```
    /// let limits = agui_runtime::InputLimits::default().nodes(50_000);
    /// ```
    pub fn nodes(mut self, nodes: usize) -> Self {
        self.nodes = nodes;
        self
    }

    /// How many objects and lists may be nested in each other, the document itself included; 100 by default, 126 at the most.
    ///
    /// ```
    /// let limits = agui_runtime::InputLimits::default().depth(32);
    /// ```
    pub fn depth(mut self, levels: usize) -> Self {
        self.depth = levels.min(DEEPEST);
        self
    }

    /// How many members one object may have; 100,000 by default.
    ///
    /// ```
    /// let limits = agui_runtime::InputLimits::default().members(1_000);
    /// ```
    pub fn members(mut self, members: usize) -> Self {
        self.members = members;
        self
    }

    /// How many messages the conversation may have; 100,000 by default.
    ///
    /// ```
    /// let limits = agui_runtime::InputLimits::default().messages(5_000);
    /// ```
    pub fn messages(mut self, messages: usize) -> Self {
        self.messages = messages;
        self
    }

    /// How many tools the client may declare; 1,000 by default.
    ///
    /// ```
    /// let limits = agui_runtime::InputLimits::default().tools(100);
    /// ```
    pub fn tools(mut self, tools: usize) -> Self {
        self.tools = tools;
        self
    }

    /// How long one string or key may be, in bytes of UTF-8; 10 MiB by default, because images travel as base64 text.
    ///
    /// ```
    /// let limits = agui_runtime::InputLimits::default().text(1024 * 1024);
    /// ```
    pub fn text(mut self, bytes: usize) -> Self {
        self.text = bytes;
        self
    }

    /// The longest body that is read on the thread of its connection, in bytes; 256 KiB by default. A longer one is read on a thread
    /// of its own ([`tokio::task::spawn_blocking`]), so that other clients are not held up meanwhile.
    ///
    /// ```
    /// let limits = agui_runtime::InputLimits::default().inline(64 * 1024);
    /// ```
    pub fn inline(mut self, bytes: usize) -> Self {
        self.inline = bytes;
        self
    }

    /// How many bodies longer than [`inline`](Self::inline) the server reads at once, at least one; 2 by default. Others wait their turn.
    ///
    /// ```
    /// let limits = agui_runtime::InputLimits::default().at_once(4);
    /// ```
    pub fn at_once(mut self, bodies: usize) -> Self {
        self.at_once = bodies.max(1);
        self
    }
}
