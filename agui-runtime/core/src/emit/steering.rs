//! User messages that came while the run works, until the run takes them.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Emit, RunWrite, WriteFuture};
use crate::kernel::{ROOT, WriteFields};
use crate::protocol::{MessageId, UserMessage};

/// The user messages that wait for a run's next safe point. The store has each message before the inbox has it.
#[derive(Debug, Default)]
pub(crate) struct SteeringInbox(Mutex<InboxState>);

#[derive(Debug, Default)]
#[cfg_attr(not(feature = "server"), allow(dead_code, reason = "only the server adds messages"))]
struct InboxState {
    waiting: VecDeque<UserMessage>,
    /// All messages that ever waited: each joins the run once.
    known: HashSet<MessageId>,
    is_closed: bool,
}

impl SteeringInbox {
    /// Adds a message, unless the inbox had the message before, or the run has ended.
    #[cfg(feature = "server")]
    pub(crate) fn push(&self, message: UserMessage) {
        let mut inbox = self.lock();
        if !inbox.is_closed && inbox.known.insert(message.id.clone()) {
            inbox.waiting.push_back(message);
        }
    }

    /// True if the inbox has, or had, the message.
    #[cfg(feature = "server")]
    pub(crate) fn knows(&self, message: &MessageId) -> bool {
        self.lock().known.contains(message)
    }

    /// Returns the messages that still wait. No message can be added or taken afterwards.
    #[cfg(feature = "server")]
    pub(crate) fn close(&self) -> Vec<UserMessage> {
        let mut inbox = self.lock();
        inbox.is_closed = true;
        inbox.waiting.drain(..).collect()
    }

    fn has_waiting(&self) -> bool {
        !self.lock().waiting.is_empty()
    }

    fn take(&self) -> Option<UserMessage> {
        self.lock().waiting.pop_front()
    }

    fn lock(&self) -> MutexGuard<'_, InboxState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Emit {
    /// Takes the user messages that wait, and sends each as TEXT_MESSAGE events with the role `user`. A subagent with its own
    /// conversation takes none.
    pub(crate) async fn join_messages(&self) -> Vec<UserMessage> {
        let mut joined = Vec::new();
        while let Some(inbox) = self.waiting_inbox() {
            let root = self.for_author(ROOT);
            joined.extend(WriteFuture::new(&root, JoinMessage(Arc::clone(inbox))).await);
        }
        joined
    }

    /// True if [`Self::join_messages`] would return messages.
    #[cfg(feature = "model")]
    pub(crate) fn has_waiting_messages(&self) -> bool {
        self.waiting_inbox().is_some()
    }

    fn waiting_inbox(&self) -> Option<&Arc<SteeringInbox>> {
        let inbox = self.shared().steering().filter(|inbox| inbox.has_waiting())?;
        self.act(|kernel, author| kernel.talks_to_user(author)).then_some(inbox)
    }
}

/// The write that moves a message from the inbox into the conversation: both happen, or neither.
struct JoinMessage(Arc<SteeringInbox>);

impl RunWrite<'_> for JoinMessage {
    type Output = Option<UserMessage>;

    fn act(self, emit: &Emit, _: WriteFields) -> Option<UserMessage> {
        emit.hub().act(|kernel| {
            // A run that has ended sends nothing any more.
            let message = if kernel.has_ended() { None } else { self.0.take() }?;
            kernel.join_user_message(&message);
            Some(message)
        })
    }
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;

    #[test]
    fn a_message_joins_once_and_never_after_the_end() {
        let inbox = SteeringInbox::default();
        inbox.push(UserMessage::new("u1", "one"));
        inbox.push(UserMessage::new("u1", "one again"));
        assert!(inbox.has_waiting() && inbox.knows(&"u1".into()));
        assert_eq!(inbox.take().map(|message| message.content.text().into_owned()), Some("one".to_owned()));
        inbox.push(UserMessage::new("u1", "one, which the log has too"));
        assert_eq!(inbox.take(), None);
        inbox.push(UserMessage::new("u2", "two"));
        assert_eq!(inbox.close().len(), 1);
        inbox.push(UserMessage::new("u3", "three"));
        assert!(!inbox.has_waiting() && !inbox.knows(&"u3".into()));
    }
}
