//! Typed tools: the traits that `#[tool]` implements, and the format for arguments, results and failures.

mod allowed_names;
mod approved;
mod argument;
mod arriving;
mod boxed_call;
mod call;
mod call_error;
mod caller;
mod client_call;
mod content;
mod ctx;
mod data_error;
mod dispatch;
mod entry;
mod failure_text;
mod inject;
mod kept;
mod max_result;
mod named_call;
mod no_tool;
mod open_call;
mod outcome;
mod parts;
mod path_at;
mod pending;
mod plain_function;
mod policy;
mod predict;
mod probe;
mod progress;
mod provider_id;
mod public;
mod raw_members;
mod ready_call;
mod settled;
mod side;
mod streamed;
mod timeout;
mod tool_failure;
mod tool_set;
mod written;

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use approved::{Approved, UnaskedCall};
pub use call::{AnswerCall, Call, Called, PushArguments, Streaming, ToolPhase};
pub use call_error::CallError;
pub use caller::Caller;
pub use client_call::{ClientCall, OpenClientCall, PendingClientCall, StartClientCall};
pub use ctx::ToolCtx;
pub use data_error::{ToolData, ToolDataError};
pub use dispatch::Dispatched;
#[cfg(feature = "model")]
pub(crate) use entry::handoff_to;
#[doc(hidden)]
pub use entry::{HandoffFn, ToolEntry, tool_entry};
pub use failure_text::FailureText;
#[doc(hidden)]
pub use inject::SharesState;
pub use inject::{Inject, InjectOption, InjectScope, Invoke};
pub use named_call::{OpenNamedCall, OpenToolCall, Opening, StartNamedCall, UnknownTool};
pub use open_call::{CallAtOnce, CallTool, OpenCall, StartCall};
pub use outcome::Outcome;
#[doc(hidden)]
pub use outcome::ToolValue;
pub use parts::Parts;
pub use pending::{PendingCall, PendingCalls};
#[doc(hidden)]
pub use plain_function::{PlainFunction, ToolFunction};
#[doc(hidden)]
pub use policy::{ApprovalPolicy, AsksFn, Decided, Decision, policy_decision, policy_decision_later};
#[cfg(feature = "model")]
pub(crate) use policy::{AskedCall, asked_by};
#[cfg(feature = "mcp")]
pub(crate) use progress::{ITEM, PROGRESS};
pub use progress::{Progress, Report};
pub use public::PublicError;
#[doc(hidden)]
pub use ready_call::CallHead;
pub use ready_call::{Complete, ReadyToolCall};
pub use settled::{AnsweredCall, FrontendCall, Settled};
#[doc(hidden)]
pub use side::Settling;
pub use side::{AnsweredByClient, Backend, Frontend, Side};
#[doc(hidden)]
pub use streamed::{Gathers, streamed};
pub use timeout::TimeoutError;
#[cfg(feature = "model")]
pub(crate) use timeout::timed;
#[doc(hidden)]
pub use timeout::within;
pub use tool_set::{NoCall, ToolSet};

#[cfg(feature = "model")]
pub(crate) use allowed_names::FINAL_RESULT;
pub(crate) use allowed_names::{LONGEST_DESCRIPTION, LONGEST_NAME, is_reserved};
#[doc(hidden)]
pub use argument::{Argument, ArgumentOf};
#[cfg(feature = "model")]
pub use boxed_call::AnyCall;
pub use boxed_call::{BoxedCall, boxed_call};
pub use call::UntypedCall;
pub(crate) use call::debug_call;
#[cfg(feature = "model")]
pub(crate) use call::{refused, settled};
#[cfg(feature = "client")]
pub(crate) use content::value_content;
#[doc(hidden)]
pub use content::{Unread, unread_at};
use content::{check_arguments, unread_again};
pub(crate) use content::{failure_content, read_answer, read_arguments};
#[cfg(feature = "model")]
pub(crate) use content::{read_final, reads_as_failure};
pub(crate) use dispatch::{dispatch, settle_all};
pub(crate) use max_result::limited;
#[cfg(feature = "model")]
pub(crate) use no_tool::NoTool;
pub(crate) use open_call::invoker;
#[cfg(feature = "model")]
pub(crate) use open_call::open_span;
pub(crate) use outcome::ErrorKind;
#[doc(hidden)]
pub use outcome::answer;
#[cfg(feature = "model")]
pub(crate) use outcome::{Public, content as value_or_parts};
pub(crate) use outcome::{Returned, agent_outcome, value_outcome};
#[doc(hidden)]
pub use predict::{Predictions, StateParameter, text_argument};
#[doc(hidden)]
pub use probe::{Probe, ViaError, ViaPublicCauses, ViaPublicError, ViaResult, ViaValue};
use raw_members::read_any;
#[doc(hidden)]
pub use raw_members::{ReadFn, read_by_member};
pub(crate) use tool_failure::ToolFailure;
pub(crate) use written::text_of;

use crate::agent::Agent;
use crate::manifest::{ToolSource, TypeSource};
use crate::protocol::ToolAnnotations;

/// Default result size limit, in bytes.
pub(crate) const MAX_RESULT: usize = 1024 * 1024;

/// Typed form for a tool; the JSON form is [`protocol::Tool`](crate::protocol::Tool).
///
/// The struct has the tool's arguments, the trait everything else in its contract.
///
/// Implemented by `#[tool]`: on `fn price(shop: &Shop, name: String) -> Result<Euro, ShopError>` the macro leaves the function and
/// adds the struct `price { name: String }`, which implements this trait. Functions and braced structs live in separate
/// namespaces, so one `use` imports both.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Looks up what something costs today, in cents.
/// #[tool(read_only, max_result = "1KB")]
/// async fn price(name: String) -> Option<u32> {
///     (name == "rice").then_some(180)
/// }
/// assert_eq!(price::NAME, "price");
/// assert_eq!(price::DESCRIPTION, "Looks up what something costs today, in cents.");
/// assert_eq!(price::ANNOTATIONS.read_only_hint, Some(true));
/// assert_eq!((price::TIMEOUT, price::MAX_RESULT), (None, 1000));
/// assert_eq!(futures::executor::block_on(price("rice".to_owned())), Some(180)); // still a function
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "write `#[tool]` on the function of that name"
)]
pub trait Tool: Serialize + DeserializeOwned + JsonSchema + Send + 'static {
    /// The name for the model and on the wire: the function's name.
    const NAME: &'static str;

    /// The tool's description, from the function's doc comment.
    const DESCRIPTION: &'static str;

    /// The title, and behaviour hints: the keys `title`, `read_only`, `destructive`, `idempotent` and `closed_world` in `#[tool]`.
    const ANNOTATIONS: ToolAnnotations = ToolAnnotations::NONE;

    /// A call's time limit: the key `timeout` in `#[tool]`.
    const TIMEOUT: Option<Duration> = None;

    /// A result's size limit, in bytes: the key `max_result` in `#[tool]`, 1 MiB by default.
    const MAX_RESULT: usize = MAX_RESULT;

    /// The side on which the tool runs: [`Backend`] or [`Frontend`].
    type Side: Side;

    /// Backend: the function's return type, `Result` included; for a stream, the item list; with `timeout`, a `Result` with that
    /// type and [`TimeoutError`]. Frontend: the user interface's result type.
    type Returns: Send;

    #[doc(hidden)]
    fn outcome() -> Outcome<Self::Returns>;

    /// Locates a parse failure in arguments text. By default the text is parsed again by a reader that tracks its location, which
    /// costs the compiler as much as everything else in a tool.
    #[doc(hidden)]
    const UNREAD: UnreadFn = unread_again::<Self>;

    /// Parses the arguments.
    #[doc(hidden)]
    const READ: ReadFn<Self> = read_any::<Self>;

    #[doc(hidden)]
    fn source() -> ToolSource {
        ToolSource {
            name: Self::NAME,
            description: Self::DESCRIPTION,
            side: Self::Side::SIDE,
            approval: Self::Side::APPROVAL,
            annotations: Self::ANNOTATIONS,
            arguments: const { arguments::<Self>() },
            result: Self::outcome().value,
        }
    }
}

/// Locates a parse failure, given the arguments text and the error.
#[doc(hidden)]
pub type UnreadFn = fn(&str, &serde_json::Error) -> Unread;

/// Type source for a tool's arguments. Only the model loop and approvals check a text as arguments beforehand; no other tool is
/// compiled with the check.
const fn arguments<T: Tool>() -> TypeSource {
    let source = TypeSource::of::<T>();
    if cfg!(feature = "model") || T::Side::APPROVAL {
        source.checked_by(check_arguments::<T>)
    } else {
        source
    }
}

/// Declares that agent `A` may call this tool. Implemented by `#[agent(tools = [..])]`.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::{Backend, ToolOf};
///
/// /// Makes one call after the other, for any agent that has the tool.
/// async fn all<A: Agent, T>(run: &Run<A>, calls: Vec<T>) -> Result<Vec<T::Returns>, Stop>
/// where
///     T: ToolOf<A> + Tool<Side = Backend>,
/// {
///     let mut results = Vec::new();
///     for call in calls {
///         results.push(run.call(call).await?.run().await);
///     }
///     Ok(results)
/// }
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// let calls = ["rice", "salt"].map(|name| price { name: name.to_owned() });
/// assert_eq!(all(run, calls.into()).await?, [180, 180]);
/// # Ok(())
/// # }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool of `{A}`",
    label = "not in the agent's list of tools",
    note = "add it to `#[agent(tools = [..])]`: the agent's capabilities and clients are made from that list"
)]
pub trait ToolOf<A: Agent>: Invoke<A> {}

/// Bound on the function that `#[tool(frontend)]` puts in the declared function's place. No type meets the bound.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` runs in the user interface, so the agent cannot call it as a function",
    label = "a frontend tool has no function in the agent",
    note = "call it through the run, `let call = run.call({Self} {{ .. }}).await?;`, and end the run, `return \
            Err(Stop::await_frontend([call]))`; the next run reads `input.answer::<{Self}>()?`"
)]
pub trait RunsInTheAgent<'a> {}

/// Agent `A`'s tool, for its call enums. A bound with a lifetime is checked where an enum is used, and not where it is declared,
/// so a path that is no tool is reported where the agent lists that path and nowhere else.
#[doc(hidden)]
pub trait ListedTool<'w, A: Agent> {
    type Tool: ToolOf<A>;
}

impl<A: Agent, T: ToolOf<A>> ListedTool<'_, A> for T {
    type Tool = T;
}
