//! The start of a run: the run claims the thread, and works in a task of its own.

use std::sync::Arc;

use super::conversation::claim::RunClaim;
use super::conversation::claiming::{ClaimAttempt, ClaimError, ClaimParameters};
use super::conversation::fold::FoldedThread;
use super::conversation::input::CompletedInput;
use super::epoch::{new_epoch, nonce};
use super::pump::{ClaimedRun, RunPump};
use super::readers::legacy::LegacyStart;
use super::readers::reader::thread_body;
use super::readers::slice::{EventFormat, ResponseEnd, ThreadPrelude, ThreadSlice};
use super::response::ThreadResponse;
use super::run_ends::ClaimingRun;
use super::store::ServerThreads;
use crate::agent::DynAgent;
use crate::consent::InterruptKey;
use crate::quoted::quoted;
use crate::server::request::ag_ui_input::AgUiInput;
use crate::server::response::ag_ui_reply::AgUiReply;
use crate::server::response::rejection::Rejection;
use crate::thread::ThreadKey;

/// A run that is about to claim the thread.
pub(super) struct RunStart {
    pub(super) threads: Arc<ServerThreads>,
    pub(super) key: ThreadKey,
    pub(super) agent: Arc<dyn DynAgent>,
    pub(super) request: String,
    pub(super) interrupt_key: InterruptKey,
    /// The URL that receives the run's end.
    pub(super) webhook: Option<String>,
}

/// The outcome of a claim.
pub(super) enum StartOutcome {
    Response(Result<ThreadResponse, Rejection>),
    /// Another run was faster.
    Lost(Box<AgUiInput>),
}

impl RunStart {
    /// Claims the thread, runs the agent in a separate task, and responds with the events.
    pub(super) async fn begin(
        self,
        thread: FoldedThread,
        filled: CompletedInput,
        input: AgUiInput,
    ) -> StartOutcome {
        let threads = &self.threads;
        // Written before the claim: a run that began has its entry, whatever is lost then.
        let run = ClaimingRun { thread: &self.key, id: &filled.input.run_id, place: thread.seq };
        let expected = match threads.expect_end(run, self.webhook.clone()).await {
            Ok(expected) => expected,
            Err(error) => return StartOutcome::Response(Err(error.into())),
        };
        let claimant = ClaimParameters {
            request: self.request.clone(),
            nonce: nonce(),
            new_epoch: new_epoch(),
            lease: threads.options.lease,
            restarts: self.agent.restarts(),
        };
        let (log, key) = (Arc::clone(&threads.log), self.key.clone());
        let claiming = ClaimAttempt::new(log, key, &thread, &filled, claimant);
        let claimed = match claiming {
            Ok(claiming) => claim(claiming, threads).await,
            Err(error) => Err(error),
        };
        match claimed {
            Ok(claim) => {
                let end_entry = threads.hold_end(expected).await;
                StartOutcome::Response(Ok(self.run(claim, filled, input, thread.seq, end_entry)))
            }
            Err(ClaimError::Lost) => StartOutcome::Lost(Box::new(input)),
            Err(error) => StartOutcome::Response(Err(error.into())),
        }
    }

    fn run(
        self,
        claim: RunClaim,
        filled: CompletedInput,
        input: AgUiInput,
        before: u64,
        end_entry: Option<ThreadKey>,
    ) -> ThreadResponse {
        let Self { threads, key, agent, interrupt_key, .. } = self;
        let run = filled.input.run_id.clone();
        let AgUiInput { options, server, reply, .. } = input;
        let AgUiReply { settings, slot, allowance, .. } = reply;
        let options = options.or(&server).store_key(interrupt_key);
        let peer = options.chosen_peer().unwrap_or(reply.peer);
        let format = EventFormat { peer, encoding: reply.encoding, serial: settings.serial };
        // The limits of the run bound its state.
        let legacy_start =
            LegacyStart { after: before, state: filled.input.state.clone(), allowance, share: None };
        let part = ThreadSlice {
            key: key.clone(),
            prelude: ThreadPrelude::none(),
            after: before,
            until: ResponseEnd::RunEnd(before + 1),
            run: run.clone(),
            read_run: run,
            epochs: claim.epochs(),
            legacy_start,
            reader: None,
        };
        let CompletedInput { input, resumed, private, .. } = filled;
        let begun = ClaimedRun {
            key,
            agent,
            input,
            resumed,
            steered: Vec::new(),
            private,
            options,
            bounds: settings.run_bounds(),
            slot,
            end_entry,
        };
        let pump = RunPump::new(&threads, claim, begun);
        let span = pump.span().clone();
        // The client counts as a reader before the run can end because it has none.
        let events = thread_body(&threads, part, format);
        pump.spawn();
        ThreadResponse { span, ..ThreadResponse::new(events, format, settings) }
    }
}

/// Claims the thread, with retries while the store does not confirm the claim, until another server may end the run.
pub(super) async fn claim(
    mut claiming: ClaimAttempt,
    threads: &ServerThreads,
) -> Result<RunClaim, ClaimError> {
    let mut backoff = threads.backoff();
    loop {
        match claiming.attempt().await {
            Err(ClaimError::Unknown(error)) => {
                tracing::warn!(error = %quoted(&error), "the thread log is unavailable: the claim waits");
                if !backoff.wait().await {
                    return Err(ClaimError::Unknown(error));
                }
            }
            attempted => return attempted.map(|()| claiming.into_claim(&threads.live)),
        }
    }
}
