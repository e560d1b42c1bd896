//! Typed tools: the traits that `#[tool]` implements, and the format for arguments, results and failures.

mod allowed_names;
mod arguments;
mod call;
mod ctx;
mod entry;
mod inject;
mod kept;
mod no_tool;
mod plain_function;
mod policy;
mod private;
mod progress;
mod result;
mod side;
mod timeout;
mod tool_set;

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use arguments::data_error::{ToolData, ToolDataError};
pub use call::approved::{ApprovalSide, UnapprovedCall};
pub use call::call_error::CallError;
pub use call::caller::CallHandle;
pub use call::client_call::{ClientCall, OpenClientCall, PendingClientCall, StartClientCall};
pub use call::dispatch::DispatchOutcome;
pub use call::named_call::{NamedCallOpening, OpenNamedCall, OpenToolCall, StartNamedCall, UnknownTool};
pub use call::open_call::{CallAtOnce, CallTool, OpenCall, StartCall};
pub use call::pending::{PendingCall, PendingCalls};
#[doc(hidden)]
pub use call::ready_call::CallHead;
pub use call::ready_call::{DispatchableCall, ReadyToolCall};
pub use call::settled::{FrontendCall, SettleOutcome, SettledCall};
pub use call::{Call, CallPhase, OpenPhase, PushArguments, ReadyPhase, SendCallResult};
pub use ctx::ToolCtx;
#[cfg(feature = "model")]
pub(crate) use entry::handoff_to;
#[cfg(feature = "model")]
pub(crate) use entry::private_tool_of;
#[doc(hidden)]
pub use entry::{HandoffFn, ToolEntry, tool_entry};
#[doc(hidden)]
pub use inject::SharesState;
pub use inject::{InjectOption, InjectScope, InjectValue, InvokeTool};
#[doc(hidden)]
pub use plain_function::{PlainFunction, ToolFunction};
#[cfg(feature = "model")]
pub(crate) use policy::{ApprovalCall, policy_asks};
#[doc(hidden)]
pub use policy::{
    ApprovalPolicy, PolicyDecision, PolicyFn, SettlementStage, policy_decision, policy_decision_later,
};
#[doc(hidden)]
pub use private::{PrivateTool, private_tool};
#[cfg(feature = "tool-servers")]
pub(crate) use progress::progress_of_call;
#[cfg(feature = "tool-servers")]
#[doc(hidden)]
pub use progress::{ITEM, PROGRESS};
pub use progress::{Progress, SendReport};
pub use result::failure_text::FailureText;
pub use result::outcome::ReturnConversion;
#[doc(hidden)]
pub use result::outcome::ToolValue;
pub use result::parts::ContentParts;
pub use result::public::PublicError;
#[doc(hidden)]
pub use result::streamed::{GatherItems, streamed};
#[doc(hidden)]
pub use side::SettlingCall;
pub use side::{BackendSide, ExecutionSide, FrontendSide, PrivateSide, SettledByClient, ShownToClients};
pub use timeout::TimeoutError;
#[cfg(feature = "model")]
pub(crate) use timeout::timed;
#[doc(hidden)]
pub use timeout::within;
pub use tool_set::{NoCall, ToolSet};

#[cfg(feature = "model")]
pub(crate) use allowed_names::FINAL_RESULT;
#[doc(hidden)]
pub use allowed_names::LONGEST_DESCRIPTION;
pub(crate) use allowed_names::{LONGEST_NAME, is_reserved};
#[doc(hidden)]
pub use arguments::argument::{ArgumentData, ArgumentOf};
#[doc(hidden)]
pub use arguments::predict::{StateParameter, StatePredictions, text_argument};
use arguments::raw_members::read_any;
#[doc(hidden)]
pub use arguments::raw_members::{ArgumentReadFn, read_by_member};
pub use call::UntypedCall;
#[cfg(feature = "model")]
pub use call::boxed_call::AnyOpenCall;
pub use call::boxed_call::{BoxedCall, boxed_call};
pub(crate) use call::debug_call;
pub(crate) use call::dispatch::{dispatch, settle_all};
pub(crate) use call::open_call::invoker;
#[cfg(feature = "model")]
pub(crate) use call::open_call::open_span;
#[cfg(feature = "model")]
pub(crate) use call::{refused, settle_running};
#[cfg(feature = "model")]
#[doc(hidden)]
pub use no_tool::NoTool;
#[cfg(feature = "client")]
pub(crate) use result::content::value_content;
#[doc(hidden)]
pub use result::content::{ArgumentFault, unread_at};
use result::content::{check_arguments, unread_again};
pub(crate) use result::content::{failure_content, read_arguments, read_frontend_result};
#[cfg(feature = "model")]
pub(crate) use result::content::{read_final, reads_as_failure};
pub(crate) use result::max_result::limited;
pub(crate) use result::outcome::ErrorKind;
#[doc(hidden)]
pub use result::outcome::answer;
#[cfg(feature = "model")]
pub(crate) use result::outcome::{PublicErrors, content as value_or_parts};
pub(crate) use result::outcome::{ReturnContent, agent_outcome, value_outcome};
#[doc(hidden)]
pub use result::probe::{ReturnProbe, ViaError, ViaPublicCauses, ViaPublicError, ViaResult, ViaValue};
pub(crate) use result::tool_failure::ToolFailure;
pub(crate) use result::written::text_of;

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

    /// The side on which the tool runs: [`BackendSide`], [`ApprovalSide`], [`PrivateSide`] or [`FrontendSide`].
    type Side: ExecutionSide;

    /// Backend: the function's return type, `Result` included; for a stream, the item list; with `timeout`, a `Result` with that
    /// type and [`TimeoutError`]. Frontend: the user interface's result type.
    type Returns: Send;

    #[doc(hidden)]
    fn outcome() -> ReturnConversion<Self::Returns>;

    /// Locates a parse failure in arguments text. By default the text is parsed again by a reader that tracks its location, which
    /// costs the compiler as much as everything else in a tool.
    #[doc(hidden)]
    const UNREAD: ArgumentFaultFn = unread_again::<Self>;

    /// Parses the arguments.
    #[doc(hidden)]
    const READ: ArgumentReadFn<Self> = read_any::<Self>;

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
pub type ArgumentFaultFn = fn(&str, &serde_json::Error) -> ArgumentFault;

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
/// use agui_runtime::tools::{BackendSide, ToolOf};
///
/// /// Makes one call after the other, for any agent that has the tool.
/// async fn all<A: Agent, T>(run: &Run<A>, calls: Vec<T>) -> Result<Vec<T::Returns>, Stop>
/// where
///     T: ToolOf<A> + Tool<Side = BackendSide>,
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
pub trait ToolOf<A: Agent>: InvokeTool<A> {}

/// Bound on the function that `#[tool(frontend)]` puts in the declared function's place. No type meets the bound.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` runs in the user interface, so the agent cannot call it as a function",
    label = "a frontend tool has no function in the agent",
    note = "call it through the run, `let call = run.call({Self} {{ .. }}).await?;`, and end the run, `return \
            Err(Stop::await_frontend([call]))`; the next run reads `input.frontend_result::<{Self}>()?`"
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
