//! A stream's tool calls, and the pending ones.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::OrderRule;
use super::error::{OrderRefusal, OrderVerdict};
use super::table::{IdMap, OpeningTime};
use crate::protocol::ToolCallId;

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct StreamCalls {
    known: IdMap<StreamCall>,
    pending: PendingOrder,
    made: CallCounter,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct StreamCall {
    stage: CallStage,
    frontend: bool,
    at: OpeningTime,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum CallStage {
    Open,
    Called,
    Settled,
}

/// The current run's calls without a result, in the order in which they were made. Equality compares the order, not the numbers.
#[derive(Debug, Clone, Default)]
struct PendingOrder(BTreeMap<u64, Arc<str>>);

impl PartialEq for PendingOrder {
    fn eq(&self, other: &Self) -> bool {
        self.0.values().eq(other.0.values())
    }
}

impl Eq for PendingOrder {}

impl Hash for PendingOrder {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.0.len());
        self.0.values().for_each(|id| id.hash(state));
    }
}

/// Numbers the calls; ignored by equality.
#[derive(Debug, Clone, Copy, Default)]
struct CallCounter(u64);

impl PartialEq for CallCounter {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for CallCounter {}

impl Hash for CallCounter {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl StreamCalls {
    pub(super) fn check_start(&self, id: &str) -> OrderVerdict {
        match self.known.get(id) {
            Some(StreamCall { stage: CallStage::Settled, .. }) => {
                Err(OrderRefusal::new(OrderRule::CallAfterResult))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check_result(&self, id: &str) -> OrderVerdict {
        let rule = match self.known.get(id) {
            None => OrderRule::ResultOfUnknownCall,
            Some(StreamCall { stage: CallStage::Open, .. }) => OrderRule::ResultBeforeEnd,
            Some(StreamCall { stage: CallStage::Settled, .. }) => OrderRule::SecondResult,
            Some(StreamCall { frontend: true, .. }) => OrderRule::ResultOfFrontendCall,
            Some(_) => return Ok(()),
        };
        Err(OrderRefusal::new(rule))
    }

    pub(super) fn check_pending(&self, named: &[ToolCallId]) -> OrderVerdict {
        if named.iter().map(ToolCallId::as_str).eq(self.pending.0.values().map(|id| &**id)) {
            return Ok(());
        }
        let expected: Vec<&str> = self.pending.0.values().map(|id| &**id).collect();
        Err(OrderRefusal::new(OrderRule::PendingCallsWrong).expected(format!("{expected:?}")))
    }

    pub(super) fn is_frontend(&self, id: &str) -> bool {
        self.known.get(id).is_some_and(|call| call.frontend)
    }

    pub(super) fn next_run(&mut self) {
        self.pending.0.clear();
        // A failed run leaves calls open, and no later event can end them.
        self.known.retain(|_, call| call.stage != CallStage::Open);
    }

    pub(super) fn start(&mut self, id: Arc<str>, frontend: bool) {
        let at = match self.known.get(&id) {
            Some(call) if self.pending.0.contains_key(&call.at.0) => call.at,
            _ => {
                self.made.0 += 1;
                OpeningTime(self.made.0)
            }
        };
        self.pending.0.insert(at.0, id.clone());
        self.known.insert(id, StreamCall { stage: CallStage::Open, frontend, at });
    }

    pub(super) fn end(&mut self, id: Option<&str>) {
        if let Some(call) = id.and_then(|id| self.known.get_mut(id)) {
            call.stage = CallStage::Called;
        }
    }

    pub(super) fn settle(&mut self, id: Option<&str>) {
        if let Some(call) = id.and_then(|id| self.known.get_mut(id)) {
            call.stage = CallStage::Settled;
            self.pending.0.remove(&call.at.0);
        }
    }

    /// Records a call in the conversation from before the run.
    pub(super) fn learn(&mut self, id: Arc<str>, frontend: bool) {
        self.known.entry(id).or_insert(StreamCall { stage: CallStage::Called, frontend, at: OpeningTime(0) });
    }

    /// Records a result in the conversation. A pending call stays pending: only this run's result event settles the call.
    pub(super) fn learn_result(&mut self, id: &str) {
        if let Some(call) = self.known.get_mut(id).filter(|call| !self.pending.0.contains_key(&call.at.0)) {
            call.stage = CallStage::Settled;
        }
    }
}
