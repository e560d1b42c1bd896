//! Agents: what they are, how one run of them is driven, how it may end.

mod answers;
mod capabilities;
mod driver;
mod erased;
mod index;
mod input;
mod interrupt;
mod recorder;
mod resumed;
mod returned;
#[cfg(test)]
mod steps;
mod stop;
mod stream;

use std::future::Future;

use serde::Serialize;

pub use driver::{RunOptions, start};
pub use erased::DynAgent;
pub use input::Input;
pub use interrupt::{Interrupt, InterruptError, InterruptOf};
pub use recorder::Recorder;
pub use resumed::{Resumed, ResumedError};
pub use returned::{AgentReturn, StrictReturn, finished};
pub use stop::Stop;
pub use stream::EventStream;

pub(crate) use answers::check_answers;
pub(crate) use index::calls;
pub(crate) use interrupt::question;
pub(crate) use stop::Reason;

pub use capabilities::capabilities;

use crate::emit::{Finished, Run};
use crate::manifest::AgentSource;
use crate::state::State;

/// An agent: one function that is called for each run.
///
/// Written by `#[agent]`, on an async function or on an impl block. By hand, end the run with
/// [`run.finish(value)`](Run::finish):
///
/// ```
/// use agui_runtime::manifest::AgentSource;
/// use agui_runtime::{Agent, Finished, Input, Run, Stop};
///
/// struct Greeter;
///
/// impl Agent for Greeter {
///     type State = ();
///     type Output = ();
///
///     async fn run<'r>(
///         &self,
///         run: &'r mut Run<Self>,
///         input: Input<Self>,
///     ) -> Result<Finished<'r, ()>, Stop> {
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
    message = "`{Self}` is not an agent",
    label = "not an agent",
    note = "write `#[agent]` on an async function: `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`"
)]
pub trait Agent: Sized + Send + Sync + 'static {
    /// The state shared with the user interface; `()` for none.
    type State: State;

    /// What a successful run gives back: RUN_FINISHED's `result`, left out when it is `null`.
    type Output: Serialize + Send;

    /// One run, from RUN_STARTED to the end. Both are written by the driver: a returned [`Finished`] becomes
    /// RUN_FINISHED, a [`Stop`] becomes what it says.
    ///
    /// # Errors
    /// Whatever ends the run otherwise than by success; see [`Stop`].
    fn run<'r>(
        &self,
        run: &'r mut Run<Self>,
        input: Input<Self>,
    ) -> impl Future<Output = Result<Finished<'r, Self::Output>, Stop>> + Send;

    /// What the agent is made of: read by the manifest, the capabilities and the generated clients.
    fn source() -> AgentSource;
}
