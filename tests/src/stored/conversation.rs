//! All records of a thread, judged.

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::order::OrderVerifier;
use agui_runtime::protocol::{Event, Interrupt, Message, RunFinishedOutcome};
use agui_runtime::receive::{FrameIntake, ReceivePipeline};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;

/// A record that no client sees.
#[derive(Debug, Deserialize)]
#[serde(tag = "control", rename_all = "snake_case")]
enum Control {
    Claimed {
        run: String,
        #[serde(default)]
        answers: Vec<String>,
    },
    CancelAsked {
        run: String,
    },
    ReadersAsked {},
    ReaderFound {},
    NoteChanged {},
    Private {},
    Snapshot {
        events: Vec<Value>,
        #[serde(default)]
        asked: Vec<Interrupt>,
    },
}

/// A call of a tool.
#[derive(Debug)]
pub struct Called {
    pub run: String,
    /// True if its arguments are whole.
    pub is_complete: bool,
    /// The number of servers that went on with the run while the call was complete and had no result.
    pub takeovers: usize,
    pub result: Option<String>,
}

/// A thread from its first record on, which is a legal conversation.
#[derive(Debug, Default)]
pub struct Conversation {
    /// The events with the numbers and the text of their records.
    events: Vec<(u64, Bytes, Event)>,
    /// The questions that are open.
    pub asked: BTreeSet<String>,
    /// The questions whose answers a claim has used up, with its run.
    pub consumed: BTreeMap<String, String>,
    /// The calls that open questions are about, by the ids of the questions.
    about: BTreeMap<String, String>,
    /// The calls whose questions the run answers that goes on.
    answering: Vec<String>,
    /// The ids of the runs, in order.
    pub runs: Vec<String>,
    /// The runs that ended because their server was lost.
    pub lost: BTreeSet<String>,
    /// The runs that ended with a result.
    pub succeeded: BTreeSet<String>,
    /// The runs that began a text or a call after their claim.
    pub spoke: BTreeSet<String>,
    /// The runs that were cancelled, and those that were asked to stop.
    pub cancelled: BTreeSet<String>,
    pub stopped: BTreeSet<String>,
    /// The calls of agents that are no subagents, by their ids.
    pub calls: BTreeMap<String, Called>,
    claims: BTreeMap<String, usize>,
    verifier: OrderVerifier,
}

impl Conversation {
    /// Reads the records of a thread. Fails on one that does not follow from those before it, and on a question that is
    /// answered though it is not open.
    pub fn read(records: &[(u64, Bytes)]) -> Result<Self, String> {
        let mut read = Self::default();
        let mut intake = FrameIntake::new();
        for (seq, record) in records {
            read.take(*seq, record, &mut intake)
                .map_err(|error| format!("record {seq}: {error}\n{}", written(records)))?;
        }
        Ok(read)
    }

    fn take(&mut self, seq: u64, record: &Bytes, intake: &mut FrameIntake) -> Result<(), String> {
        if !record.starts_with(br#"{"control""#) {
            let text = std::str::from_utf8(record).map_err(|error| error.to_string())?;
            let event = intake.text(text, &mut |_| {}).map_err(|error| error.to_string())?;
            return self.add(seq, record, event.ok_or("an unknown event")?);
        }
        match serde_json::from_slice(record).map_err(|error| error.to_string())? {
            Control::Claimed { run, answers } => {
                *self.claims.entry(run.clone()).or_default() += 1;
                let is_left =
                    |call: &&mut Called| call.run == run && call.is_complete && call.result.is_none();
                self.calls.values_mut().filter(is_left).for_each(|call| call.takeovers += 1);
                // An answer may have the id of the run that asked.
                if !answers.is_empty() {
                    self.spoke.remove(&run);
                    self.answering = answers.iter().filter_map(|id| self.about.remove(id)).collect();
                }
                for id in answers {
                    if !self.asked.remove(&id) {
                        return Err(format!("run {run} answers {id}, which is not open"));
                    }
                    self.consumed.insert(id, run.clone());
                }
            }
            Control::CancelAsked { run } => drop(self.stopped.insert(run)),
            Control::ReadersAsked {}
            | Control::ReaderFound {}
            | Control::NoteChanged {}
            | Control::Private {} => {}
            Control::Snapshot { events, asked } => {
                for event in events {
                    let event = serde_json::from_value(event).map_err(|error| error.to_string())?;
                    self.add(seq, record, event)?;
                }
                self.asked = asked.iter().map(|asked| asked.id.to_string()).collect();
            }
        }
        Ok(())
    }

    fn add(&mut self, seq: u64, record: &Bytes, event: Event) -> Result<(), String> {
        self.verifier.check(&event).map_err(|error| error.to_string())?;
        match &event {
            Event::RunStarted(started) => {
                let run = started.run_id.to_string();
                // An answer may have the id of the run that asked.
                self.succeeded.remove(&run);
                self.runs.push(run);
            }
            Event::RunFinished(finished) => {
                let ended = match &finished.outcome {
                    Some(RunFinishedOutcome::Cancelled(_)) => &mut self.cancelled,
                    _ => &mut self.succeeded,
                };
                ended.extend(self.runs.last().cloned());
                let asked = match &finished.outcome {
                    Some(RunFinishedOutcome::Interrupt(outcome)) => &*outcome.interrupts,
                    Some(RunFinishedOutcome::Cancelled(_)) => {
                        self.has_results()?;
                        &[]
                    }
                    _ => &[],
                };
                self.asked = asked.iter().map(|asked| asked.id.to_string()).collect();
                let about = |asked: &Interrupt| {
                    Some((asked.id.to_string(), asked.tool_call_id.as_ref()?.to_string()))
                };
                self.about = asked.iter().filter_map(about).collect();
                self.answering.clear();
            }
            Event::RunError(error) => {
                self.has_results()?;
                self.answering.clear();
                if error.code.as_deref() == Some("node_lost") {
                    self.lost.extend(self.runs.last().cloned());
                    self.has_results_of_lost()?;
                }
            }
            Event::TextMessageStart(text) if text.subagent_run_id.is_none() => {
                self.spoke.extend(self.runs.last().cloned());
            }
            Event::ToolCallStart(call) if call.subagent_run_id.is_none() => {
                let run = self.runs.last().cloned().unwrap_or_default();
                self.spoke.insert(run.clone());
                let called = Called { run, is_complete: false, takeovers: 0, result: None };
                self.calls.insert(call.tool_call_id.to_string(), called);
            }
            Event::ToolCallEnd(end) => {
                if let Some(call) = self.calls.get_mut(end.tool_call_id.as_str()) {
                    call.is_complete = true;
                }
            }
            Event::ToolCallResult(result) => {
                if let Some(call) = self.calls.get_mut(result.tool_call_id.as_str()) {
                    call.result = Some(result.content.text().into_owned());
                }
            }
            _ => {}
        }
        self.events.push((seq, record.clone(), event));
        Ok(())
    }

    /// Fails if a call has no result whose question was answered: providers of models refuse such a history.
    fn has_results(&self) -> Result<(), String> {
        let is_open = |call: &&String| self.calls.get(*call).is_none_or(|called| called.result.is_none());
        match self.answering.iter().find(is_open) {
            Some(call) => Err(format!("the answered call {call} has no result")),
            None => Ok(()),
        }
    }

    /// Fails if a call of the last run has no result, which no server goes on with: all tools of these agents run at the server.
    fn has_results_of_lost(&self) -> Result<(), String> {
        let is_open = |called: &Called| self.runs.last() == Some(&called.run) && called.result.is_none();
        match self.calls.iter().find(|(_, called)| is_open(called)) {
            Some((call, called)) => {
                Err(format!("the call {call} of the lost run {} has no result", called.run))
            }
            None => Ok(()),
        }
    }

    /// Returns the number of times that a run went on at another server.
    pub fn restarts(&self, run: &str) -> usize {
        let claims = self.claims.get(run).copied().unwrap_or_default();
        // The first began it, and the last may have ended it.
        claims.saturating_sub(1 + usize::from(self.lost.contains(run)))
    }

    /// Fails if a run ended because its server was lost, though it could go on.
    pub fn goes_on(&self) -> Result<(), String> {
        match self.lost.iter().find(|run| self.restarts(run) < 3 && !self.stopped.contains(*run)) {
            Some(run) => Err(format!("the run {run} was ended after {} restarts", self.restarts(run))),
            None => Ok(()),
        }
    }

    /// Fails if the last run has not ended.
    pub fn has_ended(&self) -> Result<(), String> {
        match self.events.last() {
            None => Ok(()),
            Some((.., Event::RunFinished(_) | Event::RunError(_))) => {
                self.verifier.end().map_err(|error| error.to_string())
            }
            Some((.., other)) => Err(format!("the last event is {other:?}")),
        }
    }

    /// Returns the text of the event with a number.
    pub(super) fn event(&self, seq: u64) -> Option<&Bytes> {
        let at = self.events.partition_point(|(known, ..)| *known < seq);
        self.events.get(at).filter(|(known, ..)| *known == seq).map(|(_, text, _)| text)
    }

    /// Returns the number of the first event after a record.
    pub(super) fn next(&self, seq: u64) -> Option<u64> {
        let at = self.events.partition_point(|(known, ..)| *known <= seq);
        self.events.get(at).map(|(seq, ..)| *seq)
    }

    /// Returns messages and state of a client that knows the events up to a number.
    pub fn folded(&self, upto: u64) -> (Vec<Message>, Value) {
        let known = self.events.iter().take_while(|(seq, ..)| *seq <= upto);
        try_fold(known.map(|(.., event)| event.clone())).unwrap()
    }

    /// Returns messages and state at the end.
    pub fn whole(&self) -> (Vec<Message>, Value) {
        self.folded(u64::MAX)
    }

    /// Returns the events in JSON, for other judges.
    pub fn to_json(&self) -> Vec<Value> {
        self.events().map(|event| serde_json::to_value(event).unwrap()).collect()
    }

    /// Returns the events.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().map(|(.., event)| event)
    }
}

/// Returns messages and state after events.
pub(super) fn try_fold(events: impl IntoIterator<Item = Event>) -> Result<(Vec<Message>, Value), String> {
    let mut pipeline = ReceivePipeline::new();
    for event in events {
        let kind = event.event_type();
        pipeline.receive(event, |_, _, _| {}).map_err(|error| format!("{error} at {kind:?}"))?;
    }
    Ok(pipeline.into_reducer().into_parts())
}

/// Returns the records, line by line.
pub fn written(records: &[(u64, Bytes)]) -> String {
    let line = |(seq, record): &(u64, Bytes)| format!("{seq} {}\n", String::from_utf8_lossy(record));
    records.iter().map(line).collect()
}
