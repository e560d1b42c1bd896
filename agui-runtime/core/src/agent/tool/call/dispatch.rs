//! Concurrent calls: backend calls run side by side, frontend calls stay pending.

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};

use super::ready_call::ReadyToolCall;
use super::settled::{FrontendCall, SettleOutcome, SettledCall};
use crate::agent::Stop;
use crate::agent::tool::SettlingCall;

/// Results from [`Run::dispatch`](crate::Run::dispatch), each list in call order.
#[derive(Debug, Default)]
#[non_exhaustive]
#[must_use = "a call that waits for the user interface must be named by `Stop::await_frontend`"]
pub struct DispatchOutcome {
    /// Settled backend calls, with the content for the model.
    pub settled: Vec<SettledCall>,
    /// Pending frontend calls. If there are any, end the run: `return Err(Stop::await_frontend(done.pending))`.
    pub pending: Vec<FrontendCall>,
    /// The run's end, if a call needs approval or a tool ended the run: `return Err(stop)`. Stops from several calls are
    /// [joined](Stop::and).
    pub stop: Option<Stop>,
}

pub(crate) fn dispatch<'w, C: ReadyToolCall + 'w>(calls: Vec<C>) -> BoxFuture<'w, DispatchOutcome> {
    let mut settling = Vec::with_capacity(calls.len());
    // A loop, because the adapters of an iterator would be compiled for each agent.
    for call in calls {
        settling.push(call.settle());
    }
    settle_all(settling)
}

/// Settles calls side by side.
pub(crate) fn settle_all<'w>(calls: Vec<SettlingCall<'w>>) -> BoxFuture<'w, DispatchOutcome> {
    // The results stand in the order of the calls, whichever ends first.
    let mut settled: Vec<Option<SettleOutcome>> = calls.iter().map(|_| None).collect();
    let numbered = |(number, call): (usize, SettlingCall<'w>)| call.map(move |settled| (number, settled));
    let mut running: FuturesUnordered<_> = calls.into_iter().enumerate().map(numbered).collect();
    Box::pin(async move {
        while let Some((number, call)) = running.next().await {
            if let Some(place) = settled.get_mut(number) {
                *place = Some(call);
            }
        }
        joined(settled)
    })
}

fn joined(settled: Vec<Option<SettleOutcome>>) -> DispatchOutcome {
    let mut done = DispatchOutcome::default();
    for call in settled.into_iter().flatten() {
        match call {
            SettleOutcome::Settled(call) => done.settled.push(call),
            SettleOutcome::Pending(call) => done.pending.push(call),
            SettleOutcome::Stopped { stop, .. } => {
                done.stop = Some(match done.stop.take() {
                    Some(before) => before.and(stop),
                    None => stop,
                });
            }
        }
    }
    done
}
