//! The limits of an input.

/// The deepest nesting that is ever read: one level less than serde_json refuses.
const DEEPEST: usize = 126;

/// Limits on the JSON of an input, checked before anything is built of it; see
/// [`Server::input_limits`](crate::Server::input_limits).
///
/// A small body can describe a very large structure, so [`body_size`](crate::Limits::body_size) alone does not bound
/// the memory of a request. An input beyond a limit is answered with 413, and an input that is nested too deep with
/// 422: the `code` names the limit, the `message` its figure, the `path` the place.
///
/// | limit | default | code |
/// |---|---|---|
/// | [`nodes`](Self::nodes) | 500,000 | `too_many_nodes` |
/// | [`depth`](Self::depth) | 100 | `too_deep` |
/// | [`members`](Self::members) | 100,000 | `too_many_members` |
/// | [`messages`](Self::messages) | 100,000 | `too_many_messages` |
/// | [`calls`](Self::calls) | 1,000 | `too_many_calls` |
/// | [`tools`](Self::tools) | 1,000 | `too_many_tools` |
/// | [`text`](Self::text) | 10 MiB | `text_too_long` |
/// | [`untyped`](Self::untyped) | 16 MiB, or four times the body | `untyped_too_large` |
/// | [`inline`](Self::inline) | 256 KiB | none: a longer body is read on a thread of its own |
/// | [`at_once`](Self::at_once) | 2 | none: a further long body waits |
///
/// ```
/// use agui_runtime::Server;
/// use agui_runtime::http::InputLimits;
/// # use agui_runtime::prelude::*;
/// # use axum::extract::Request;
/// # use tower_service::Service;
/// #
/// # /// Cooks with you.
/// # #[agent]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// #     Ok(())
/// # }
///
/// # fn main() -> Result<(), agui_runtime::Error> {
/// let limits = InputLimits::default().messages(2_000).nodes(50_000).text(64 * 1024);
/// let server = Server::new().agent("/", Chef::new()).input_limits(limits);
/// # let mut app = server.router()?;
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// #     let body = serde_json::to_vec(&agui_runtime::testing::input(&"Hi".repeat(64 * 1024))).unwrap();
/// #     let request = Request::post("/").header("content-type", "application/json");
/// #     assert_eq!(app.call(request.body(axum::body::Body::from(body)).unwrap()).await.unwrap().status(), 413);
/// # });
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct InputLimits {
    pub(in crate::server) nodes: usize,
    pub(in crate::server) depth: usize,
    pub(in crate::server) members: usize,
    pub(in crate::server) messages: usize,
    pub(in crate::server) calls: usize,
    pub(in crate::server) tools: usize,
    pub(in crate::server) text: usize,
    pub(in crate::server) untyped: usize,
    pub(in crate::server) inline: usize,
    pub(in crate::server) at_once: usize,
}

impl Default for InputLimits {
    fn default() -> Self {
        Self {
            nodes: 500_000,
            depth: 100,
            members: 100_000,
            messages: 100_000,
            calls: 1_000,
            tools: 1_000,
            text: 10 * 1024 * 1024,
            untyped: 16 * 1024 * 1024,
            inline: 256 * 1024,
            at_once: 2,
        }
    }
}

impl InputLimits {
    /// Sets the number of values that the whole document may have: objects, lists, strings, numbers, booleans and
    /// nulls, without keys. The default is 500,000: a conversation of 30,000 calls and answers, or a table of 20,000
    /// rows and 20 columns as state.
    ///
    /// An agent that parses JSON as `serde_json::Value` uses about 100 to 300 bytes for each value; see
    /// [`untyped`](Self::untyped) for the limit of these.
    ///
    /// ```
    /// let limits = agui_runtime::http::InputLimits::default().nodes(50_000);
    /// ```
    pub fn nodes(mut self, nodes: usize) -> Self {
        self.nodes = nodes;
        self
    }

    /// Sets the nesting depth of objects and lists, including the document itself; 100 by default, 126 at the most.
    ///
    /// ```
    /// let limits = agui_runtime::http::InputLimits::default().depth(32);
    /// ```
    pub fn depth(mut self, levels: usize) -> Self {
        self.depth = levels.min(DEEPEST);
        self
    }

    /// Sets the number of members that one object may have; 100,000 by default.
    ///
    /// ```
    /// let limits = agui_runtime::http::InputLimits::default().members(1_000);
    /// ```
    pub fn members(mut self, members: usize) -> Self {
        self.members = members;
        self
    }

    /// Sets the number of messages that the conversation may have; 100,000 by default.
    ///
    /// ```
    /// let limits = agui_runtime::http::InputLimits::default().messages(5_000);
    /// ```
    pub fn messages(mut self, messages: usize) -> Self {
        self.messages = messages;
        self
    }

    /// Sets the number of tool calls that one message may have; 1,000 by default, more than a model makes at once.
    ///
    /// ```
    /// let limits = agui_runtime::http::InputLimits::default().calls(100);
    /// ```
    pub fn calls(mut self, calls: usize) -> Self {
        self.calls = calls;
        self
    }

    /// Sets the number of tools that the client may declare; 1,000 by default.
    ///
    /// ```
    /// let limits = agui_runtime::http::InputLimits::default().tools(100);
    /// ```
    pub fn tools(mut self, tools: usize) -> Self {
        self.tools = tools;
        self
    }

    /// Sets the length of one string or key, in bytes of UTF-8; 10 MiB by default, because images travel as base64
    /// text.
    ///
    /// ```
    /// let limits = agui_runtime::http::InputLimits::default().text(1024 * 1024);
    /// ```
    pub fn text(mut self, bytes: usize) -> Self {
        self.text = bytes;
        self
    }

    /// Sets the memory that the values without a type may take once an agent has parsed them, in bytes; 16 MiB by
    /// default, or four times the length of the body if that is more. These are `forwardedProps`, metadata, the
    /// parameters of tools, the contents of activities, and the payloads of answers: some 25,000 small objects. They stay
    /// text until they are read, so a server whose agents do not read them can have a higher limit.
    ///
    /// The state is not among them: [`Input::state`](crate::Input::state) reads it as the agent's type, and refuses too
    /// much of it where the type does not say its shape
    /// ([`StateError::TooLarge`](crate::state::StateError::TooLarge)). Neither are texts with JSON inside that the agent
    /// parses itself, such as `context`.
    ///
    /// ```
    /// let limits = agui_runtime::http::InputLimits::default().untyped(64 * 1024 * 1024);
    /// ```
    pub fn untyped(mut self, bytes: usize) -> Self {
        self.untyped = bytes;
        self
    }

    /// Sets the longest body that is read on the thread of its connection, in bytes; 256 KiB by default. A longer one
    /// is read on a thread of its own ([`tokio::task::spawn_blocking`]), so that it does not delay other clients.
    ///
    /// ```
    /// let limits = agui_runtime::http::InputLimits::default().inline(64 * 1024);
    /// ```
    pub fn inline(mut self, bytes: usize) -> Self {
        self.inline = bytes;
        self
    }

    /// Sets the number of bodies longer than [`inline`](Self::inline) that the server reads at once, at least one; 2 by
    /// default. Further ones wait their turn.
    ///
    /// ```
    /// let limits = agui_runtime::http::InputLimits::default().at_once(4);
    /// ```
    pub fn at_once(mut self, bodies: usize) -> Self {
        self.at_once = bodies.max(1);
        self
    }
}
