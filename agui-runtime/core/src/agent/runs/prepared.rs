//! A run before its agent is called: compiled once, not for each agent.

use std::sync::Arc;

use super::recorder::RunRecording;
use crate::agent::inputs::untyped_input::UntypedInput;
use crate::agent::interrupts::repeated_results;
use crate::agent::{RunOptions, Stop, check_resume_entries};
use crate::consent::{ResumedError, RunConsent};
use crate::emit::{RunShared, SharedSettings, StateOptions};
use crate::kernel::{EventFields, Ids, Peer, WriteFields};
use crate::manifest::AgentSource;
use crate::protocol::RunAgentInput;

/// A run without its agent.
pub(in crate::agent) struct PreparedRun {
    pub(in crate::agent) shared: Arc<RunShared>,
    /// Common event fields for RUN_STARTED.
    pub(in crate::agent) fields: WriteFields,
    /// True if the client holds results that repeat resume entries: the conversation is restated without them.
    pub(in crate::agent) repeats: bool,
    pub(in crate::agent) sent: UncheckedInput,
    pub(in crate::agent) state: StateOptions,
}

/// The input, before resume entries are checked.
pub(in crate::agent) struct UncheckedInput {
    pub(in crate::agent) input: Arc<RunAgentInput>,
    /// The error if a resume entry is not valid.
    admitted: Result<(), Box<ResumedError>>,
}

impl PreparedRun {
    pub(in crate::agent) fn new(
        mut input: RunAgentInput,
        options: RunOptions,
        source: fn() -> AgentSource,
    ) -> (Self, Option<RunRecording>) {
        #[cfg(feature = "server")]
        crate::stderr_log::begin_if_due();
        let ids = options.ids.unwrap_or_else(|| Ids::random(&input));
        let peer = options.peer.unwrap_or_else(|| Peer::from_input(&input));
        let (consent, admitted) = RunConsent::admit(options.proof, source, &mut input, options.clock.clone());
        let consent = consent.with_lost_calls(options.lost_calls);
        let repeats = repeated_results::remove_repeated_results(&mut input, &consent);
        let input = Arc::new(input);
        let settings = SharedSettings {
            request: options.request,
            timer: options.timer.0,
            written: options.written,
            steering: options.steering,
            allowance: options.allowance,
            reveals_errors: options.reveal_errors == Some(true),
            records_content: options.record_content == Some(true),
            approves_calls: options.calls_approved,
            #[cfg(any(feature = "model", feature = "server"))]
            private_turns: options.private_turns,
        };
        let (room, clock) = (options.room, options.clock);
        let shared = RunShared::new(Arc::clone(&input), consent, room, ids, clock, peer, settings);
        // Metadata is of 1.0.
        let trace = options.trace.filter(|_| peer != Peer::Legacy);
        let fields = trace.map(|trace| Box::new(EventFields::new().with_metadata(trace.to_metadata())));
        let sent = UncheckedInput { input, admitted: admitted.map_err(Box::new) };
        (Self { shared, fields, repeats, sent, state: options.state }, options.recording)
    }
}

/// Checks an input's resume entries, and uses none up.
#[cfg(feature = "signed-interrupts")]
pub(in crate::agent) fn check_sent_entries(
    input: RunAgentInput,
    mut options: RunOptions,
    source: fn() -> AgentSource,
) -> Result<(), ResumedError> {
    options.recording = None;
    let (PreparedRun { shared, sent, .. }, _) = PreparedRun::new(input, options.repeatable_entries(), source);
    sent.admitted.map_err(|error| *error)?;
    check_resume_entries(&UntypedInput::new(sent.input, shared, String::new()), source)
}

impl UncheckedInput {
    /// Checks the resume entries, and uses them up.
    pub(in crate::agent) fn check(
        self,
        shared: &Arc<RunShared>,
        source: fn() -> AgentSource,
    ) -> Result<UntypedInput, Stop> {
        self.admitted.map_err(|error| *error)?;
        let input = UntypedInput::new(self.input, Arc::clone(shared), String::new());
        check_resume_entries(&input, source)?;
        shared.consent().use_up()?;
        Ok(input)
    }
}
