//! Agents: traits, run driver, and run ends.

// `on_move` states the rule when a call is used after it was moved. Stable compilers do not support it yet.
#![allow(
    unknown_diagnostic_attributes,
    reason = "`diagnostic::on_move` is ignored by compilers that do not know it"
)]

mod capabilities;
mod delegate;
mod dyn_agent;
mod ends;
mod forbidden;
mod here;
mod inputs;
mod interrupts;
mod may_move;
mod options;
mod runs;
mod shared_agent;
mod subagent;
pub(crate) mod tool;

use std::future::Future;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

pub use delegate::{Delegate, NoState};
pub use dyn_agent::DynAgent;
pub use ends::finished::FinishedRun;
pub use ends::returned::{AgentReturn, StrictReturn};
pub use ends::stop::{IntoStop, Stop};
pub use inputs::baseline::{AdoptState, SnapshotState, StateBaseline};
#[doc(hidden)]
pub use inputs::forwarded::ForwardedData;
pub use inputs::forwarded::{ForwardedError, PropsOf};
pub use inputs::input::Input;
pub use inputs::request::{FromRequestValues, MissingRequestValue};
pub use interrupts::approval::Approval;
#[cfg(feature = "model")]
pub(crate) use interrupts::approval::approval_interrupt;
#[cfg(feature = "model")]
pub(crate) use interrupts::call_verdict::{DecidedCall, ResumingCall};
pub use interrupts::interrupt::{Interrupt, InterruptError, InterruptOf};
pub use interrupts::resume_call::ResumeCallError;
pub use interrupts::resumed::ResumedInterrupt;
#[cfg(feature = "tool-servers")]
#[doc(hidden)]
pub use interrupts::tool_interrupt::ToolResumePayload;
#[cfg(feature = "model")]
pub(crate) use interrupts::tool_interrupt::{CallTexts, raise_tool_interrupt};
#[cfg(feature = "model")]
#[doc(hidden)]
pub use interrupts::tool_interrupt::{ToolInterrupt, ToolResume};
#[doc(hidden)]
pub use may_move::may_move;
pub use options::RunOptions;
pub use runs::byte_stream::{ByteStream, InvalidInput, start_bytes};
pub use runs::driver::start;
pub use runs::recorder::EventRecorder;
pub use runs::run::Run;
pub use runs::stream::EventStream;
pub use runs::tasks::RunTasks;
pub use shared_agent::{IntoDynAgent, SharedAgent};
#[doc(hidden)]
pub use subagent::{HandoffTool, Subagent, SubagentOf, SubagentTool, has_description, has_name, needs_page};
pub use tool::CallHandle;
#[doc(hidden)]
pub use tool::PolicyFn;
#[cfg(feature = "model")]
pub(crate) use tool::handoff_to;
pub use tool::{
    ApprovalSide, BackendSide, Call, CallAtOnce, CallError, CallPhase, CallTool, ClientCall, ContentParts,
    DispatchOutcome, DispatchableCall, ExecutionSide, FailureText, FrontendCall, FrontendSide, InjectOption,
    InjectScope, InjectValue, InvokeTool, NamedCallOpening, NoCall, OpenCall, OpenClientCall, OpenNamedCall,
    OpenPhase, OpenToolCall, PendingCall, PendingCalls, PendingClientCall, PrivateSide, PublicError,
    PushArguments, ReadyPhase, ReadyToolCall, SendCallResult, SettleOutcome, SettledCall, StartCall,
    StartClientCall, StartNamedCall, Tool, ToolCtx, ToolData, ToolDataError, ToolOf, ToolSet, UnapprovedCall,
    UnknownTool,
};
#[doc(hidden)]
pub use tool::{PrivateTool, ShownToClients, ToolEntry, private_tool, tool_entry};

pub(crate) use ends::error_code::UnwritableValue;
pub(crate) use ends::failure::{BoxError, INTERNAL, MAX_LOGGED, panic_text};
pub(crate) use ends::stop::{StopReason, discard};
pub(crate) use interrupts::interrupt::untyped_interrupt;
#[cfg(feature = "server")]
pub(crate) use interrupts::repeated_results::repeats_entry;
pub(crate) use interrupts::resume_check::check_resume_entries;
#[cfg(feature = "tool-servers")]
#[doc(hidden)]
pub use runs::lone_call::{CallWatcher, LoneCall, LoneCallError, ResumeClaim, ResumedLoneCall};
use runs::observed::ObservedSubagent;

pub use capabilities::capabilities;

use crate::bundle::bundle;
use crate::manifest::AgentSource;
use crate::state::State;

/// Bound whose line the compiler shows for `dyn Agent`: for another crate's trait, the compiler shows only bounds that name
/// `Self`. Every type implements this trait.
#[doc(hidden)]
pub trait WriteInstead<A, Instead> {}

impl<A, Instead> WriteInstead<A, Instead> for A {}

/// A successful run's value: every type that serde can write and schemars can describe.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a run",
    label = "an agent returns it, and it has no JSON form, or no schema of it",
    note = "write `#[derive(Serialize, JsonSchema)]` on it",
    note = "for a type of another crate, turn on the feature of `agui-runtime` that has its name (`uuid`, `chrono`, `jiff`, `url`, `bytes`, \
            `rust_decimal`), or its features for serde and schemars; or wrap it in a type of your own that has these derives",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait AgentOutput: Serialize + JsonSchema + Send + 'static {}

bundle!(AgentOutput: Serialize + JsonSchema + Send + 'static);

/// An agent: one function that each run calls.
///
/// Implemented by `#[agent]`, on an async function or on an impl block. In a hand-written impl, end the run with
/// [`run.finish(value)`](Run::finish):
///
/// ```
/// use agui_runtime::manifest::AgentSource;
/// use agui_runtime::{Agent, FinishedRun, Input, Run, Stop};
///
/// struct Greeter;
///
/// impl Agent for Greeter {
///     type State = ();
///     type Request = ();
///     type Output = ();
///
///     async fn run<'r>(
///         &self,
///         run: &'r mut Run<Self>,
///         input: Input<Self>,
///     ) -> Result<FinishedRun<'r, ()>, Stop> {
///         run.say(format!("Hello, {} messages so far!", input.messages.len())).await;
///         Ok(run.finish(()))
///     }
///
///     fn source() -> AgentSource {
///         AgentSource {
///             description: "Says hello",
///             version: "1.0.0",
///             rust_path: std::any::type_name::<Self>(),
///             ..AgentSource::new("greeter")
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "this type is not an agent",
    label = "not an agent",
    note = "`#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes \
            the agent `Chef`: pass `Chef::new()`, not `chef`"
)]
pub trait Agent: Sized + Send + Sync + 'static
where
    // The compiler shows this line where `dyn Agent` is written, so it says what to write.
    Self: WriteInstead<Self, Arc<dyn DynAgent>>,
{
    /// The state shared with the user interface; `()` for none.
    type State: State;

    /// Values that must come with each run's request; `()` for none. See [`FromRequestValues`].
    type Request: FromRequestValues;

    /// A successful run's value: RUN_FINISHED's `result`, left out if `null`; `()` for none.
    type Output: AgentOutput;

    /// True if another server may restart the agent when a run's server is lost: `#[agent(restart)]`. See
    /// [Restart](macro@crate::agent#restart).
    const RESTARTS: bool = false;

    /// Performs one run. The driver writes RUN_STARTED and the end: a returned [`FinishedRun`] becomes RUN_FINISHED, a [`Stop`]
    /// becomes the end that it describes.
    ///
    /// # Errors
    /// Any run end other than success; see [`Stop`].
    fn run<'r>(
        &self,
        run: &'r mut Run<Self>,
        input: Input<Self>,
    ) -> impl Future<Output = Result<FinishedRun<'r, Self::Output>, Stop>> + Send;

    /// Returns the agent's description, for manifest, capabilities and generated clients.
    fn source() -> AgentSource;
}
