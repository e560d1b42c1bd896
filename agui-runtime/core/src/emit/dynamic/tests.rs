//! Every event that the table translates has code.

use std::sync::Arc;

use super::DynamicError;
use super::items::ForeignSpans;
use crate::emit::Emit;
use crate::kernel::{Clock, Ids, KernelHub, Peer};
use crate::protocol::{RunAgentInput, sample_events};

#[test]
fn every_translated_event_has_code() {
    let input = Arc::new(RunAgentInput::new("thread", "run", vec![]).with_protocol_version("1.0"));
    let hub = KernelHub::new(Arc::clone(&input), 64, Ids::fixed("t"), Clock::silent(), Peer::CURRENT);
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
