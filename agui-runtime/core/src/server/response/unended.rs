//! Streams for a legacy client: open spans end before RUN_ERROR.
//!
//! When a page loads a thread, CopilotKit, which still has a legacy client, replays END for open spans after RUN_ERROR, and the
//! client then refuses the whole thread. A run in this crate ends its own spans. But RUN_ERROR has other sources too: a handler's
//! stream, a server that ends a run, an event that the encoding cannot express. So the last stage before the bytes tracks the open
//! spans.

use futures_util::{Stream, StreamExt, stream};

use crate::kernel::Peer;
use crate::order::{OpenSpan, OrderVerifier};
use crate::protocol::{Event, EventEffect};

/// One client's open spans.
#[derive(Debug)]
pub(super) struct ClientOpenSpans {
    /// `None` for a client that accepts errors at any time.
    sent: Option<OrderVerifier>,
}

impl ClientOpenSpans {
    pub(in crate::server) fn new(peer: Peer) -> Self {
        Self { sent: (peer == Peer::Legacy).then(OrderVerifier::new) }
    }

    /// Returns the END events that belong before an event: before RUN_ERROR for all open spans, newest first.
    pub(super) fn ends_before(&self, event: &Event) -> Vec<Event> {
        match &self.sent {
            Some(sent) if event.event_type().effect() == EventEffect::FailRun => {
                sent.open().into_iter().rev().filter_map(OpenSpan::closing).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Records a sent event. An event out of order, which only a handler's own stream has, opens and ends nothing.
    pub(super) fn track(&mut self, event: &Event) {
        if let Some(sent) = &mut self.sent {
            sent.check(event).ok();
        }
    }
}

/// Returns a stream in which no span is open at RUN_ERROR.
pub(in crate::server) fn with_span_ends(
    events: impl Stream<Item = Event>,
    peer: Peer,
) -> impl Stream<Item = Event> {
    let mut unended = ClientOpenSpans::new(peer);
    events.flat_map(move |event| {
        let mut due = unended.ends_before(&event);
        unended.track(&event);
        due.push(event);
        stream::iter(due)
    })
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::protocol::{
        ReasoningMessageStartEvent, ReasoningStartEvent, RunErrorEvent, RunStartedEvent, StepStartedEvent,
        SubagentStartedEvent, TextMessageEndEvent, TextMessageStartEvent, ToolCallEndEvent,
        ToolCallStartEvent,
    };

    fn everything_open() -> Vec<Event> {
        vec![
            RunStartedEvent::new("t", "r").into(),
            StepStartedEvent::new("plan").into(),
            SubagentStartedEvent::new("sub", "reader").into(),
            StepStartedEvent::new("plan").with_subagent_run_id("sub").into(),
            ReasoningStartEvent::new("m").into(),
            ReasoningMessageStartEvent::new("m").into(),
            TextMessageStartEvent::new("m").into(),
            ToolCallStartEvent::new("c", "price").with_parent_message_id("m").into(),
            TextMessageStartEvent::new("n").with_subagent_run_id("sub").into(),
            RunErrorEvent::new("no rice").into(),
        ]
    }

    fn sent(events: Vec<Event>, peer: Peer) -> Vec<Event> {
        futures::executor::block_on(with_span_ends(stream::iter(events), peer).collect())
    }

    #[test]
    fn everything_that_is_open_ends_before_the_error_newest_first() {
        let events = sent(everything_open(), Peer::Legacy);
        let mut ends = String::new();
        for event in &events[9..] {
            let tag = event.subagent_run_id().map(ToString::to_string).unwrap_or_default();
            writeln!(ends, "{} {} {tag}", event.event_type(), event.scope_id().unwrap_or_default()).unwrap();
        }
        assert_eq!(
            ends,
            "TEXT_MESSAGE_END n sub\n\
             TOOL_CALL_END c \n\
             TEXT_MESSAGE_END m \n\
             REASONING_MESSAGE_END m \n\
             REASONING_END m \n\
             STEP_FINISHED plan sub\n\
             SUBAGENT_ERROR sub sub\n\
             STEP_FINISHED plan \n\
             RUN_ERROR  \n"
        );
        let mut verifier = OrderVerifier::new();
        for event in &events {
            assert!(event.event_type().effect() != EventEffect::FailRun || verifier.open().is_empty());
            verifier.check(event).unwrap();
        }
    }

    #[test]
    fn a_client_of_1_0_gets_only_the_error() {
        assert_eq!(sent(everything_open(), Peer::CURRENT), everything_open());
    }

    #[test]
    fn ended_spans_and_events_out_of_order_are_not_ended_again() {
        let events: Vec<Event> = vec![
            TextMessageStartEvent::new("before the run").into(),
            RunStartedEvent::new("t", "r").into(),
            TextMessageStartEvent::new("m").into(),
            TextMessageStartEvent::new("m").into(),
            TextMessageEndEvent::new("m").into(),
            TextMessageEndEvent::new("m").into(),
            ToolCallEndEvent::new("never opened").into(),
            RunErrorEvent::new("no rice").into(),
            RunErrorEvent::new("again").into(),
        ];
        assert_eq!(sent(events.clone(), Peer::Legacy), events);
    }
}
