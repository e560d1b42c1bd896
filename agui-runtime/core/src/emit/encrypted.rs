//! Encrypted values, and the messages and calls that own them.

use super::{CallRef, Emit, MessageRef, ReasoningRef, ReasoningText, RunWrite, TextMessage};
use crate::kernel::WriteFields;
use crate::protocol::{
    EncryptedValue, MessageId, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, ToolCallId,
};

/// An entity that can own an encrypted value: a message or a tool call, by receipt or while open.
///
/// Only this crate implements the trait, so that the event's `subtype` and `entityId` always fit each other.
///
/// ```
/// use agui_runtime::Emit;
/// use agui_runtime::events::EncryptedEntity;
///
/// /// Attaches the signature of the model's provider, if there is one.
/// async fn sign(run: &Emit, entity: &impl EncryptedEntity, signature: Option<String>) {
///     if let Some(signature) = signature {
///         run.encrypted(entity, signature).await;
///     }
/// }
/// # async fn example(run: &Emit) {
/// let thought = run.think("Rice first.").await;
/// sign(run, &thought, Some("gAAA".to_owned())).await;
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "no encrypted value can belong to `{Self}`",
    label = "not a message, a reasoning message or a tool call",
    note = "pass `&` and the message or the call, or the receipt that `text.end()`, `thought.end()` or `call.receipt()` returns"
)]
pub trait EncryptedEntity {
    #[doc(hidden)]
    fn entity(&self) -> Option<EncryptedTarget>;
}

/// The entity that REASONING_ENCRYPTED_VALUE names.
#[doc(hidden)]
#[derive(Debug)]
pub struct EncryptedTarget {
    subtype: ReasoningEncryptedValueSubtype,
    id: String,
}

fn message(id: &MessageId) -> EncryptedTarget {
    EncryptedTarget { subtype: ReasoningEncryptedValueSubtype::Message, id: id.as_str().to_owned() }
}

impl EncryptedTarget {
    pub(crate) fn call(id: &ToolCallId) -> Self {
        Self { subtype: ReasoningEncryptedValueSubtype::ToolCall, id: id.as_str().to_owned() }
    }
}

impl EncryptedEntity for MessageRef {
    fn entity(&self) -> Option<EncryptedTarget> {
        self.seen_id().map(message)
    }
}

impl EncryptedEntity for ReasoningRef {
    fn entity(&self) -> Option<EncryptedTarget> {
        Some(message(self.id()))
    }
}

impl EncryptedEntity for CallRef {
    fn entity(&self) -> Option<EncryptedTarget> {
        Some(EncryptedTarget::call(self.id()))
    }
}

impl EncryptedEntity for TextMessage<'_> {
    fn entity(&self) -> Option<EncryptedTarget> {
        self.seen_id().as_ref().map(message)
    }
}

impl EncryptedEntity for ReasoningText<'_> {
    fn entity(&self) -> Option<EncryptedTarget> {
        self.seen_id().as_ref().map(message)
    }
}

/// The write behind [`Emit::encrypted`].
#[derive(Debug)]
pub struct SendEncrypted {
    entity: Option<EncryptedTarget>,
    value: EncryptedValue,
}

impl SendEncrypted {
    pub(super) fn new(of: &(impl EncryptedEntity + ?Sized), value: EncryptedValue) -> Self {
        Self { entity: of.entity(), value }
    }
}

impl RunWrite<'_> for SendEncrypted {
    type Output = ();

    fn act(self, emit: &Emit, fields: WriteFields) {
        let Some(EncryptedTarget { subtype, id }) = self.entity else { return };
        let mut event = ReasoningEncryptedValueEvent::new(subtype, id, self.value.value);
        event.encrypted_value_type = self.value.value_type;
        emit.act(|kernel, author| kernel.encrypt(author, event, fields));
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::kernel::{Clock, Ids, KernelHub, Peer, sent_events};
    use crate::protocol::{Event, RunAgentInput, SubagentStartedEvent};

    /// Completes a write for which there is room; a discarded write yields once.
    fn now<F: Future>(write: F) -> F::Output {
        let mut write = pin!(write);
        let mut polls = (0..2).map(|_| write.as_mut().poll(&mut Context::from_waker(Waker::noop())));
        match polls.find(Poll::is_ready) {
            Some(Poll::Ready(done)) => done,
            _ => panic!("there is no room"),
        }
    }

    fn encrypted(run: &Emit) -> Vec<ReasoningEncryptedValueEvent> {
        sent_events(run.hub())
            .filter_map(|event| match event {
                Event::ReasoningEncryptedValue(event) => Some(event),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn a_receipt_may_come_from_another_author() {
        let input = RunAgentInput::new("thread", "run", vec![]).with_protocol_version("1.0");
        let hub = KernelHub::new(Arc::new(input), 64, Ids::fixed("t"), Clock::silent(), Peer::CURRENT);
        let run = Emit::new(Arc::new(hub.into()));
        let started = SubagentStartedEvent::new("", "helper");
        let (helper, _) = run.act(|kernel, author| kernel.open_subagent(author, started, None, None));
        let nested = run.for_author(helper);

        let (own, other) = (now(run.say("Rice?")), now(nested.say("Rice.")));
        now(run.encrypted(&other, "1"));
        now(nested.encrypted(&own, "2"));
        now(nested.encrypted(&other, "3"));
        let sent = encrypted(&run);
        assert_eq!(sent.len(), 3);
        assert!(sent.iter().all(|event| event.subagent_run_id.is_none()), "{sent:#?}");

        run.act(|kernel, _| kernel.close(helper, None));
        now(nested.encrypted(&own, "4"));
        assert_eq!(encrypted(&run), [], "an author that has ended writes nothing");
    }

    #[test]
    fn an_entity_that_was_never_sent_has_no_value() {
        let input = RunAgentInput::new("thread", "run", vec![]);
        let hub = KernelHub::new(Arc::new(input), 64, Ids::fixed("t"), Clock::silent(), Peer::CURRENT);
        let run = Emit::new(Arc::new(hub.into()));
        let scope = run.for_author(run.act(|kernel, author| kernel.open_scope(author, None)));
        let text = now(scope.message());
        run.act(|kernel, _| kernel.close(scope.author(), None));
        now(run.encrypted(&text, "1"));
        assert_eq!(encrypted(&run), []);
    }
}
