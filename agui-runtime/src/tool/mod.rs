//! Typed tools: what `#[tool]` writes, and how their arguments, results and failures travel.

mod arriving;
mod content;
mod inject;
mod outcome;
mod parts;
mod predict;
mod public;

use std::fmt;
use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use inject::{Inject, Invoke, Scope, ToolCtx};
pub use outcome::Outcome;
pub use parts::Parts;
pub use public::PublicError;

#[cfg(feature = "client")]
pub(crate) use content::value_content;
pub(crate) use content::{failure_content, read_answer, read_arguments};
pub(crate) use outcome::ToolFailure;
#[doc(hidden)]
pub use outcome::{Probe, ViaError, ViaPublicError, ViaResult, ViaValue, answer};
#[doc(hidden)]
pub use predict::{Predictions, StateParameter, Texts, text_argument};

use crate::agent::Agent;
use crate::emit::{Called, EventFields, PendingCall, Settled, Streaming, ToolCall};
use crate::manifest::{ToolSide, ToolSource, TypeSource};
use crate::protocol::ToolCallId;
use crate::quoted::quoted;

/// A tool: its arguments are the struct itself, its contract is the rest.
///
/// Written by `#[tool]`: on `fn price(shop: &Shop, name: String) -> Result<Euro, ShopError>` it leaves the function as
/// it is and puts the struct `price { name: String }` beside it, which implements this trait. Functions and braced
/// structs live in separate namespaces, so one `use` brings both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "write `#[tool]` on the function of that name"
)]
pub trait Tool: Serialize + DeserializeOwned + JsonSchema + Send + 'static {
    /// The name the model and the wire use: the function's.
    const NAME: &'static str;

    /// What the tool does, from the function's doc comment.
    const DESCRIPTION: &'static str;

    /// Where the tool runs: [`Backend`] or [`Frontend`].
    type Side: Side;

    /// Backend: what the function returns, `Result` included. Frontend: what the user interface answers.
    type Returns: Send;

    #[doc(hidden)]
    fn outcome() -> Outcome<Self::Returns>;

    #[doc(hidden)]
    fn source() -> ToolSource {
        ToolSource {
            name: Self::NAME,
            description: Self::DESCRIPTION,
            side: Self::Side::SIDE,
            arguments: TypeSource::of::<Self>(),
            result: Self::outcome().value,
        }
    }
}

/// Says that agent `A` may call this tool. Written by `#[agent(tools = [..])]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool of `{A}`",
    label = "not in the agent's list of tools",
    note = "add it to `#[agent(tools = [..])]`: the agent's capabilities and clients are made from that list"
)]
pub trait ToolOf<A: Agent>: Invoke<A> {}

/// Where a tool runs, as a type; [`Backend`] and [`Frontend`] are the only ones.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not where a tool runs",
    label = "neither `Backend` nor `Frontend`",
    note = "a tool runs in the agent, `#[tool]`, or in the user interface, `#[tool(frontend)]`"
)]
pub trait Side: sealed::Sealed + Sized + 'static {
    /// The same as a value.
    const SIDE: ToolSide;

    /// What a call becomes once its arguments are complete.
    type After<'w, A: Agent, T: Tool<Side = Self>>: fmt::Debug + Send;

    #[doc(hidden)]
    fn after<'w, A: Agent, T: Tool<Side = Self>>(
        call: ToolCall<'w, A, T, Streaming>,
        arguments: T,
        fields: Option<Box<EventFields>>,
    ) -> Self::After<'w, A, T>;

    #[doc(hidden)]
    fn id<'c, A: Agent, T: Tool<Side = Self>>(call: &'c Self::After<'_, A, T>) -> &'c ToolCallId;

    #[doc(hidden)]
    fn settle<'w, A: Agent, T: Tool<Side = Self>>(
        call: Self::After<'w, A, T>,
    ) -> impl Future<Output = Settled> + Send;
}

/// Tools that run in the agent.
#[derive(Debug)]
pub enum Backend {}

/// Tools that run in the user interface. A call of one is never answered in the run that makes it.
#[derive(Debug)]
pub enum Frontend {}

/// What [`Input::answer`](crate::Input::answer) asks of a tool's side: that the user interface answers its calls.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a backend tool is not answered by the user interface",
    label = "this tool runs in the agent",
    note = "its answer is what `run.call(..).await?.run().await` gives, in the run that calls it"
)]
pub trait AnsweredByClient {}

impl AnsweredByClient for Frontend {}

impl Side for Backend {
    const SIDE: ToolSide = ToolSide::Backend;
    type After<'w, A: Agent, T: Tool<Side = Self>> = ToolCall<'w, A, T, Called>;

    fn after<'w, A: Agent, T: Tool<Side = Self>>(
        call: ToolCall<'w, A, T, Streaming>,
        arguments: T,
        fields: Option<Box<EventFields>>,
    ) -> Self::After<'w, A, T> {
        call.called(arguments, fields)
    }

    fn id<'c, A: Agent, T: Tool<Side = Self>>(call: &'c Self::After<'_, A, T>) -> &'c ToolCallId {
        call.id()
    }

    async fn settle<A: Agent, T: Tool<Side = Self>>(call: Self::After<'_, A, T>) -> Settled {
        Settled::Answered(call.settle().await)
    }
}

impl Side for Frontend {
    const SIDE: ToolSide = ToolSide::Frontend;
    type After<'w, A: Agent, T: Tool<Side = Self>> = PendingCall<T>;

    fn after<'w, A: Agent, T: Tool<Side = Self>>(
        call: ToolCall<'w, A, T, Streaming>,
        arguments: T,
        fields: Option<Box<EventFields>>,
    ) -> Self::After<'w, A, T> {
        call.pending(arguments, fields)
    }

    fn id<'c, A: Agent, T: Tool<Side = Self>>(call: &'c Self::After<'_, A, T>) -> &'c ToolCallId {
        call.id()
    }

    async fn settle<A: Agent, T: Tool<Side = Self>>(call: Self::After<'_, A, T>) -> Settled {
        Settled::Pending(call.into())
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Backend {}
    impl Sealed for super::Frontend {}
}

/// Something said by a tool that is not what its type promised, with the place where reading stopped.
#[derive(Debug, thiserror::Error)]
#[error("{what} of tool `{tool}` at `{path}`: {message}")]
#[non_exhaustive]
pub struct ToolDataError {
    /// The tool's name.
    pub tool: &'static str,
    /// Which of its data: `arguments` or `answer`.
    pub what: ToolData,
    /// Where in the JSON document reading stopped, `.` for the whole.
    pub path: String,
    /// What was expected there.
    pub message: String,
}

impl ToolDataError {
    pub(crate) fn refused<T: Tool>(error: &str) -> Self {
        Self {
            tool: T::NAME,
            what: ToolData::Answer,
            path: ".".to_owned(),
            message: quoted(error).to_string(),
        }
    }
}

/// Which data of a tool a [`ToolDataError`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolData {
    /// What the model wrote.
    Arguments,
    /// What the user interface answered.
    Answer,
}

impl fmt::Display for ToolData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Arguments => "arguments",
            Self::Answer => "answer",
        })
    }
}
