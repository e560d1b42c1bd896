//! The write that restates the conversation: MESSAGES_SNAPSHOT.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::Emit;
use crate::kernel::{EventFields, KernelHub, WriteFields, WriteTurn, field_methods};
use crate::protocol::Message;

/// The conversation about to be restated; awaiting it sends MESSAGES_SNAPSHOT. See
/// [`Run::messages_snapshot`](crate::Run::messages_snapshot).
///
/// ```
/// use agui_runtime::future::MessagesSnapshot;
/// # use agui_runtime::{Agent, Run, protocol::Message};
///
/// # async fn example<A: Agent>(run: &mut Run<A>, mut history: Vec<Message>) {
/// let newest = history.split_off(history.len().saturating_sub(10)); // at most ten messages
/// let restate: MessagesSnapshot<'_> = run.messages_snapshot(newest);
/// restate.await;
/// # }
/// ```
#[must_use = "nothing is sent until it is awaited"]
pub struct MessagesSnapshot<'r> {
    emit: &'r Emit,
    turn: WriteTurn<'r>,
    what: Option<(Vec<Message>, WriteFields)>,
}

impl<'r> MessagesSnapshot<'r> {
    pub(crate) fn new(emit: &'r Emit, messages: Vec<Message>) -> Self {
        Self { emit, turn: WriteTurn::new(emit.hub()), what: Some((messages, None)) }
    }

    field_methods!();

    fn with_fields(mut self, set: impl FnOnce(&mut EventFields)) -> Self {
        if let Some((_, fields)) = &mut self.what {
            set(fields.get_or_insert_default());
        }
        self
    }
}

impl Future for MessagesSnapshot<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        ready!(self.turn.poll(cx));
        let emit = self.emit;
        ready!(emit.hub().poll_restate(emit.author(), &mut self.what, cx));
        log_renamed(emit.hub());
        Poll::Ready(())
    }
}

/// Warns if messages in a restated conversation could not keep their ids.
pub(crate) fn log_renamed(hub: &KernelHub) {
    let messages = hub.act(crate::kernel::RunKernel::take_renamed);
    if messages > 0 {
        tracing::warn!(
            messages,
            "a restated conversation uses ids of messages of another kind: its messages got new ids"
        );
    }
}

impl fmt::Debug for MessagesSnapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessagesSnapshot").field("done", &self.what.is_none()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};

    use super::*;
    use crate::kernel::{Clock, Ids, Peer, TextStart, sent_events};
    use crate::protocol::{EventType, RunAgentInput, SubagentStartedEvent};

    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn run(room: usize) -> Emit {
        let input = RunAgentInput::new("thread", "run", vec![]).with_protocol_version("1.0");
        let hub = KernelHub::new(Arc::new(input), room, Ids::fixed("t"), Clock::silent(), Peer::CURRENT);
        Emit::new(Arc::new(hub.into()))
    }

    fn subagent(run: &Emit) -> Emit {
        let started = SubagentStartedEvent::new("", "helper");
        run.for_author(run.act(|kernel, author| kernel.open_subagent(author, started, None, None)).0)
    }

    fn written(run: &Emit) -> Vec<EventType> {
        sent_events(run.hub()).map(|event| event.event_type()).collect()
    }

    #[test]
    fn a_nested_agent_waits_until_all_messages_are_closed() {
        let run = run(16);
        let nested = subagent(&run);
        let text = run.act(|kernel, author| kernel.open_text(author, TextStart::default(), None));
        let own = nested.act(|kernel, author| kernel.open_text(author, TextStart::default(), None));
        written(&run);

        let wakes = Arc::new(Wakes(AtomicUsize::new(0)));
        let waker = Waker::from(Arc::clone(&wakes));
        let mut cx = Context::from_waker(&waker);
        let mut restate = MessagesSnapshot::new(&nested, Vec::new());
        assert!(Pin::new(&mut restate).poll(&mut cx).is_pending());
        assert_eq!(written(&run), [EventType::TextMessageEnd], "the nested agent's own message is closed");
        assert!(nested.act(|kernel, _| kernel.message_id_of(own).is_none()));

        run.act(|kernel, _| kernel.push_text(text, "still speaking".to_owned(), None));
        assert_eq!(wakes.0.load(Ordering::Relaxed), 0);
        run.act(|kernel, _| kernel.close(text, None));
        assert_eq!(wakes.0.load(Ordering::Relaxed), 1);
        assert!(Pin::new(&mut restate).poll(&mut cx).is_ready());
        assert_eq!(
            written(&run),
            [EventType::TextMessageContent, EventType::TextMessageEnd, EventType::MessagesSnapshot]
        );
        assert!(Pin::new(&mut restate).poll(&mut cx).is_ready());
        assert_eq!(written(&run), [], "once");
    }

    #[test]
    fn a_restatement_waits_for_room() {
        let run = run(1);
        run.act(|kernel, author| kernel.open_step(author, "full".to_owned(), None));
        let mut cx = Context::from_waker(Waker::noop());
        let mut restate = MessagesSnapshot::new(&run, Vec::new());
        assert!(Pin::new(&mut restate).poll(&mut cx).is_pending());
        assert_eq!(written(&run), [EventType::StepStarted]);
        assert!(Pin::new(&mut restate).poll(&mut cx).is_ready());
    }

    #[test]
    fn an_author_that_has_ended_restates_nothing_and_does_not_wait() {
        let run = run(16);
        let nested = subagent(&run);
        let _text = run.act(|kernel, author| kernel.open_text(author, TextStart::default(), None));
        run.act(|kernel, _| kernel.close(nested.author(), None));
        written(&run);
        let mut cx = Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut MessagesSnapshot::new(&nested, Vec::new())).poll(&mut cx).is_ready());
        assert_eq!(written(&run), []);
    }
}
