//! Runs whose server was lost: runs of restartable agents go on here, all others end.

use std::collections::HashSet;
use std::sync::Arc;

use super::conversation::claiming::{ClaimError, ClaimParameters};
use super::conversation::note::ThreadNote;
use super::conversation::takeover::{RecoverError, RunTakeover, TakeoverVerdict, end_lost_run, take_over};
use super::epoch::{new_epoch, nonce};
use super::pump::{ClaimedRun, RunPump};
use super::run_ends::is_entry;
use super::run_start::claim;
use super::store::ServerThreads;
use crate::agent::{DynAgent, RunOptions};
use crate::protocol::any_json::allowance::{MemoryAllowance, MemoryShare};
use crate::protocol::{RunAgentInput, ToolSide};
use crate::quoted::quoted;
use crate::server::limits::bounded::RunBounds;
use crate::server::limits::run_slots::RunSlot;
use crate::server::response::rejection::Rejection;
use crate::thread::ThreadKey;

/// A lost run that is still lost.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecoveryFailure {
    #[error(transparent)]
    Recover(#[from] RecoverError),
    #[error("the key of the store cannot be read: {0}")]
    Key(#[from] crate::thread::LogError),
    #[error("the run cannot be begun again: a function of the program panicked")]
    Panicked,
    /// Another server can run the agent, or this server later.
    #[error("this server has reached its limit of runs")]
    Busy,
}

/// An agent whose lost runs this server may restart. The route that serves the agent implements this trait.
pub(in crate::server) trait RestartableAgent: Send + Sync {
    /// Returns the agent; `None` if each request has an agent of its own.
    fn agent(&self) -> Option<&Arc<dyn DynAgent>>;

    /// Takes a slot for a run that no request asks for.
    fn slot(&self, owner: Option<&str>) -> Result<RunSlot, Rejection>;

    /// Returns the options of a run that no request asks for.
    fn options(&self, owner: Option<&str>) -> RunOptions;

    /// Returns the run's bounds.
    fn bounds(&self) -> RunBounds;
}

/// Restarts or ends a thread's lost run. Returns false if no such run exists any more.
pub(super) async fn recover(threads: &Arc<ServerThreads>, key: &ThreadKey) -> Result<bool, RecoveryFailure> {
    if is_entry(key) {
        threads.send_end(key.clone(), false);
        return Ok(false);
    }
    let endpoint = match threads.endpoint(key.agent()) {
        // Its agent may be one that can be run again, on another server.
        Some(None) => return Err(RecoveryFailure::Busy),
        endpoint => endpoint.flatten(),
    };
    let agent = endpoint.as_ref().and_then(|endpoint| endpoint.agent());
    let backend = agent.map(|agent| backend_tools(&**agent)).unwrap_or_default();
    if let (Some(endpoint), Some(agent)) = (&endpoint, agent)
        && agent.restarts()
    {
        if threads.is_closing() {
            return Err(RecoveryFailure::Busy);
        }
        // The claim is made though the client that asks leaves, and a panic of the program's functions ends this task alone.
        let (threads, agent) = (Arc::clone(threads), Arc::clone(agent));
        let (endpoint, lost) = (Arc::clone(endpoint), key.clone());
        let restarted = tokio::spawn(async move { restart(&threads, &*endpoint, &agent, &lost).await });
        match restarted.await.map_err(|_| RecoveryFailure::Panicked)?? {
            RestartOutcome::GoesOn => {
                tracing::warn!(thread = %quoted(key.thread()), "a run whose server was lost goes on here");
                return Ok(true);
            }
            RestartOutcome::IsNotLost => return Ok(false),
            RestartOutcome::Ends => {}
        }
    }
    let is_ended =
        end_lost_run(&threads.log, key, nonce(), new_epoch(), |tool| backend.contains(tool)).await?;
    if is_ended {
        tracing::warn!(thread = %quoted(key.thread()), "a run ended because its server was lost");
        if let Ok(note) = threads.log.head(key).await.and_then(|head| ThreadNote::read(&head.note)) {
            threads.write_title(key, &note);
        }
    }
    Ok(is_ended)
}

/// Returns the names of the tools that the server runs.
fn backend_tools(agent: &dyn DynAgent) -> HashSet<String> {
    let tools = agent.describe().tools.into_iter();
    tools.filter(|tool| tool.side == ToolSide::Backend).map(|tool| tool.name.to_string()).collect()
}

/// The outcome of an attempt to restart a lost run.
enum RestartOutcome {
    GoesOn,
    /// The owner came back, or another server was faster.
    IsNotLost,
    Ends,
}

async fn restart(
    threads: &Arc<ServerThreads>,
    endpoint: &dyn RestartableAgent,
    agent: &Arc<dyn DynAgent>,
    key: &ThreadKey,
) -> Result<RestartOutcome, RecoveryFailure> {
    let interrupt_key = threads.interrupt_key().await?;
    let owner = Some(key.owner()).filter(|owner| !owner.is_empty());
    let claimant = ClaimParameters {
        request: String::new(),
        nonce: nonce(),
        new_epoch: new_epoch(),
        lease: threads.options.lease,
        restarts: true,
    };
    let tools = agent.describe().tools;
    let is_of_client = |input: &RunAgentInput, name: &str| {
        let declared = tools.iter().find(|tool| tool.name == name);
        declared.map_or_else(
            || input.tools().iter().any(|tool| tool.name == name),
            |tool| tool.side == ToolSide::Frontend,
        )
    };
    let takeover = match take_over(&threads.log, key, claimant, is_of_client).await? {
        TakeoverVerdict::Takeover(takeover) => *takeover,
        TakeoverVerdict::IsNotLost => return Ok(RestartOutcome::IsNotLost),
        TakeoverVerdict::Ends => return Ok(RestartOutcome::Ends),
    };
    let slot = endpoint.slot(owner).map_err(|_: Rejection| RecoveryFailure::Busy)?;
    let RunTakeover { claiming, input, lost_calls, resumed, steered, private } = takeover;
    let claim = match claim(claiming, threads).await {
        Ok(claim) => claim,
        Err(ClaimError::Lost) => return Ok(RestartOutcome::IsNotLost),
        Err(error) => return Err(RecoverError::from(error).into()),
    };
    let options = endpoint.options(owner).store_key(interrupt_key).lost_calls(lost_calls);
    let options = options.allowance(MemoryAllowance::new(Arc::clone(slot.body()) as Arc<dyn MemoryShare>));
    let (key, agent) = (key.clone(), Arc::clone(agent));
    // The maintenance finds the entry of its webhook.
    let begun = ClaimedRun {
        key,
        agent,
        input,
        resumed,
        steered,
        private,
        options,
        bounds: endpoint.bounds(),
        slot,
        end_entry: None,
    };
    RunPump::new(threads, claim, begun).with_patience(threads.options.lease).spawn();
    Ok(RestartOutcome::GoesOn)
}
