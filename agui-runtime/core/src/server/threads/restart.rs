//! Runs whose server was lost: runs of restartable agents go on here, all others end.

use std::collections::HashSet;
use std::sync::Arc;

use http::Request;

use super::conversation::claiming::{ClaimError, ClaimParameters};
use super::conversation::takeover::{RecoverError, RunTakeover, TakeoverVerdict, end_lost_run, take_over};
use super::pump::{ClaimedRun, RunPump};
use super::start::claim;
use super::store::{ServerThreads, new_epoch, nonce};
use crate::agent::DynAgent;
use crate::protocol::any_json::allowance::{MemoryAllowance, MemoryShare};
use crate::protocol::{RunAgentInput, ToolSide};
use crate::quoted::quoted;
use crate::server::mount::AgentOffer;
use crate::server::response::rejection::Rejection;
use crate::server::run::AgentEndpoint;
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

/// Restarts or ends a thread's lost run. Returns false if no such run exists any more.
pub(super) async fn recover(threads: &Arc<ServerThreads>, key: &ThreadKey) -> Result<bool, RecoveryFailure> {
    if threads.send_end(key, false) {
        return Ok(false);
    }
    let endpoint = match threads.endpoint(key.agent()) {
        // Its agent may be one that can be run again, on another server.
        Some(None) => return Err(RecoveryFailure::Busy),
        endpoint => endpoint.flatten(),
    };
    let backend = endpoint.as_ref().map(|endpoint| backend_tools(endpoint)).unwrap_or_default();
    if let Some(endpoint) = endpoint
        && let AgentOffer::One(agent) = &endpoint.offer
        && agent.restarts()
    {
        if threads.is_closing() {
            return Err(RecoveryFailure::Busy);
        }
        // The claim is made though the client that asks leaves, and a panic of the program's functions ends this task alone.
        let (threads, agent) = (Arc::clone(threads), Arc::clone(agent));
        let (endpoint, lost) = (Arc::clone(&endpoint), key.clone());
        let restarted = tokio::spawn(async move { restart(&threads, &endpoint, &agent, &lost).await });
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
    }
    Ok(is_ended)
}

/// Returns the names of the tools that the server runs.
fn backend_tools(endpoint: &AgentEndpoint) -> HashSet<String> {
    let AgentOffer::One(agent) = &endpoint.offer else { return HashSet::new() };
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
    endpoint: &AgentEndpoint,
    agent: &Arc<dyn DynAgent>,
    key: &ThreadKey,
) -> Result<RestartOutcome, RecoveryFailure> {
    let settings = &endpoint.settings;
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
    let slot = settings.run_slots.take(settings.run_slots.body(None));
    let slot = slot.and_then(|slot| slot.for_identity_now(owner));
    let slot = slot.map_err(|_: Rejection| RecoveryFailure::Busy)?;
    let RunTakeover { claiming, input, lost_calls, answered } = takeover;
    let claim = match claim(claiming, threads).await {
        Ok(claim) => claim,
        Err(ClaimError::Lost) => return Ok(RestartOutcome::IsNotLost),
        Err(error) => return Err(RecoverError::from(error).into()),
    };
    // There is no request: neither its headers nor the values of layers.
    let (mut parts, ()) = Request::new(()).into_parts();
    let options = settings.run_options(&parts).or(&settings.server_options(&mut parts, owner));
    let options = options.store_key(interrupt_key).lost_calls(lost_calls);
    let options = options.allowance(MemoryAllowance::new(Arc::clone(slot.body()) as Arc<dyn MemoryShare>));
    let (key, agent) = (key.clone(), Arc::clone(agent));
    // The maintenance finds the entry of its webhook.
    let begun = ClaimedRun { key, agent, input, answered, options, settings, slot, webhook: None };
    RunPump::new(threads, claim, begun).with_patience(threads.options.lease).spawn();
    Ok(RestartOutcome::GoesOn)
}
