//! Type-erased agents.

use std::sync::Arc;

#[cfg(feature = "signed-interrupts")]
use super::runs::prepared::check_sent_entries;
use super::{Agent, EventStream, FromRequestValues, MissingRequestValue, RunOptions, start};
use crate::consent::ResumedError;
use crate::manifest::AgentSource;
use crate::protocol::RunAgentInput;

/// A type-erased [`Agent`], which hosts store as `Arc<dyn DynAgent>`. Every agent implements this trait.
///
/// ```
/// # use agui_runtime::{Agent, RunOptions, protocol::RunAgentInput};
/// use std::sync::Arc;
///
/// use agui_runtime::DynAgent;
///
/// # fn example(chef: impl Agent, waiter: impl Agent, input: RunAgentInput) {
/// let agents: [Arc<dyn DynAgent>; 2] = [Arc::new(chef), Arc::new(waiter)];
/// let names = agents.each_ref().map(|agent| agent.describe().name);
/// let [chef, _] = agents;
/// let events = chef.start(input, RunOptions::default());
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "this type is not an agent",
    label = "not an agent",
    note = "`#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes \
            the agent `Chef`: pass `Chef::new()`, not `chef`"
)]
pub trait DynAgent: Send + Sync + 'static {
    /// Starts a run; see [`start`].
    fn start(self: Arc<Self>, input: RunAgentInput, options: RunOptions) -> EventStream;

    /// Returns the agent's description; see [`Agent::source`].
    fn describe(&self) -> AgentSource;

    /// Checks that a run can start with these options, for hosts that refuse a request before they start a run. Builds nothing,
    /// and clones no value.
    ///
    /// # Errors
    /// [`MissingRequestValue`] if the [request](RunOptions::request) lacks a value that the agent requires.
    fn check(&self, options: &RunOptions) -> Result<(), MissingRequestValue> {
        let _ = options;
        Ok(())
    }

    /// Checks an input's resume entries before a run starts, and uses none up. For hosts that record which interrupts are resumed,
    /// so that a run with refused entries leaves its interrupts open. The run repeats the check, and ends in RUN_ERROR.
    /// Hand-written agents may leave the check to the run.
    ///
    /// # Errors
    /// [`ResumedError`] for the first entry that the run would refuse before calling the agent.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::protocol::{ResumeEntry, ResumeStatus, RunAgentInput};
    /// use agui_runtime::{DynAgent, RunOptions};
    ///
    /// /// Asks nothing.
    /// #[agent]
    /// async fn mute(run: &mut Run<Mute>, input: Input<Mute>) -> Result<(), Stop> {
    ///     Ok(())
    /// }
    ///
    /// let mut input = RunAgentInput::new("t", "r", []);
    /// assert!(Mute::new().check_resume_entries(&input, &RunOptions::default()).is_ok());
    /// input.resume = Some([ResumeEntry::new("never-asked", ResumeStatus::Resolved)].into());
    /// let refused = Mute::new().check_resume_entries(&input, &RunOptions::default()).unwrap_err();
    /// assert_eq!(refused.code(), "interrupt_not_asked");
    /// ```
    fn check_resume_entries(&self, input: &RunAgentInput, options: &RunOptions) -> Result<(), ResumedError> {
        let _ = (input, options);
        Ok(())
    }

    /// True if another server may restart the agent when a run's server is lost; see [`Agent::RESTARTS`].
    fn restarts(&self) -> bool {
        false
    }
}

impl<A: Agent> DynAgent for A {
    fn start(self: Arc<Self>, input: RunAgentInput, options: RunOptions) -> EventStream {
        start(self, input, options)
    }

    fn describe(&self) -> AgentSource {
        A::source()
    }

    fn check(&self, options: &RunOptions) -> Result<(), MissingRequestValue> {
        A::Request::check(options.request_values())
    }

    #[cfg(feature = "signed-interrupts")]
    fn check_resume_entries(&self, input: &RunAgentInput, options: &RunOptions) -> Result<(), ResumedError> {
        if input.resume().is_empty() {
            return Ok(());
        }
        check_sent_entries(input.clone(), options.clone(), A::source)
    }

    fn restarts(&self) -> bool {
        A::RESTARTS
    }
}
