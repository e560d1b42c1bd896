//! Limits for an input.

/// The deepest nesting that is ever read: one level less than serde_json refuses.
const DEEPEST: usize = 126;

/// Limits for an input's JSON, checked before any value is built; see [`Server::input_limits`](crate::Server::input_limits).
///
/// A small body can describe a very large structure, so [`body_size`](crate::Limits::body_size) alone does not bound a request's
/// memory. An input beyond a limit gets status 413, a too deeply nested one 422: the `code` names the limit, the `message` has its
/// value, the `path` says where.
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
/// | [`inline`](Self::inline) | 256 KiB | none: a longer body is parsed on a thread of its own |
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
    pub(super) depth: usize,
    pub(super) members: usize,
    pub(in crate::server) messages: usize,
    pub(super) calls: usize,
    pub(super) tools: usize,
    pub(in crate::server) text: usize,
    pub(super) untyped: usize,
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
    /// Sets the maximum number of values in the whole document: objects, lists, strings, numbers, booleans and nulls, without
    /// keys. The default is 500,000: a conversation with 30,000 calls and results, or a state table with 20,000 rows and 20
    /// columns.
    ///
    /// An agent that parses JSON as `serde_json::Value` uses about 100 to 300 bytes for each value; see [`untyped`](Self::untyped)
    /// for a limit on them.
    pub fn nodes(mut self, nodes: usize) -> Self {
        self.nodes = nodes;
        self
    }

    /// Sets the maximum nesting depth of objects and lists, including the document; 100 by default, 126 at the most.
    pub fn depth(mut self, levels: usize) -> Self {
        self.depth = levels.min(DEEPEST);
        self
    }

    /// Sets the maximum number of members in one object; 100,000 by default.
    pub fn members(mut self, members: usize) -> Self {
        self.members = members;
        self
    }

    /// Sets the maximum number of messages in the conversation; 100,000 by default.
    pub fn messages(mut self, messages: usize) -> Self {
        self.messages = messages;
        self
    }

    /// Sets the maximum number of tool calls in one message; 1,000 by default, more than a model makes at once.
    pub fn calls(mut self, calls: usize) -> Self {
        self.calls = calls;
        self
    }

    /// Sets the maximum number of tools that the client declares; 1,000 by default.
    pub fn tools(mut self, tools: usize) -> Self {
        self.tools = tools;
        self
    }

    /// Sets the maximum length of one string or key, in UTF-8 bytes; 10 MiB by default, because images travel as base64 text.
    pub fn text(mut self, bytes: usize) -> Self {
        self.text = bytes;
        self
    }

    /// Sets the maximum memory that untyped values take once an agent has parsed them, in bytes; 16 MiB by default, or four times
    /// the body length if that is more. Untyped are `forwardedProps`, metadata, tool parameters, activity contents and resume
    /// payloads: the default admits some 25,000 small objects. They stay text until they are read, so a server whose agents do not
    /// read them can have a higher limit.
    ///
    /// The state is not included: [`Input::state`](crate::Input::state) parses the state as the agent's type, and refuses too much
    /// content where the type leaves the shape open ([`StateError::TooLarge`](crate::state::StateError::TooLarge)). Nor are texts
    /// with JSON that the agent parses itself, such as `context`.
    pub fn untyped(mut self, bytes: usize) -> Self {
        self.untyped = bytes;
        self
    }

    /// Sets the maximum length of a body that is parsed on its connection's thread, in bytes; 256 KiB by default. A longer one is
    /// parsed on a thread of its own ([`tokio::task::spawn_blocking`]), so that other clients are not delayed.
    pub fn inline(mut self, bytes: usize) -> Self {
        self.inline = bytes;
        self
    }

    /// Sets the number of bodies longer than [`inline`](Self::inline) that the server parses concurrently, at least one; 2 by
    /// default. Further ones wait for their turn.
    pub fn at_once(mut self, bodies: usize) -> Self {
        self.at_once = bodies.max(1);
        self
    }
}
