//! A stream's tool calls, and the pending ones.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::OrderRule;
use super::error::{Refusal, Verdict};
use super::table::{ById, Opened};
use crate::protocol::ToolCallId;

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Calls {
    known: ById<Call>,
    pending: InOrder,
    made: Count,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Call {
    stage: Stage,
    frontend: bool,
    at: Opened,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stage {
    Open,
    Called,
    Answered,
}

/// The current run's calls without a result, in the order in which they were made. Equality compares the order, not the numbers.
#[derive(Debug, Clone, Default)]
struct InOrder(BTreeMap<u64, Arc<str>>);

impl PartialEq for InOrder {
    fn eq(&self, other: &Self) -> bool {
        self.0.values().eq(other.0.values())
    }
}

impl Eq for InOrder {}

impl Hash for InOrder {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.0.len());
        self.0.values().for_each(|id| id.hash(state));
    }
}

/// Numbers the calls; ignored by equality.
#[derive(Debug, Clone, Copy, Default)]
struct Count(u64);

impl PartialEq for Count {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Count {}

impl Hash for Count {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Calls {
    pub(super) fn check_start(&self, id: &str) -> Verdict {
        match self.known.get(id) {
            Some(Call { stage: Stage::Answered, .. }) => Err(Refusal::new(OrderRule::CallAfterResult)),
            _ => Ok(()),
        }
    }

    pub(super) fn check_result(&self, id: &str) -> Verdict {
        let rule = match self.known.get(id) {
            None => OrderRule::ResultOfUnknownCall,
            Some(Call { stage: Stage::Open, .. }) => OrderRule::ResultBeforeEnd,
            Some(Call { stage: Stage::Answered, .. }) => OrderRule::SecondResult,
            Some(Call { frontend: true, .. }) => OrderRule::ResultOfFrontendCall,
            Some(_) => return Ok(()),
        };
        Err(Refusal::new(rule))
    }

    pub(super) fn check_pending(&self, named: &[ToolCallId]) -> Verdict {
        if named.iter().map(ToolCallId::as_str).eq(self.pending.0.values().map(|id| &**id)) {
            return Ok(());
        }
        let expected: Vec<&str> = self.pending.0.values().map(|id| &**id).collect();
        Err(Refusal::new(OrderRule::PendingCallsWrong).expected(format!("{expected:?}")))
    }

    pub(super) fn is_frontend(&self, id: &str) -> bool {
        self.known.get(id).is_some_and(|call| call.frontend)
    }

    pub(super) fn next_run(&mut self) {
        self.pending.0.clear();
        // A failed run leaves calls open, and no later event can end them.
        self.known.retain(|_, call| call.stage != Stage::Open);
    }

    pub(super) fn start(&mut self, id: Arc<str>, frontend: bool) {
        let at = match self.known.get(&id) {
            Some(call) if self.pending.0.contains_key(&call.at.0) => call.at,
            _ => {
                self.made.0 += 1;
                Opened(self.made.0)
            }
        };
        self.pending.0.insert(at.0, id.clone());
        self.known.insert(id, Call { stage: Stage::Open, frontend, at });
    }

    pub(super) fn end(&mut self, id: Option<&str>) {
        if let Some(call) = id.and_then(|id| self.known.get_mut(id)) {
            call.stage = Stage::Called;
        }
    }

    pub(super) fn answer(&mut self, id: Option<&str>) {
        if let Some(call) = id.and_then(|id| self.known.get_mut(id)) {
            call.stage = Stage::Answered;
            self.pending.0.remove(&call.at.0);
        }
    }

    /// Records a call in the conversation from before the run.
    pub(super) fn learn(&mut self, id: Arc<str>, frontend: bool) {
        self.known.entry(id).or_insert(Call { stage: Stage::Called, frontend, at: Opened(0) });
    }

    /// Records a result in the conversation. A pending call stays pending: only this run's result event settles the call.
    pub(super) fn learn_answer(&mut self, id: &str) {
        if let Some(call) = self.known.get_mut(id).filter(|call| !self.pending.0.contains_key(&call.at.0)) {
            call.stage = Stage::Answered;
        }
    }
}
