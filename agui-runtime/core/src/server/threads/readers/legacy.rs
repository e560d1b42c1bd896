//! Thread events for a legacy client: threads are stored in the 1.0 form, whichever client began the run.

use serde::Serialize;

use super::copies::HeldCopy;
use crate::kernel::Peer;
use crate::protocol::any_json::allowance::MemoryAllowance;
use crate::protocol::{Event, NonNull, SubagentRunId};
use crate::server::limits::readers::ReaderSlots;
use crate::server::response::client_state::LegacyClientState;
use crate::server::response::rejection::Rejection;
use crate::server::threads::conversation::fold::FoldedThread;
use crate::server::threads::conversation::note::{NotedRun, ThreadNote};
use crate::server::threads::store::ServerThreads;
use crate::thread::{LogHead, ThreadKey};

/// The record after which conversion for a legacy client begins. It is earlier than the response if the client continues in the middle
/// of a run: step names, and the choice between delta and snapshot, depend on the events that the client has received.
#[derive(Default)]
pub(in crate::server::threads) struct LegacyStart {
    /// The record before the first converted one.
    pub(in crate::server::threads) after: u64,
    /// The state at this record, or the state that the client sent.
    pub(in crate::server::threads) state: Option<NonNull>,
    pub(in crate::server::threads) allowance: MemoryAllowance,
    /// The state's budget share; `None` for the client that began the run, which counts against the limits of runs.
    pub(in crate::server::threads) share: Option<StateShare>,
}

/// The budget share for a reader's state.
pub(in crate::server::threads) struct StateShare {
    held: HeldCopy,
    /// The size after which the state is measured again.
    next: usize,
}

/// A state's memory, as a multiple of the text length.
const PARSED: usize = 8;

/// The minimum growth in bytes before a state is measured again.
const GROWTH: usize = 1024 * 1024;

impl LegacyStart {
    /// Returns the start for a client that continues after a run's record.
    pub(in crate::server::threads) async fn after_record(
        run: &NotedRun,
        threads: &ServerThreads,
        key: &ThreadKey,
        (head, note): (&LogHead, &ThreadNote),
        cursor: u64,
    ) -> Result<Self, Rejection> {
        let _fold = threads.fold_for_reader(note).await?;
        // A run whose beginning is trimmed has only its end left, where nothing is open.
        let after = if run.first < head.first { cursor } else { run.first };
        let thread = FoldedThread::load_until(&threads.log, key, after).await?;
        let state = thread.state().cloned().and_then(NonNull::new);
        let share = Some(StateShare::reserve(&threads.readers, &state)?);
        Ok(Self { after, state, allowance: MemoryAllowance::default(), share })
    }
}

impl StateShare {
    /// Takes the share of a state, or refuses its reader.
    pub(in crate::server::threads) fn reserve(
        readers: &ReaderSlots,
        state: &impl Serialize,
    ) -> Result<Self, Rejection> {
        let bytes = memory(state);
        Ok(Self { held: readers.hold(bytes)?, next: grown(bytes) })
    }

    /// Takes the memory of a change, whose event has this length. Returns false if there is none left.
    fn change(&mut self, state: &LegacyClientState, event: usize) -> bool {
        if self.held.bytes() > self.next {
            self.measure(state);
        }
        let more = event.saturating_mul(PARSED);
        // All changes together may be more than the state that they leave.
        self.held.grow(more) || {
            self.measure(state);
            self.held.grow(more)
        }
    }

    fn measure(&mut self, state: &LegacyClientState) {
        // The state that the client sent is not read yet.
        let Some(document) = state.document() else { return };
        let bytes = memory(document);
        self.held.shrink(bytes);
        self.next = grown(bytes);
    }
}

fn grown(bytes: usize) -> usize {
    bytes.saturating_mul(2).max(GROWTH)
}

/// Returns a state's memory in bytes.
fn memory(state: &impl Serialize) -> usize {
    let text = serde_json::to_vec(state).unwrap_or_default();
    text.len().saturating_mul(PARSED)
}

/// The conversion for one response.
pub(in crate::server::threads) struct LegacyEvents {
    state: LegacyClientState,
    share: Option<StateShare>,
    steps: Vec<LegacyStep>,
}

/// An open step.
struct LegacyStep {
    author: Option<SubagentRunId>,
    name: String,
    /// The step name for a client that attributes all steps to one author.
    sent: String,
}

impl LegacyEvents {
    pub(in crate::server::threads) fn new(start: LegacyStart) -> Self {
        let LegacyStart { state, allowance, share, .. } = start;
        Self { state: LegacyClientState::new(state, allowance), share, steps: Vec::new() }
    }

    /// Takes memory for an event with `length` bytes. Returns false if the budget has too little left.
    pub(in crate::server::threads) fn hold(&mut self, event: &Event, length: usize) -> bool {
        let changes_state = event.event_type().changes_state();
        let Some(share) = self.share.as_mut().filter(|_| changes_state) else { return true };
        share.change(&self.state, length)
    }

    /// Returns the client's replacement for an event.
    pub(in crate::server::threads) fn convert(&mut self, mut event: Event) -> [Option<Event>; 2] {
        self.name_step(&mut event);
        if let Event::RunStarted(started) = &mut event {
            // These clients know no echo of an input, and no metadata.
            (started.input, started.metadata) = (None, None);
        }
        let Some(event) = Peer::Legacy.readable(event) else { return [None, None] };
        self.state.admit(event)
    }

    /// Gives steps by several authors different names while the steps are open.
    fn name_step(&mut self, event: &mut Event) {
        match event {
            Event::StepStarted(step) => {
                let mut sent = step.step_name.clone();
                let mut number = 1;
                while self.steps.iter().any(|open| open.sent == sent) {
                    number += 1;
                    sent = format!("{}#{number}", step.step_name);
                }
                let name = std::mem::replace(&mut step.step_name, sent.clone());
                self.steps.push(LegacyStep { author: step.subagent_run_id.clone(), name, sent });
            }
            Event::StepFinished(step) => {
                let is_it =
                    |open: &LegacyStep| open.author == step.subagent_run_id && open.name == step.step_name;
                if let Some(place) = self.steps.iter().position(is_it) {
                    step.step_name = self.steps.remove(place).sent;
                }
            }
            Event::RunStarted(_) => self.steps.clear(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::protocol::StateSnapshotEvent;
    use crate::server::limits::server_limits::Limits;

    #[test]
    fn states_that_replace_each_other_take_the_memory_of_one() {
        let readers = ReaderSlots::new(&Limits::default().reader_memory(16 * 1024 * 1024));
        let share = StateShare::reserve(&readers, &json!({})).unwrap();
        let mut events = LegacyEvents::new(LegacyStart { share: Some(share), ..LegacyStart::default() });
        // Nine of them take more than the limit.
        for number in 0..40 {
            let state = json!({ "number": number, "text": "x".repeat(250_000) });
            let event = Event::from(StateSnapshotEvent::new(state));
            assert!(events.hold(&event, 250_000), "state {number}");
            assert!(events.convert(event).iter().any(Option::is_some));
        }
        let _others = readers.hold(12 * 1024 * 1024).unwrap();
        let large = Event::from(StateSnapshotEvent::new(json!({})));
        assert!(!events.hold(&large, 1024 * 1024));
    }
}
