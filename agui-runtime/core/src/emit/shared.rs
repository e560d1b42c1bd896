//! The parts that all handles of a run share.

use std::collections::HashMap;
use std::ops::Deref;
#[cfg(feature = "model")]
use std::sync::Weak;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

#[cfg(any(feature = "model", feature = "server"))]
use super::PrivateTurnLog;
use super::RequestValues;
#[cfg(feature = "model")]
use super::budget::ChatBudget;
use super::resume_by_agent::ResumeByAgent;
use super::steering::SteeringInbox;
use super::written::StoreProgress;
use crate::consent::RunConsent;
use crate::kernel::{Clock, Ids, KernelHub, Peer, SpanSlot, Timer};
use crate::protocol::RunAgentInput;
use crate::protocol::any_json::allowance::MemoryAllowance;
use crate::telemetry::Counts;

/// The parts that all handles of one run share: the hub, interrupts with resume entries, and request values.
pub(crate) struct RunShared {
    hub: KernelHub,
    consent: RunConsent,
    settings: SharedSettings,
    /// The code with which the run was ended from outside.
    ended_by: OnceLock<Box<str>>,
    answers: OnceLock<ResumeByAgent>,
    /// Requests and calls by agent.
    counts: Mutex<HashMap<SpanSlot, Counts>>,
    /// Chat budgets by agent, until the chat ends.
    #[cfg(feature = "model")]
    budgets: Mutex<HashMap<SpanSlot, Weak<ChatBudget>>>,
}

/// Run options that handles read.
#[derive(Default)]
pub(crate) struct SharedSettings {
    pub(crate) request: RequestValues,
    pub(crate) timer: Option<Arc<dyn Timer>>,
    /// `None` if calls need not wait for a store.
    pub(crate) written: Option<Arc<StoreProgress>>,
    /// `None` if no message can join the run.
    pub(crate) steering: Option<Arc<SteeringInbox>>,
    pub(crate) allowance: MemoryAllowance,
    pub(crate) reveals_errors: bool,
    /// True if tracing spans may contain message content.
    pub(crate) records_content: bool,
    pub(crate) approves_calls: bool,
    /// The private turns of the run's stored thread; `None` without a store.
    #[cfg(any(feature = "model", feature = "server"))]
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only the model loop reads it"))]
    pub(crate) private_turns: Option<Arc<PrivateTurnLog>>,
}

impl RunShared {
    /// Built inside the `Arc`: the struct is large, and moving it costs a copy.
    pub(crate) fn new(
        input: Arc<RunAgentInput>,
        consent: RunConsent,
        room: usize,
        ids: Ids,
        clock: Clock,
        peer: Peer,
        settings: SharedSettings,
    ) -> Arc<Self> {
        Arc::new(Self {
            hub: KernelHub::new(input, room, ids, clock, peer),
            consent,
            settings,
            ended_by: OnceLock::new(),
            answers: OnceLock::new(),
            counts: Mutex::default(),
            #[cfg(feature = "model")]
            budgets: Mutex::default(),
        })
    }

    /// Reads or changes the chat budgets, keyed by agent.
    #[cfg(feature = "model")]
    pub(super) fn budgets<R>(&self, act: impl FnOnce(&mut HashMap<SpanSlot, Weak<ChatBudget>>) -> R) -> R {
        act(&mut self.budgets.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until the run's store has all events so far, if calls must wait for it.
    pub(crate) async fn written(&self) {
        if let Some(written) = &self.settings.written {
            let events = self.act(|kernel| kernel.sent_count());
            written.has(events).await;
        }
    }

    /// Returns the user messages that wait for the run's next safe point, if messages can join the run.
    pub(super) fn steering(&self) -> Option<&Arc<SteeringInbox>> {
        self.settings.steering.as_ref()
    }

    /// Returns the run's timer.
    pub(crate) fn timer(&self) -> Option<&dyn Timer> {
        self.settings.timer.as_deref()
    }

    /// True if tracing spans may contain message content.
    pub(crate) fn records_content(&self) -> bool {
        self.settings.records_content
    }

    /// Records the code with which the agent is about to be dropped.
    #[cfg(feature = "server")]
    pub(crate) fn end_by(&self, code: &str) {
        self.ended_by.get_or_init(|| code.into());
    }

    /// Returns the code with which the run was ended from outside.
    pub(crate) fn ended_by(&self) -> Option<&str> {
        self.ended_by.get().map(|code| &**code)
    }

    /// True if calls run without the approval that their tools ask for.
    pub(crate) fn approves_calls(&self) -> bool {
        self.settings.approves_calls
    }

    /// Returns the memory limit for the run's untyped values.
    pub(crate) fn allowance(&self) -> &MemoryAllowance {
        &self.settings.allowance
    }

    /// Returns the private turns of the run's stored thread.
    #[cfg(feature = "model")]
    pub(crate) fn private_turns(&self) -> Option<&PrivateTurnLog> {
        self.settings.private_turns.as_deref()
    }

    /// True if the client sees every error's text.
    pub(crate) fn reveals_errors(&self) -> bool {
        self.settings.reveals_errors
    }

    pub(crate) fn request(&self) -> &RequestValues {
        &self.settings.request
    }

    pub(crate) fn consent(&self) -> &RunConsent {
        &self.consent
    }

    /// Counts an agent's requests or calls.
    pub(crate) fn count(&self, agent: SpanSlot, count: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        count(counts.entry(agent).or_default());
    }

    /// Returns an agent's counts.
    pub(crate) fn counts(&self, agent: SpanSlot) -> Counts {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(&agent).copied().unwrap_or_default()
    }

    /// Returns the run's resume entries, grouped by interrupting agent.
    pub(crate) fn resume_by_agent(&self) -> &ResumeByAgent {
        self.answers.get_or_init(|| ResumeByAgent::from_entries(self.input().resume()))
    }
}

impl Deref for RunShared {
    type Target = KernelHub;

    fn deref(&self) -> &KernelHub {
        &self.hub
    }
}

#[cfg(test)]
impl From<KernelHub> for RunShared {
    fn from(hub: KernelHub) -> Self {
        let consent = RunConsent::new(
            Default::default(),
            || crate::manifest::AgentSource::new("none"),
            Clock::silent(),
        );
        Self {
            hub,
            consent,
            settings: SharedSettings::default(),
            ended_by: OnceLock::new(),
            answers: OnceLock::new(),
            counts: Mutex::default(),
            #[cfg(feature = "model")]
            budgets: Mutex::default(),
        }
    }
}
