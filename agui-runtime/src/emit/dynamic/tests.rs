//! Every event that the table lets pass has code.

use std::sync::Arc;

use super::DynamicError;
use super::as_chunk::as_chunk;
use super::items::ForeignSpans;
use crate::emit::Emit;
use crate::kernel::{Clock, Ids, KernelHub, Peer};
use crate::protocol::{EventEffect, RunAgentInput, SpanKind, sample_events};

#[test]
fn every_translated_event_has_code() {
    let input = Arc::new(RunAgentInput::new("thread", "run", vec![]).with_protocol_version("1.0"));
    let hub = KernelHub::new(Arc::clone(&input), 64, Ids::fixed("t"), Clock::silent(), Peer::Current);
    let emit = Emit::new(Arc::new(hub.into()));
    emit.act(|kernel, author| {
        let mut spans = ForeignSpans::new(kernel.open_scope(author, None), &input);
        for event in sample_events() {
            let event_type = event.event_type();
            let said = spans.say(kernel, event, false);
            assert!(matches!(said, Ok(()) | Err(DynamicError::NotItsOwn { .. })), "{event_type}: {said:?}");
        }
    });
}

#[test]
fn every_event_of_a_chunked_span_has_code() {
    for event in sample_events() {
        let event_type = event.event_type();
        let (is_content, scope) = match event_type.effect() {
            EventEffect::Open(scope) | EventEffect::Within(scope) => (true, scope),
            EventEffect::Close(scope) => (false, scope),
            _ => continue,
        };
        if matches!(scope, SpanKind::Text | SpanKind::ToolCall | SpanKind::ReasoningMessage) {
            assert_eq!(as_chunk(event).is_some(), is_content, "{event_type}");
        }
    }
}
