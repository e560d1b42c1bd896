//! The kernel: the one state machine that can put an event on the wire.
//!
//! Rules it keeps, whatever its callers do:
//! - every entry point is total and synchronous, so a write can be cancelled only before it happened;
//! - the bound is soft: content waits for room ([`Hub::poll_room`]), ENDs and the terminal event never do, so that a
//!   guard's `Drop` needs no await and cannot fail;
//! - no user code runs under its lock, wakers included;
//! - slots are never reused, and nothing is emitted after the terminal event.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::span::{Slot, Span};
use super::{Ids, MessageRef, Peer};
use crate::manifest::ToolSide;
use crate::protocol::{
    Content, Event, Interrupts, MessageId, NonNull, PROTOCOL_VERSION, RunAgentInput, RunErrorEvent,
    RunFinishedCancelledOutcome, RunFinishedEvent, RunFinishedInterruptOutcome, RunFinishedOutcome,
    RunFinishedSuccessOutcome, RunId, RunStartedEvent, StepFinishedEvent, StepStartedEvent,
    TextMessageContentEvent, TextMessageEndEvent, TextMessageRole, TextMessageStartEvent, ThreadId,
    ToolCallArgsEvent, ToolCallEndEvent, ToolCallId, ToolCallResultEvent, ToolCallStartEvent,
};

pub(crate) struct Hub(Mutex<Kernel>);

struct Kernel {
    queue: VecDeque<Event>,
    room: usize,
    /// The stream's waker, set only while the stream waits.
    reader: Option<Waker>,
    writers: Vec<Waker>,
    ended: bool,
    spans: BTreeMap<Slot, Span>,
    next_slot: Slot,
    /// Frontend calls of this run, in the order they were started: what `pendingToolCallIds` must name.
    pending: BTreeMap<Slot, ToolCallId>,
    /// Frontend calls whose arguments were cut off, with their tools; such a run can only fail or be cancelled.
    cut_off: Vec<(ToolCallId, &'static str)>,
    thread_id: ThreadId,
    run_id: RunId,
    ids: Ids,
    peer: Peer,
}

/// How a run ends; the driver alone says so.
pub(crate) enum Terminal {
    Success { result: Option<NonNull> },
    AwaitFrontend,
    Interrupt(Interrupts),
    Cancelled,
    Failed { message: String, code: Option<String> },
}

impl Hub {
    pub(crate) fn new(input: &RunAgentInput, room: usize, ids: Ids, peer: Peer) -> Self {
        Self(Mutex::new(Kernel {
            queue: VecDeque::new(),
            room: room.max(1),
            reader: None,
            writers: Vec::new(),
            ended: false,
            spans: BTreeMap::new(),
            next_slot: 0,
            pending: BTreeMap::new(),
            cut_off: Vec::new(),
            thread_id: input.thread_id.clone(),
            run_id: input.run_id.clone(),
            ids,
            peer,
        }))
    }

    // ---- the reader's end

    /// The next event, if there is one. Wakes whoever waits for room.
    pub(crate) fn take(&self) -> Option<Event> {
        // The reader is awake: writing must not wake it, and with it the agent it polls, once more.
        let (event, writers, _reader) = {
            let mut kernel = self.lock();
            let event = kernel.queue.pop_front();
            let writers = if event.is_some() { std::mem::take(&mut kernel.writers) } else { Vec::new() };
            (event, writers, kernel.reader.take())
        };
        writers.into_iter().for_each(Waker::wake);
        event
    }

    /// Registers the reader, unless there is an event: then it need not wait, and this is true.
    pub(crate) fn wait_for_event(&self, cx: &Context<'_>) -> bool {
        let waker = cx.waker().clone();
        let mut kernel = self.lock();
        let arrived = !kernel.queue.is_empty();
        if !arrived {
            kernel.reader = Some(waker);
        }
        arrived
    }

    // ---- the writers' end

    pub(crate) fn poll_room(&self, cx: &Context<'_>) -> Poll<()> {
        let mut kernel = self.lock();
        if kernel.ended || kernel.queue.len() < kernel.room {
            return Poll::Ready(());
        }
        if !kernel.writers.iter().any(|waiting| waiting.will_wake(cx.waker())) {
            kernel.writers.push(cx.waker().clone());
        }
        Poll::Pending
    }

    pub(super) fn open_text(&self, role: TextMessageRole, name: Option<String>) -> Slot {
        self.act(|kernel| {
            let id = kernel.ids.message();
            let mut start = TextMessageStartEvent::new(id.clone()).with_role(role);
            start.name = name;
            kernel.put(start);
            kernel.open(Span::Text { id, role })
        })
    }

    pub(super) fn push_text(&self, slot: Slot, delta: String) {
        self.act(|kernel| {
            if let Some(Span::Text { id, .. }) = kernel.spans.get(&slot) {
                let content = TextMessageContentEvent::new(id.clone(), delta);
                kernel.put(content);
            }
        });
    }

    /// Names an open text message. After the run has ended nothing is open; the id is then one nobody has seen.
    pub(super) fn receipt(&self, slot: Slot) -> MessageRef {
        let mut kernel = self.lock();
        match kernel.spans.get(&slot) {
            Some(Span::Text { id, role }) => MessageRef::new(id.clone(), *role),
            _ => MessageRef::new(kernel.ids.message(), TextMessageRole::Assistant),
        }
    }

    /// Opens a step; the name is made unique among the steps that are open, because the wire knows steps by name.
    pub(super) fn open_step(&self, name: String) -> Slot {
        self.act(|kernel| {
            let open = |wanted: &str| {
                kernel.spans.values().any(|span| matches!(span, Span::Step { name } if name == wanted))
            };
            let name = if open(&name) {
                (2_u64..).map(|n| format!("{name}#{n}")).find(|other| !open(other)).unwrap_or(name)
            } else {
                name
            };
            kernel.put(StepStartedEvent::new(name.clone()));
            kernel.open(Span::Step { name })
        })
    }

    pub(super) fn open_call(
        &self,
        tool: &'static str,
        side: ToolSide,
        parent: Option<MessageId>,
    ) -> (Slot, ToolCallId) {
        self.act(|kernel| {
            let id = kernel.ids.tool_call();
            let mut start = ToolCallStartEvent::new(id.clone(), tool);
            start.parent_message_id = parent;
            kernel.put(start);
            (kernel.open(Span::Arguments { id: id.clone(), side, tool }), id)
        })
    }

    pub(super) fn push_arguments(&self, slot: Slot, delta: String) {
        self.act(|kernel| {
            if let Some(Span::Arguments { id, .. }) = kernel.spans.get(&slot) {
                let arguments = ToolCallArgsEvent::new(id.clone(), delta);
                kernel.put(arguments);
            }
        });
    }

    /// TOOL_CALL_END: a backend call now waits for its result, a frontend call for the next run.
    pub(super) fn end_arguments(&self, slot: Slot) {
        self.act(|kernel| kernel.end_arguments(slot));
    }

    /// TOOL_CALL_RESULT, once: a call that was answered, or never ended, is left alone.
    pub(super) fn answer(&self, slot: Slot, content: Content) {
        self.act(|kernel| kernel.answer(slot, content));
    }

    /// An event that belongs to no span.
    pub(crate) fn send(&self, event: impl Into<Event>) {
        self.act(|kernel| kernel.put(event));
    }

    /// Ends a span the way its kind wants it: what a guard's `Drop` means.
    pub(super) fn close(&self, slot: Slot) {
        self.act(|kernel| kernel.close(slot));
    }

    // ---- the driver's end

    pub(crate) fn start(&self, input: &RunAgentInput) {
        let mut started = RunStartedEvent::new(input.thread_id.clone(), input.run_id.clone())
            .with_protocol_version(PROTOCOL_VERSION);
        started.parent_run_id = input.parent_run_id.clone();
        self.send(started);
    }

    /// Closes what is open, newest first, then writes the terminal event; nothing follows it.
    pub(crate) fn end(&self, terminal: Terminal) {
        self.act(|kernel| kernel.end(terminal));
    }

    fn act<R>(&self, act: impl FnOnce(&mut Kernel) -> R) -> R {
        let (done, reader) = {
            let mut kernel = self.lock();
            let done = act(&mut kernel);
            let reader = if kernel.queue.is_empty() { None } else { kernel.reader.take() };
            (done, reader)
        };
        if let Some(reader) = reader {
            reader.wake();
        }
        done
    }

    // The kernel runs no user code, so nothing can panic half-way through a change: a poisoned lock (a panic in a
    // waker's destructor, say) still guards a consistent state.
    fn lock(&self) -> MutexGuard<'_, Kernel> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kernel {
    fn put(&mut self, event: impl Into<Event>) {
        if self.ended {
            return;
        }
        if let Some(event) = self.peer.admit(event.into()) {
            self.queue.push_back(event);
        }
    }

    fn open(&mut self, span: Span) -> Slot {
        let slot = self.next_slot;
        self.next_slot += 1;
        if !self.ended {
            self.spans.insert(slot, span);
        }
        slot
    }

    fn end_arguments(&mut self, slot: Slot) {
        match self.spans.remove(&slot) {
            Some(Span::Arguments { id, side, .. }) => {
                self.put(ToolCallEndEvent::new(id.clone()));
                match side {
                    ToolSide::Backend => {
                        self.spans.insert(slot, Span::Unanswered { id });
                    }
                    ToolSide::Frontend => {
                        self.pending.insert(slot, id);
                    }
                }
            }
            Some(other) => {
                self.spans.insert(slot, other);
            }
            None => {}
        }
    }

    fn answer(&mut self, slot: Slot, content: Content) {
        match self.spans.remove(&slot) {
            Some(Span::Unanswered { id }) => {
                let message_id = self.ids.message();
                self.put(ToolCallResultEvent::new(message_id, id, content));
            }
            Some(other) => {
                self.spans.insert(slot, other);
            }
            None => {}
        }
    }

    fn close(&mut self, slot: Slot) {
        match self.spans.remove(&slot) {
            Some(Span::Text { id, .. }) => self.put(TextMessageEndEvent::new(id)),
            Some(Span::Step { name }) => self.put(StepFinishedEvent::new(name)),
            // A client reads unparsable arguments as `{}` at END and would act on them, and only the client may
            // answer: a frontend call that was cut off stays open, until the whole run turns out to be cancelled.
            Some(Span::Arguments { id, side: ToolSide::Frontend, tool }) => self.cut_off.push((id, tool)),
            Some(call @ Span::Arguments { side: ToolSide::Backend, .. }) => {
                self.spans.insert(slot, call);
                self.end_arguments(slot);
                self.abandon(slot);
            }
            Some(call @ Span::Unanswered { .. }) => {
                self.spans.insert(slot, call);
                self.abandon(slot);
            }
            None => {}
        }
    }

    /// Model providers reject a history with a call nobody answered.
    fn abandon(&mut self, slot: Slot) {
        self.answer(slot, Content::Text(r#"{"error":"abandoned"}"#.to_owned()));
    }

    fn end(&mut self, terminal: Terminal) {
        if self.ended {
            return;
        }
        while let Some((&slot, _)) = self.spans.last_key_value() {
            self.close(slot);
        }
        let cut_off = std::mem::take(&mut self.cut_off);
        let terminal = match (terminal, cut_off.first()) {
            (failed @ Terminal::Failed { .. }, _) => failed,
            (Terminal::Cancelled, _) => {
                for (id, _) in cut_off {
                    self.put(ToolCallEndEvent::new(id));
                }
                Terminal::Cancelled
            }
            (_, Some((_, tool))) => Terminal::Failed {
                message: format!("the arguments of the frontend tool `{tool}` were cut off"),
                code: Some("tool_call_cut_off".to_owned()),
            },
            (other, None) => other,
        };
        let event = self.terminal_event(terminal);
        self.put(event);
        self.ended = true;
    }

    fn terminal_event(&mut self, terminal: Terminal) -> Event {
        let (outcome, result) = match terminal {
            Terminal::Failed { message, code } => {
                let mut error = RunErrorEvent::new(message);
                error.code = code;
                return error.into();
            }
            Terminal::Success { result } => (self.success(), result),
            Terminal::AwaitFrontend => (self.success(), None),
            Terminal::Interrupt(interrupts) => {
                (RunFinishedOutcome::Interrupt(RunFinishedInterruptOutcome::new(interrupts)), None)
            }
            Terminal::Cancelled => (RunFinishedOutcome::Cancelled(RunFinishedCancelledOutcome::new()), None),
        };
        let mut finished =
            RunFinishedEvent::new(self.thread_id.clone(), self.run_id.clone()).with_outcome(outcome);
        finished.result = result;
        finished.into()
    }

    fn success(&mut self) -> RunFinishedOutcome {
        let mut success = RunFinishedSuccessOutcome::new();
        if !self.pending.is_empty() {
            success.pending_tool_call_ids = Some(std::mem::take(&mut self.pending).into_values().collect());
        }
        RunFinishedOutcome::Success(success)
    }
}
