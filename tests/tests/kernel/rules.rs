//! One test for each rule in the kernel's header, and for whom the hub wakes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake, Waker};

use agui_runtime::protocol::{
    ActivityDeltaEvent, ActivityMessage, Content, CustomEvent, Event, EventType, FunctionCall, Interrupt, InterruptId,
    Interrupts, JsonObject, JsonPatch, Message, MessageId, ReasoningEncryptedValueEvent,
    ReasoningEncryptedValueSubtype, ReasoningMessage, RunAgentInput, RunFinishedOutcome,
    StateSnapshotEvent, SubagentRunId, SubagentStartedEvent, TokenUsage, ToolCallId, ToolMessage, UserMessage,
};

use super::hub::{Hub, Turn};
use super::kernel::{CallStart, ForeignAnswer, Kernel, NotResumed, ParentMessage, SubagentEnd, Terminal, TextStart};
use super::reader::Batch;
use super::span::{ROOT, Slot};
use super::{Clock, Ids, Peer};
use crate::manifest::ToolSide;

/// Every test, with the number of its rule; 0 for the hub's own.
pub const RULES: &[(u8, &str, fn())] = &[
    (1, "a start and the right to end it are one step", start_and_end),
    (1, "a write that waits has written nothing", waiting_writes_nothing),
    (2, "content waits for room", content_waits),
    (2, "ends do not wait", ends_do_not_wait),
    (3, "wakers are called and dropped outside of the lock", wakers_outside),
    (4, "a handle left over writes nothing", left_over),
    (5, "nothing follows the terminal event", nothing_follows),
    (5, "who has ended is not heard", ended_author),
    (6, "what a span encloses closes first, newest first", closes_inner_first),
    (7, "open steps have different names", step_names),
    (7, "steps of subagents are told apart only by who reads tags", step_names_by_author),
    (8, "the conversation is restated only when nothing of it is open", restating_waits),
    (8, "parents are checked against the restated conversation", restated_parents),
    (8, "what goes on does not contradict the restated conversation", restated_authors),
    (8, "a call that goes on names the message it named first", reopened_parents),
    (0, "an id of a subagent somebody else chose is used once", subagent_ids),
    (8, "names of steps are no ids of the conversation", restated_step_names),
    (8, "an id is that of one kind of message", restated_kinds),
    (8, "what is opened again is what the restated conversation says", restated_openers),
    (8, "an activity is shown again after others were restated", restated_activities),
    (8, "an answer that is restated is the answer", restated_answers),
    (9, "messages, steps and reasoning end when dropped", dropping_ends),
    (9, "a backend call that is dropped is answered with an error", dropping_answers),
    (9, "a frontend call cut off fails the run", cut_off_fails),
    (9, "a frontend call cut off is closed by a cancelled run", cut_off_cancelled),
    (9, "a frontend call of our own is not answered here", own_call_not_answered),
    (9, "a subagent that is dropped has failed", dropping_a_subagent),
    (10, "the terminal event closes everything before it", terminal_closes),
    (10, "calls nobody answered are named in the order of their starts", pending_in_order),
    (10, "what an interrupt asks about stays unanswered", asked_stays),
    (10, "an interrupt about a frontend call fails the run", asked_of_the_client),
    (10, "a run that calls a tool which the client declares, too, fails", declared_twice),
    (10, "a call asked about is answered if the run ends otherwise", asked_abandoned),
    (10, "the state that is to be told goes out before the terminal event", state_before_interrupt),
    (10, "both terminals report usage", usage_on_terminals),
    (0, "an id somebody else chose is used once", foreign_ids),
    (0, "a call of an earlier run is resumed once", resumed_once),
    (0, "only a call that was left is resumed", resumed_if_left),
    (0, "only a message of the run carries a call", parents_of_the_run),
    (0, "a subagent keeps the parent it names", named_parent),
    (0, "what the client was never told of delegates nothing", phantom_parents),
    (0, "what the client was never told of has no encrypted value", phantom_entities),
    (0, "ids of an earlier run are not given again", earlier_ids),
    (0, "a call passes on to the next writer", passes_on),
    (0, "a batch that was read makes room for as many writers", batch_given_back),
    (0, "a writer nobody polls keeps nobody from writing", futurelock),
    (0, "the reader is woken by an event", reader_woken),
    (0, "the end of a run wakes every writer", end_wakes),
    (0, "who restates is woken when the last span closes", restater_woken),
];

fn input() -> RunAgentInput {
    RunAgentInput::new("t", "r", vec![]).with_protocol_version("1.0")
}

fn kernel() -> Kernel {
    Kernel::new(&input(), Ids::fixed("k"), Clock::silent(), Peer::Current)
}

/// The kernel of a run that goes on with a conversation; the client declares the tool `ask`.
fn kernel_after(messages: Vec<Message>) -> Kernel {
    let tools = vec![agui_runtime::protocol::Tool::new("ask", "asks")];
    let input = RunAgentInput::new("t", "r", messages).with_protocol_version("1.0").with_tools(tools);
    Kernel::new(&input, Ids::fixed("k"), Clock::silent(), Peer::Current)
}

/// A message with a call that nobody has answered.
fn asked(call: &str) -> Message {
    asked_of(call, "search")
}

fn asked_of(call: &str, tool: &str) -> Message {
    let calls = vec![agui_runtime::protocol::ToolCall::new(call, FunctionCall::new(tool, "{}"))];
    agui_runtime::protocol::AssistantMessage::new(format!("asking {call}")).with_tool_calls(calls).into()
}

fn hub(room: usize) -> Hub {
    Hub::new(Arc::new(input()), room, Ids::fixed("k"), Clock::silent(), Peer::Current)
}

fn said(kernel: &mut Kernel) -> Vec<&'static str> {
    kernel.queue.drain(..).map(|event| event.event_type().as_str()).collect()
}

fn text(kernel: &mut Kernel, by: Slot) -> Slot {
    kernel.open_text(by, TextStart::default(), None)
}

fn call(kernel: &mut Kernel, by: Slot, side: ToolSide) -> (Slot, ToolCallId) {
    let tool = if side == ToolSide::Frontend { "ask" } else { "search" };
    kernel.open_call(by, CallStart { tool: tool.into(), side, parent: None, id: None }, None)
}

fn subagent(kernel: &mut Kernel, by: Slot) -> Slot {
    kernel.open_subagent(by, SubagentStartedEvent::new("", "helper"), None, None).0
}

fn start_and_end() {
    let mut k = kernel();
    let opened: Vec<Slot> = vec![
        text(&mut k, ROOT),
        k.open_step(ROOT, "s".to_owned(), None),
        k.open_reasoning(ROOT, None, None),
        k.open_reasoning_message(ROOT, None, None),
        call(&mut k, ROOT, ToolSide::Backend).0,
        subagent(&mut k, ROOT),
    ];
    let starts = said(&mut k);
    assert_eq!(starts.len(), opened.len());
    for (slot, start) in opened.into_iter().zip(starts) {
        k.close(slot, None);
        assert!(!said(&mut k).is_empty(), "{start} without an end");
    }
}

fn waiting_writes_nothing() {
    let hub = hub(1);
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    let mut turn = Turn::new(&hub);
    assert!(turn.poll(&mut context()).is_pending());
    drop(turn);
    assert_eq!(types(&hub), ["CUSTOM"]);
}

fn content_waits() {
    let hub = hub(2);
    let mut turn = Turn::new(&hub);
    assert!(turn.poll(&mut context()).is_ready());
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    assert!(turn.poll(&mut context()).is_ready());
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    assert!(turn.poll(&mut context()).is_pending());
    let mut batch = Batch::default();
    assert!(next(&mut batch, &hub).is_some());
    assert!(turn.poll(&mut context()).is_pending(), "what the reader holds takes up room");
    assert!(next(&mut batch, &hub).is_some());
    assert!(turn.poll(&mut context()).is_ready());
}

fn ends_do_not_wait() {
    let hub = hub(1);
    let slot = hub.act(|k| text(k, ROOT));
    hub.act(|k| k.close(slot, None));
    hub.end(terminal(0), None);
    assert_eq!(types(&hub), ["TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_FINISHED"]);
}

fn wakers_outside() {
    /// Whatever is done with it, it looks at the hub.
    struct Curious(Weak<Hub>);
    impl Wake for Curious {
        fn wake(self: Arc<Self>) {}
    }
    impl Drop for Curious {
        fn drop(&mut self) {
            if let Some(hub) = self.0.upgrade() {
                hub.act(|k| k.has_ended());
            }
        }
    }
    let hub = Arc::new(hub(1));
    let waker = || Waker::from(Arc::new(Curious(Arc::downgrade(&hub))));
    let full = |hub: &Hub| hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));

    // The reader's waker: replaced, called, and dropped with the event it waited for.
    assert!(!hub.wait_for_event(&Context::from_waker(&waker())));
    assert!(!hub.wait_for_event(&Context::from_waker(&waker())));
    full(&hub);
    assert!(read(&hub).is_some());
    assert!(!hub.wait_for_event(&Context::from_waker(&waker())));
    assert!(read(&hub).is_none());
    // A writer's: replaced, given up, called.
    full(&hub);
    let mut turn = Turn::new(&hub);
    assert!(turn.poll(&Context::from_waker(&waker())).is_pending());
    assert!(turn.poll(&Context::from_waker(&waker())).is_pending());
    drop(turn);
    let mut turn = Turn::new(&hub);
    assert!(turn.poll(&Context::from_waker(&waker())).is_pending());
    assert!(read(&hub).is_some());
    assert!(turn.poll(&Context::from_waker(&waker())).is_ready());
    // One who restates: let go by a closing, and by the end.
    let slot = hub.act(|k| subagent(k, ROOT));
    let open = hub.act(|k| text(k, ROOT));
    let mut what = Some((vec![], None));
    assert!(hub.poll_restate(slot, &mut what, &mut Context::from_waker(&waker())).is_pending());
    hub.act(|k| k.close(open, None));
    assert!(hub.poll_restate(slot, &mut what, &mut Context::from_waker(&waker())).is_ready());
    let mut turn = Turn::new(&hub);
    assert!(turn.poll(&Context::from_waker(&waker())).is_pending());
    hub.end(terminal(0), None);
}

fn left_over() {
    let mut k = kernel();
    let old = text(&mut k, ROOT);
    k.close(old, None);
    let new = text(&mut k, ROOT);
    said(&mut k);
    k.push_text(old, "late".to_owned(), None);
    k.close(old, None);
    assert_eq!(said(&mut k), [""; 0]);
    k.push_text(new, "on time".to_owned(), None);
    assert_eq!(said(&mut k), ["TEXT_MESSAGE_CONTENT"]);

    let inner = subagent(&mut k, ROOT);
    k.end_subagent(inner, subagent_end(0), None);
    let next = subagent(&mut k, ROOT);
    said(&mut k);
    k.send(inner, CustomEvent::new("late", 1), None);
    assert_eq!(said(&mut k), [""; 0]);
    k.send(next, CustomEvent::new("on time", 1), None);
    assert_eq!(said(&mut k), ["CUSTOM"]);
}

fn nothing_follows() {
    for how in 0..5 {
        let mut k = kernel();
        let open = text(&mut k, ROOT);
        k.end(terminal(how), None);
        said(&mut k);
        k.push_text(open, "late".to_owned(), None);
        k.close(open, None);
        let late = text(&mut k, ROOT);
        k.close(late, None);
        k.send(ROOT, CustomEvent::new("late", 1), None);
        k.send_untagged(ROOT, CustomEvent::new("late", 1), None);
        assert!(k.restate(ROOT, vec![], None).is_ok());
        k.report_usage(ROOT, TokenUsage::new());
        k.end(terminal(4), None);
        assert_eq!(said(&mut k), [""; 0]);
    }
}

fn ended_author() {
    let mut k = kernel();
    for end in [true, false] {
        let author = if end { subagent(&mut k, ROOT) } else { k.open_scope(ROOT, None) };
        let open = text(&mut k, author);
        said(&mut k);
        if end {
            k.end_subagent(author, subagent_end(0), None);
            assert_eq!(said(&mut k), ["TEXT_MESSAGE_END", "SUBAGENT_FINISHED"]);
        } else {
            k.close(author, None);
            assert_eq!(said(&mut k), ["TEXT_MESSAGE_END"]);
        }
        k.push_text(open, "late".to_owned(), None);
        text(&mut k, author);
        k.send(author, CustomEvent::new("late", 1), None);
        k.end_subagent(author, subagent_end(0), None);
        k.open_scope(author, None);
        assert_eq!(said(&mut k), [""; 0]);
    }
}

fn closes_inner_first() {
    let mut k = kernel();
    let outer = k.open_reasoning(ROOT, None, None);
    k.open_reasoning_message(outer, None, None);
    k.open_reasoning_message(outer, None, None);
    said(&mut k);
    let ids = ids_of(&mut k, |k| k.close(outer, None));
    assert_eq!(ids, ["k-message-3", "k-message-2", "k-message-1"]);

    let outer = subagent(&mut k, ROOT);
    let inner = subagent(&mut k, outer);
    text(&mut k, inner);
    text(&mut k, outer);
    said(&mut k);
    k.end_subagent(outer, subagent_end(0), None);
    assert_eq!(said(&mut k), ["TEXT_MESSAGE_END", "TEXT_MESSAGE_END", "SUBAGENT_ERROR", "SUBAGENT_FINISHED"]);
}

fn step_names() {
    let mut k = kernel();
    let steps: Vec<Slot> = (0..3).map(|_| k.open_step(ROOT, "plan".to_owned(), None)).collect();
    let taken = k.open_step(ROOT, "plan#2".to_owned(), None);
    assert_eq!(names(&mut k), ["plan", "plan#2", "plan#3", "plan#2#2"]);
    k.close(taken, None);
    k.close(steps[1], None);
    k.close(steps[0], None);
    assert_eq!(names(&mut k), ["plan#2#2", "plan#2", "plan"]);
    k.open_step(ROOT, "plan".to_owned(), None);
    k.open_step(ROOT, "plan".to_owned(), None);
    assert_eq!(names(&mut k), ["plan", "plan#2"], "a name is free again after its step");
}

fn step_names_by_author() {
    for (peer, second) in [(Peer::Current, "plan"), (Peer::Legacy, "plan#2")] {
        let mut k = Kernel::new(&input(), Ids::fixed("k"), Clock::silent(), peer);
        let helper = subagent(&mut k, ROOT);
        said(&mut k);
        k.open_step(ROOT, "plan".to_owned(), None);
        k.open_step(helper, "plan".to_owned(), None);
        assert_eq!(names(&mut k), ["plan", second]);
        k.close(helper, None);
        said(&mut k);
        k.open_step(ROOT, second.to_owned(), None);
        let again = if peer == Peer::Current { "plan#2" } else { second };
        assert_eq!(names(&mut k), [again]);
    }
}

fn restating_waits() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let of_helper = text(&mut k, helper);
    said(&mut k);
    assert!(k.restate(ROOT, vec![], None).is_ok(), "what the parent agent cannot reach is closed");
    assert_eq!(said(&mut k), ["TEXT_MESSAGE_END", "SUBAGENT_ERROR", "MESSAGES_SNAPSHOT"]);
    k.push_text(of_helper, "late".to_owned(), None);
    assert_eq!(said(&mut k), [""; 0]);

    let helper = subagent(&mut k, ROOT);
    let openings: [fn(&mut Kernel) -> Slot; 5] = [
        |k| text(k, ROOT),
        |k| call(k, ROOT, ToolSide::Backend).0,
        |k| {
            let (slot, _) = call(k, ROOT, ToolSide::Frontend);
            slot
        },
        |k| k.open_reasoning(ROOT, None, None),
        |k| k.open_reasoning_message(ROOT, None, None),
    ];
    for open in openings {
        let slot = open(&mut k);
        let messages = vec![UserMessage::new("u", "hello").into()];
        let (messages, _) = k.restate(helper, messages, None).expect_err("something is open");
        assert_eq!(messages.len(), 1, "the messages come back");
        k.end_arguments(slot, None);
        k.close(slot, None);
    }
    let (unanswered, _) = call(&mut k, ROOT, ToolSide::Backend);
    k.end_arguments(unanswered, None);
    let activity = k.open_activity(ROOT, "PLAN".into(), JsonObject::new(), None, None);
    let step = k.open_step(ROOT, "s".to_owned(), None);
    said(&mut k);
    assert!(k.restate(helper, vec![], None).is_ok(), "steps are not of the conversation");
    assert_eq!(said(&mut k), ["MESSAGES_SNAPSHOT"]);
    k.close(activity, None);
    k.close(step, None);
}

fn restated_parents() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let message = text(&mut k, ROOT);
    let (id, _, tag) = k.text_of(message).expect("it is open");
    k.close(message, None);
    let parent = |k: &mut Kernel, by: Slot| {
        said(k);
        let parent = Some(ParentMessage { id: id.clone(), tag: tag.clone() });
        let start = CallStart { tool: "search".into(), side: ToolSide::Backend, parent, id: None };
        let (slot, _) = k.open_call(by, start, None);
        let Some(Event::ToolCallStart(start)) = k.queue.pop_front() else { panic!("no start") };
        k.close(slot, None);
        start.parent_message_id
    };
    assert!(parent(&mut k, ROOT).is_some());
    assert!(parent(&mut k, helper).is_none(), "another author's message carries no call");
    let told = agui_runtime::protocol::AssistantMessage::new(id.clone()).with_subagent_run_id("somebody");
    assert!(k.restate(ROOT, vec![told.into()], None).is_ok());
    assert!(parent(&mut k, ROOT).is_none(), "the client now thinks it somebody else's");
}

fn restated_authors() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let call = CallStart { tool: "search".into(), side: ToolSide::Backend, parent: None, id: None };
    let (slot, call_id) = k.open_call(helper, call.clone(), None);
    k.end_foreign_arguments(slot, None);
    let asked = agui_runtime::protocol::ToolCall::new(call_id, FunctionCall::new("search", "{}"));
    let told = agui_runtime::protocol::AssistantMessage::new("m").with_tool_calls(vec![asked]);
    assert!(k.restate(ROOT, vec![told.with_subagent_run_id("somebody").into()], None).is_ok());
    let helper = subagent(&mut k, ROOT);
    said(&mut k);
    let text = k.open_text_as(helper, "m".into(), TextStart::default(), None);
    k.push_text(text, "more".to_owned(), None);
    k.reopen_call(helper, slot, call, None);
    k.end_foreign_arguments(slot, None);
    assert_eq!(k.queue.len(), 4);
    assert!(k.queue.drain(..).all(|event| event.subagent_run_id().is_none()));
}

fn reopened_parents() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let tag = k.tag_of(helper);
    let mut messages = ["first", "second"].into_iter().map(|id| {
        let text = k.open_text(helper, TextStart { id: Some(id.into()), ..TextStart::default() }, None);
        k.close(text, None);
        ParentMessage { id: id.into(), tag: tag.clone() }
    });
    let (first, second) = (messages.next(), messages.next());
    drop(messages);
    let start = |parent: &Option<ParentMessage>| {
        CallStart { tool: "search".into(), side: ToolSide::Backend, parent: parent.clone(), id: None }
    };
    let (call, call_id) = k.open_call(helper, start(&first), None);
    k.end_foreign_arguments(call, None);
    let again = |k: &mut Kernel, parent: &Option<ParentMessage>| {
        said(k);
        k.reopen_call(helper, call, start(parent), None);
        k.end_foreign_arguments(call, None);
        let Some(Event::ToolCallStart(start)) = k.queue.pop_front() else { panic!("no start") };
        start.parent_message_id.map(|id| id.as_str().to_owned())
    };
    assert_eq!(again(&mut k, &second), None, "it is in another message already");
    assert_eq!(again(&mut k, &first).as_deref(), Some("first"));
    let asked = agui_runtime::protocol::ToolCall::new(call_id, FunctionCall::new("search", "{}"));
    // A conversation may have an id twice; the client goes by the last, and by what each call stands in.
    let told = agui_runtime::protocol::AssistantMessage::new("first").with_tool_calls(vec![asked]);
    let own = agui_runtime::protocol::AssistantMessage::new("first");
    let own = own.with_subagent_run_id(tag.clone().expect("it is a subagent"));
    let told = told.with_subagent_run_id("somebody");
    let nested = subagent(&mut k, ROOT);
    assert!(k.restate(nested, vec![told.into(), own.into()], None).is_ok());
    assert_eq!(again(&mut k, &first), None, "the client thinks the call somebody else's");
}

fn subagent_ids() {
    let mut k = kernel();
    let ids = ids_of(&mut k, |k| {
        for _ in 0..2 {
            let started = SubagentStartedEvent::new("", "helper");
            let (slot, _) = k.open_subagent(ROOT, started, Some("chosen".into()), None);
            k.queue.pop_back();
            k.end_subagent(slot, subagent_end(0), None);
        }
    });
    assert_eq!(ids.len(), 2);
    assert_ne!(ids[0], ids[1], "an id is that of one invocation");
}

fn restated_step_names() {
    let mut k = kernel();
    assert!(k.restate(ROOT, vec![UserMessage::new("plan", "hello").into()], None).is_ok());
    k.open_step(ROOT, "plan".to_owned(), None);
    let helper = subagent(&mut k, ROOT);
    said(&mut k);
    k.open_step(helper, "plan".to_owned(), None);
    let Some(Event::StepStarted(step)) = k.queue.pop_front() else { panic!("no step") };
    assert_eq!(step.step_name, "plan");
    assert!(step.subagent_run_id.is_some(), "a step of the subagent's");
}

fn dropping_ends() {
    let mut k = kernel();
    let open = [
        text(&mut k, ROOT),
        k.open_step(ROOT, "s".to_owned(), None),
        k.open_reasoning(ROOT, None, None),
        k.open_reasoning_message(ROOT, None, None),
        k.open_activity(ROOT, "PLAN".into(), JsonObject::new(), None, None),
    ];
    said(&mut k);
    open.into_iter().for_each(|slot| k.close(slot, None));
    let ends = ["TEXT_MESSAGE_END", "STEP_FINISHED", "REASONING_END", "REASONING_MESSAGE_END"];
    assert_eq!(said(&mut k), ends);
}

fn dropping_answers() {
    let mut k = kernel();
    let (open, _) = call(&mut k, ROOT, ToolSide::Backend);
    let (ended, _) = call(&mut k, ROOT, ToolSide::Backend);
    k.end_arguments(ended, None);
    said(&mut k);
    k.close(open, None);
    assert_eq!(said(&mut k), ["TOOL_CALL_END", "TOOL_CALL_RESULT"]);
    k.close(ended, None);
    let Some(Event::ToolCallResult(result)) = k.queue.pop_front() else { panic!("no result") };
    assert_eq!(result.content, Content::Text(r#"{"error":"abandoned"}"#.to_owned()));
    k.answer(ended, Content::Text("late".to_owned()), None);
    assert_eq!(said(&mut k), [""; 0], "a call is answered once");
}

fn cut_off_fails() {
    for how in 0..4 {
        let mut k = kernel();
        let (open, _) = call(&mut k, ROOT, ToolSide::Frontend);
        said(&mut k);
        k.close(open, None);
        assert_eq!(said(&mut k), [""; 0], "an END would make the client act");
        k.end(terminal(how), None);
        let expected: &[&str] =
            if how == 3 { &["TOOL_CALL_END", "RUN_FINISHED"] } else { &["RUN_ERROR"] };
        assert_eq!(said(&mut k), expected);
    }
}

fn cut_off_cancelled() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    call(&mut k, helper, ToolSide::Frontend);
    k.close(helper, None);
    said(&mut k);
    k.end(Terminal::Cancelled, None);
    let Some(Event::ToolCallEnd(end)) = k.queue.pop_front() else { panic!("no end") };
    assert_eq!(end.subagent_run_id.as_ref().map(SubagentRunId::as_str), Some("k-subagent-1"));
}

fn own_call_not_answered() {
    let mut k = kernel();
    let (own, _) = call(&mut k, ROOT, ToolSide::Frontend);
    k.end_arguments(own, None);
    let scope = k.open_scope(ROOT, None);
    let (foreign, _) = call(&mut k, scope, ToolSide::Backend);
    k.end_foreign_arguments(foreign, None);
    said(&mut k);
    for by in [ROOT, scope] {
        let answer = ForeignAnswer { message: None, content: Content::Text("1".to_owned()) };
        k.answer_pending(by, own, answer, None);
        assert_eq!(said(&mut k), [""; 0]);
    }
    let answer = ForeignAnswer { message: None, content: Content::Text("1".to_owned()) };
    k.answer_pending(scope, foreign, answer, None);
    assert_eq!(said(&mut k), ["TOOL_CALL_RESULT"]);
}

fn dropping_a_subagent() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    said(&mut k);
    k.close(helper, None);
    let Some(Event::SubagentError(error)) = k.queue.pop_front() else { panic!("no error") };
    assert_eq!(error.code.as_deref(), Some("abandoned"));
}

fn terminal_closes() {
    for how in 0..5 {
        let mut k = kernel();
        text(&mut k, ROOT);
        k.open_step(ROOT, "s".to_owned(), None);
        let outer = k.open_reasoning(ROOT, None, None);
        k.open_reasoning_message(outer, None, None);
        call(&mut k, ROOT, ToolSide::Backend);
        let helper = subagent(&mut k, ROOT);
        text(&mut k, helper);
        said(&mut k);
        k.end(terminal(how), None);
        let mut ends = vec!["TEXT_MESSAGE_END", "SUBAGENT_ERROR", "TOOL_CALL_END", "TOOL_CALL_RESULT"];
        ends.extend(["REASONING_MESSAGE_END", "REASONING_END", "STEP_FINISHED", "TEXT_MESSAGE_END"]);
        ends.push(if how == 4 { "RUN_ERROR" } else { "RUN_FINISHED" });
        assert_eq!(said(&mut k), ends);
    }
}

fn pending_in_order() {
    let mut k = kernel();
    let (first, one) = call(&mut k, ROOT, ToolSide::Frontend);
    let helper = subagent(&mut k, ROOT);
    let (second, two) = call(&mut k, helper, ToolSide::Frontend);
    let (third, three) = call(&mut k, ROOT, ToolSide::Frontend);
    for slot in [third, second, first] {
        k.end_arguments(slot, None);
    }
    k.close(helper, None);
    k.end(Terminal::Success { result: None }, None);
    let Some(Event::RunFinished(finished)) = k.queue.pop_back() else { panic!("no finish") };
    let Some(RunFinishedOutcome::Success(success)) = finished.outcome else { panic!("no success") };
    assert_eq!(success.pending_tool_call_ids, Some(vec![one, two, three]));
}

fn asked_stays() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let (slot, asked) = call(&mut k, helper, ToolSide::Backend);
    let (other, _) = call(&mut k, helper, ToolSide::Backend);
    for slot in [slot, other] {
        k.end_arguments(slot, None);
        k.ask(slot);
    }
    k.end_subagent(helper, subagent_end(1), None);
    said(&mut k);
    k.answer(slot, Content::Text("late".to_owned()), None);
    k.close(slot, None);
    k.end(about(asked), None);
    assert_eq!(said(&mut k), ["TOOL_CALL_RESULT", "RUN_FINISHED"], "what no question names is answered");
}

fn asked_of_the_client() {
    for earlier in ["old", "restated"] {
        let mut k = kernel_after(vec![asked_of("old", "ask")]);
        assert!(k.restate(ROOT, vec![asked_of("restated", "ask")], None).is_ok());
        said(&mut k);
        k.end(about(earlier.into()), None);
        assert_eq!(said(&mut k), ["RUN_ERROR"], "{earlier}");
    }
    let mut k = kernel_after(vec![]);
    let interrupts = Interrupts::from(Interrupt::new("i", "confirmation").with_tool_call_id("last"));
    k.end(Terminal::Interrupt { interrupts, messages: Some(vec![asked_of("last", "ask")]) }, None);
    assert_eq!(said(&mut k), ["RUN_ERROR"], "told with the interrupt");
    let mut k = kernel();
    let (foreign, id) = call(&mut k, ROOT, ToolSide::Backend);
    k.end_foreign_arguments(foreign, None);
    said(&mut k);
    k.end(about(id), None);
    assert_eq!(said(&mut k), ["RUN_FINISHED"], "nobody but the agent answers it");
    let mut k = kernel();
    let (slot, id) = call(&mut k, ROOT, ToolSide::Frontend);
    k.end_arguments(slot, None);
    said(&mut k);
    k.end(about(id), None);
    let Some(Event::RunError(error)) = k.queue.pop_front() else { panic!("no error") };
    assert_eq!(error.code.as_deref(), Some("interrupt_about_frontend_call"));
}

/// An interrupt about a call.
fn about(call: ToolCallId) -> Terminal {
    let interrupt = Interrupt::new("i", "confirmation").with_tool_call_id(call);
    Terminal::Interrupt { interrupts: Interrupts::from(interrupt), messages: None }
}

fn declared_twice() {
    let with = |end: Terminal| {
        let mut k = kernel_after(vec![]);
        let start = CallStart { tool: "ask".into(), side: ToolSide::Backend, parent: None, id: None };
        let (slot, _) = k.open_call(ROOT, start, None);
        k.push_arguments(slot, "{}".to_owned(), None);
        k.end_arguments(slot, None);
        k.answer(slot, Content::Text("1".to_owned()), None);
        assert_eq!(said(&mut k), [""; 0], "the client would run it");
        k.end(end, None);
        said(&mut k)
    };
    assert_eq!(with(terminal(0)), ["RUN_ERROR"]);
    assert_eq!(with(terminal(3)), ["RUN_FINISHED"], "cancelled");
}

fn asked_abandoned() {
    for how in [0, 1, 3, 4] {
        let mut k = kernel();
        let (slot, _) = call(&mut k, ROOT, ToolSide::Backend);
        k.end_arguments(slot, None);
        k.ask(slot);
        said(&mut k);
        k.end(terminal(how), None);
        assert_eq!(said(&mut k)[0], "TOOL_CALL_RESULT");
    }
}

fn state_before_interrupt() {
    for how in 0..5 {
        let mut k = kernel();
        text(&mut k, ROOT);
        said(&mut k);
        let end = match terminal(how) {
            Terminal::Interrupt { interrupts, .. } => {
                Terminal::Interrupt { interrupts, messages: Some(vec![UserMessage::new("u", "hi").into()]) }
            }
            other => other,
        };
        k.end(end, Some(StateSnapshotEvent::new(serde_json::Value::from(1)).into()));
        let expected: &[&str] = match how {
            2 => &["TEXT_MESSAGE_END", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"],
            4 => &["TEXT_MESSAGE_END", "STATE_SNAPSHOT", "RUN_ERROR"],
            _ => &["TEXT_MESSAGE_END", "STATE_SNAPSHOT", "RUN_FINISHED"],
        };
        assert_eq!(said(&mut k), expected);
    }
    let _ = Interrupts::from(Interrupt::new("i", "input_required"));
}

fn usage_on_terminals() {
    for how in 0..5 {
        let mut k = kernel();
        let spent = |model: &str| TokenUsage::new().with_model(model).with_input_tokens(2_u32);
        k.report_usage(ROOT, spent("a"));
        k.report_usage(ROOT, spent("b").with_output_tokens(1_u32));
        k.report_usage(ROOT, spent("a").with_provider("p"));
        let gone = k.open_scope(ROOT, None);
        k.close(gone, None);
        k.report_usage(gone, spent("c"));
        k.report_usage(ROOT, spent("a"));
        k.end(terminal(how), None);
        let usage = match k.queue.pop_back() {
            Some(Event::RunFinished(finished)) => finished.usage,
            Some(Event::RunError(error)) => error.usage,
            other => panic!("{other:?}"),
        };
        let four = TokenUsage::new().with_model("a").with_input_tokens(4_u32);
        let b = spent("b").with_output_tokens(1_u32);
        assert_eq!(usage, Some(vec![four, b, spent("a").with_provider("p")]));
    }
}

fn foreign_ids() {
    let mut k = kernel();
    let wanted = |id: &str| TextStart { id: Some(id.into()), ..TextStart::default() };
    let restated = UserMessage::new("restated", "hello").into();
    assert!(k.restate(ROOT, vec![restated], None).is_ok());
    said(&mut k);
    let ids = ids_of(&mut k, |k| {
        for id in ["theirs", "theirs", "restated", "k-message-77"] {
            let slot = k.open_text(ROOT, wanted(id), None);
            k.queue.pop_back();
            k.close(slot, None);
        }
    });
    assert_eq!(ids[0], "theirs");
    let unique: std::collections::HashSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), 4, "{ids:?}");
    assert!(!ids[1..].iter().any(|id| ["theirs", "restated", "k-message-77"].contains(&id.as_str())), "{ids:?}");
}

fn earlier_ids() {
    let calls = vec![agui_runtime::protocol::ToolCall::new("k-call-2", FunctionCall::new("search", "{}"))];
    let said_before = agui_runtime::protocol::AssistantMessage::new("k-message-1").with_tool_calls(calls);
    let input = RunAgentInput::new("t", "r", vec![said_before.into()]).with_protocol_version("1.0");
    let mut k = Kernel::new(&input, Ids::fixed("k"), Clock::silent(), Peer::Current);
    assert!(k.resume_call(ROOT, "k-call-2".into()).is_ok());
    text(&mut k, ROOT);
    let ids: Vec<_> = (0..3).map(|_| call(&mut k, ROOT, ToolSide::Backend).1).collect();
    assert!(!ids.iter().any(|id| id.as_str() == "k-call-2"), "{ids:?}");
    assert_eq!(k.queue[0].scope_id(), Some("k-message-2"));
}

fn resumed_once() {
    let mut k = kernel_after(vec![asked("old")]);
    let (one, two) = (k.resume_call(ROOT, "old".into()), k.resume_call(ROOT, "old".into()));
    assert_eq!(two, Err(NotResumed::Twice));
    for slot in [one, one].into_iter().flatten() {
        k.answer(slot, Content::Text("1".to_owned()), None);
    }
    assert_eq!(said(&mut k), ["TOOL_CALL_RESULT"]);
}

fn resumed_if_left() {
    let answer = ToolMessage::new("a", "1", "answered").into();
    let mut k = kernel_after(vec![asked("answered"), asked("old"), asked_of("client", "ask"), answer]);
    for id in ["answered", "client", "unknown"] {
        assert_eq!(k.resume_call(ROOT, id.into()), Err(NotResumed::NotLeft), "{id}");
    }
    assert!(k.resume_call(ROOT, "old".into()).is_ok());
}

fn parents_of_the_run() {
    let mut k = kernel_after(vec![UserMessage::new("old", "hello").into()]);
    let thought = k.open_reasoning_message(ROOT, Some("thought".into()), None);
    k.close(thought, None);
    for (parent, named) in [("old", true), ("thought", false), ("of another run", false)] {
        said(&mut k);
        let parent = Some(ParentMessage { id: parent.into(), tag: None });
        let start = CallStart { tool: "search".into(), side: ToolSide::Backend, parent, id: None };
        k.open_call(ROOT, start, None);
        let Some(Event::ToolCallStart(start)) = k.queue.pop_front() else { panic!("no start") };
        assert_eq!(start.parent_message_id.is_some(), named);
    }
}

fn named_parent() {
    let mut k = kernel();
    let outer = subagent(&mut k, ROOT);
    let parent = |k: &mut Kernel, by: Slot, named: Option<&str>| {
        said(k);
        let mut started = SubagentStartedEvent::new("", "helper");
        started.parent_subagent_run_id = named.map(SubagentRunId::from);
        k.open_subagent(by, started, None, None);
        let Some(Event::SubagentStarted(started)) = k.queue.pop_front() else { panic!("no start") };
        started.parent_subagent_run_id.map(|id| id.as_str().to_owned())
    };
    assert_eq!(parent(&mut k, ROOT, None), None);
    assert_eq!(parent(&mut k, outer, None).as_deref(), Some("k-subagent-1"));
    assert_eq!(parent(&mut k, ROOT, Some("beside")).as_deref(), Some("beside"));
}

fn phantom_parents() {
    let mut k = kernel_after(vec![asked("old call")]);
    let said_here = text(&mut k, ROOT);
    let (said_here, ..) = k.text_of(said_here).expect("it is open");
    let (_, called_here) = call(&mut k, ROOT, ToolSide::Backend);
    let dead = k.open_scope(ROOT, None);
    k.close(dead, None);
    let (_, never_called) = call(&mut k, dead, ToolSide::Backend);
    let thought = k.open_reasoning_message(ROOT, None, None);
    let thought = k.message_id_of(thought).expect("it is open").clone();
    let mut named = |message: &str, call: &str| {
        said(&mut k);
        let mut started = SubagentStartedEvent::new("", "helper");
        started.parent_message_id = Some(message.into());
        started.parent_tool_call_id = Some(call.into());
        k.open_subagent(ROOT, started, None, None);
        let Some(Event::SubagentStarted(started)) = k.queue.pop_front() else { panic!("no start") };
        (started.parent_message_id.is_some(), started.parent_tool_call_id.is_some())
    };
    assert_eq!(named(said_here.as_str(), called_here.as_str()), (true, true));
    assert_eq!(named("asking old call", "old call"), (true, true));
    assert_eq!(named("of another run", "of another run"), (false, false));
    assert_eq!(named(thought.as_str(), never_called.as_str()), (false, false));
}

fn phantom_entities() {
    let mut k = kernel_after(vec![asked("old")]);
    let text = text(&mut k, ROOT);
    let (text, ..) = k.text_of(text).expect("it is open");
    let (_, called) = call(&mut k, ROOT, ToolSide::Backend);
    let thought = k.open_reasoning_message(ROOT, None, None);
    let thought = k.message_id_of(thought).expect("it is open").clone();
    let dead = subagent(&mut k, ROOT);
    k.close(dead, None);
    assert!(k.restate(dead, vec![asked("restated")], None).is_ok(), "who has ended is not heard");
    let (message, tool_call) = (ReasoningEncryptedValueSubtype::Message, ReasoningEncryptedValueSubtype::ToolCall);
    let cases = [
        (message, text.as_str(), true),
        (message, thought.as_str(), true),
        (message, "asking old", true),
        (tool_call, called.as_str(), true),
        (tool_call, "old", true),
        (message, "of another run", false),
        (tool_call, "of another run", false),
        (tool_call, "restated", false),
        (tool_call, text.as_str(), false),
        (message, "old", false),
    ];
    for (subtype, id, is_said) in cases {
        said(&mut k);
        k.encrypt(ROOT, ReasoningEncryptedValueEvent::new(subtype, id, "signed"), None);
        assert_eq!(said(&mut k).len(), usize::from(is_said), "{id}");
    }
    let mut k = kernel();
    assert!(k.restate(ROOT, vec![asked("restated")], None).is_ok());
    said(&mut k);
    k.encrypt(ROOT, ReasoningEncryptedValueEvent::new(tool_call, "restated", "signed"), None);
    assert_eq!(said(&mut k).len(), 1, "the client was told of it meanwhile");
}

fn restated_kinds() {
    let mut k = kernel_after(vec![UserMessage::new("old", "hello").into()]);
    let text = text(&mut k, ROOT);
    let (text_id, ..) = k.text_of(text).expect("it is open");
    k.close(text, None);
    let thought = k.open_reasoning_message(ROOT, None, None);
    let thought_id = k.message_id_of(thought).expect("it is open").clone();
    k.close(thought, None);
    let activity = k.open_activity(ROOT, "PLAN".into(), JsonObject::new(), None, None);
    let activity_id = k.message_id_of(activity).expect("it is open").clone();
    k.close(activity, None);
    let (_, call_id) = call(&mut k, ROOT, ToolSide::Backend);
    let call_id = MessageId::from(call_id.as_str());
    let result = |id: &MessageId| Message::from(ToolMessage::new(id.clone(), "1", "c"));
    let thought = |id: &MessageId| Message::from(ReasoningMessage::new(id.clone(), "hm"));
    let shown = |id: &MessageId| Message::from(ActivityMessage::new(id.clone(), "PLAN", JsonObject::new()));
    let word = |id: &MessageId| Message::from(UserMessage::new(id.clone(), "hello"));
    let old = MessageId::from("old");
    let new = MessageId::from("new");
    let clashing = vec![
        result(&text_id),
        word(&thought_id),
        thought(&activity_id),
        shown(&call_id),
        shown(&old),
        word(&new),
        result(&new),
    ];
    let kept = vec![word(&text_id), thought(&thought_id), shown(&activity_id), word(&old), word(&new)];
    said(&mut k);
    assert!(k.restate(ROOT, clashing.clone(), None).is_ok());
    assert_eq!(k.take_renamed(), 6);
    let ids = |k: &mut Kernel| {
        let Some(Event::MessagesSnapshot(snapshot)) = k.queue.pop_back() else { panic!("no snapshot") };
        snapshot.messages.iter().map(|message| message.id().clone()).collect::<Vec<_>>()
    };
    let told = ids(&mut k);
    for (number, (message, told)) in clashing.iter().zip(&told).enumerate() {
        assert_eq!(message.id() == told, number == 5, "{message:?}");
    }
    let unique: std::collections::HashSet<_> = told.iter().collect();
    assert_eq!(unique.len(), told.len());
    assert!(k.restate(ROOT, kept.clone(), None).is_ok());
    assert_eq!(ids(&mut k), kept.iter().map(|message| message.id().clone()).collect::<Vec<_>>());
    assert_eq!(k.take_renamed(), 0);
}

fn restated_openers() {
    let mut k = kernel();
    let start = |parent: Option<&str>| {
        let parent = parent.map(|id| ParentMessage { id: id.into(), tag: None });
        CallStart { tool: "search".into(), side: ToolSide::Backend, parent, id: Some("c".into()) }
    };
    let text = k.open_text(ROOT, TextStart { id: Some("m".into()), ..TextStart::default() }, None);
    k.close(text, None);
    let (call, _) = k.open_call(ROOT, start(Some("m")), None);
    k.end_foreign_arguments(call, None);
    let asked = agui_runtime::protocol::ToolCall::new("c", FunctionCall::new("find", "{}"));
    let told = agui_runtime::protocol::AssistantMessage::new("other").with_tool_calls(vec![asked]);
    assert!(k.restate(ROOT, vec![UserMessage::new("m", "hi").with_name("Ada").into(), told.into()], None).is_ok());
    said(&mut k);
    let how = TextStart { role: None, name: Some("Bea".to_owned()), id: None };
    let text = k.open_text_as(ROOT, "m".into(), how, None);
    k.close(text, None);
    let Some(Event::TextMessageStart(again)) = k.queue.pop_front() else { panic!("no start") };
    assert_eq!((again.role, again.name), (None, None));
    said(&mut k);
    k.reopen_call(ROOT, call, start(Some("m")), None);
    let Some(Event::ToolCallStart(again)) = k.queue.pop_front() else { panic!("no start") };
    assert_eq!((again.tool_call_name.as_str(), again.parent_message_id), ("find", None));
    let chunk = agui_runtime::protocol::ToolCallChunkEvent::new().with_tool_call_id("c").with_tool_call_name("search");
    k.pass_chunk(ROOT, "c", chunk.with_parent_message_id("m").into(), None);
    let Some(Event::ToolCallChunk(chunk)) = k.queue.pop_back() else { panic!("no chunk") };
    assert_eq!((chunk.tool_call_name.as_deref(), chunk.parent_message_id), (Some("find"), None));
}

fn restated_activities() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let plan = k.open_activity(ROOT, "PLAN".into(), JsonObject::new(), None, None);
    let patch = || JsonPatch::from(Vec::new());
    assert!(k.restate(helper, vec![UserMessage::new("u", "hi").into()], None).is_ok());
    assert!(k.change_activity(plan, patch(), None).is_ok(), "a client keeps what it holds");
    let shown = ActivityMessage::new("shown", "PLAN", JsonObject::new());
    assert!(k.restate(helper, vec![shown.into()], None).is_ok());
    said(&mut k);
    assert!(k.change_activity(plan, patch(), None).is_err());
    assert!(!k.forward_activity(plan, ActivityDeltaEvent::new("x", "PLAN", patch()).into(), None));
    assert_eq!(said(&mut k), [""; 0]);
    k.restart_activity(plan, JsonObject::new(), None);
    assert!(k.change_activity(plan, patch(), None).is_ok());
    assert_eq!(said(&mut k), ["ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"]);
}

fn restated_answers() {
    let mut k = kernel_after(vec![asked("one"), asked("two"), asked("three")]);
    let helper = subagent(&mut k, ROOT);
    let held = k.resume_call(ROOT, "one".into()).expect("it was left");
    let left_to_an_interrupt = k.resume_call(ROOT, "two".into()).expect("it was left");
    k.ask(left_to_an_interrupt);
    let answers = ["one", "two", "three"].map(|call| ToolMessage::new(format!("{call}-answer"), "1", call).into());
    assert!(k.restate(helper, answers.into(), None).is_ok());
    said(&mut k);
    k.answer(held, Content::Text("1".to_owned()), None);
    assert!(k.resume_call(ROOT, "three".into()).is_err());
    k.end(terminal(0), None);
    assert_eq!(said(&mut k), ["SUBAGENT_ERROR", "RUN_FINISHED"]);
}

pub fn subagent_end(how: u8) -> SubagentEnd {
    match how {
        0 => SubagentEnd::Success { result: None },
        1 => SubagentEnd::Suspended { interrupts: vec![InterruptId::from("i")] },
        _ => SubagentEnd::Failed { message: "no".to_owned(), code: None },
    }
}

pub fn terminal(how: u8) -> Terminal {
    match how {
        0 => Terminal::Success { result: None },
        1 => Terminal::AwaitFrontend,
        2 => Terminal::Interrupt {
            interrupts: Interrupts::from(Interrupt::new("i", "input_required")),
            messages: None,
        },
        3 => Terminal::Cancelled,
        _ => Terminal::Failed { message: "no".to_owned(), code: None },
    }
}

// ---- whom the hub wakes

fn passes_on() {
    let hub = hub(1);
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    let (mut first, mut second) = (Turn::new(&hub), Turn::new(&hub));
    let (one, two) = (Count::new(), Count::new());
    assert!(first.poll(&one.context()).is_pending());
    assert!(second.poll(&two.context()).is_pending());
    assert!(read(&hub).is_some());
    assert_eq!((one.count(), two.count()), (1, 0), "one event makes room for one");
    drop(first);
    assert_eq!(two.count(), 1, "who goes away passes the call on");
    assert!(second.poll(&two.context()).is_ready());
}

fn batch_given_back() {
    let hub = hub(2);
    for _ in 0..2 {
        hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    }
    let mut turns = [(); 3].map(|()| (Turn::new(&hub), Count::new()));
    for (turn, count) in &mut turns {
        assert!(turn.poll(&count.context()).is_pending());
    }
    let mut batch = Batch::default();
    assert!(next(&mut batch, &hub).is_some());
    assert_eq!(turns.each_ref().map(|(_, count)| count.count()), [0, 0, 0], "the batch is not read");
    assert!(next(&mut batch, &hub).is_some());
    assert_eq!(turns.each_ref().map(|(_, count)| count.count()), [1, 1, 0], "as many as there is room for");
}

fn futurelock() {
    let hub = hub(1);
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    let mut forgotten = Turn::new(&hub);
    let (one, two, reader) = (Count::new(), Count::new(), Count::new());
    assert!(forgotten.poll(&one.context()).is_pending());
    let mut other = Turn::new(&hub);
    assert!(other.poll(&two.context()).is_pending());
    assert!(read(&hub).is_some());
    assert!(Turn::new(&hub).poll(&two.context()).is_ready(), "a call holds no place");
    assert!(!hub.wait_for_event(&reader.context()));
    assert_eq!(two.count(), 1, "a reader about to sleep calls everybody");
    assert!(other.poll(&two.context()).is_ready());
    std::mem::forget(forgotten);
}

fn reader_woken() {
    let hub = hub(2);
    let reader = Count::new();
    assert!(!hub.wait_for_event(&reader.context()));
    let slot = hub.act(|k| text(k, ROOT));
    assert_eq!(reader.count(), 1);
    assert!(hub.wait_for_event(&reader.context()), "there is an event");
    assert!(read(&hub).is_some());
    assert!(!hub.wait_for_event(&reader.context()));
    hub.act(|k| k.close(slot, None));
    assert_eq!(reader.count(), 2);
}

fn end_wakes() {
    let hub = hub(1);
    hub.act(|k| k.send(ROOT, CustomEvent::new("a", 1), None));
    let mut turns: Vec<Turn<'_>> = (0..3).map(|_| Turn::new(&hub)).collect();
    let count = Count::new();
    assert!(turns.iter_mut().all(|turn| turn.poll(&count.context()).is_pending()));
    hub.end(terminal(0), None);
    assert_eq!(count.count(), 3);
    assert!(turns.iter_mut().all(|turn| turn.poll(&count.context()).is_pending()), "they give way once");
    assert!(turns.iter_mut().all(|turn| turn.poll(&count.context()).is_ready()), "then they write into the void");
}

fn restater_woken() {
    let hub = hub(8);
    let helper = hub.act(|k| subagent(k, ROOT));
    let (one, two) = (hub.act(|k| text(k, ROOT)), hub.act(|k| text(k, ROOT)));
    let count = Count::new();
    let mut what = Some((vec![], None));
    assert!(hub.poll_restate(helper, &mut what, &mut count.context()).is_pending());
    hub.act(|k| k.push_text(one, "x".to_owned(), None));
    assert_eq!(count.count(), 0, "nothing was closed");
    hub.act(|k| k.close(one, None));
    assert_eq!(count.count(), 1);
    assert!(hub.poll_restate(helper, &mut what, &mut count.context()).is_pending());
    hub.act(|k| k.close(two, None));
    assert_eq!(count.count(), 2);
    assert_eq!(hub.poll_restate(helper, &mut what, &mut count.context()), Poll::Ready(()));
    assert!(types(&hub).contains(&"MESSAGES_SNAPSHOT"));
}

struct Count {
    calls: Arc<Calls>,
    waker: Waker,
}

struct Calls(AtomicUsize, Mutex<()>);

impl Wake for Calls {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Count {
    fn new() -> Self {
        let calls = Arc::new(Calls(AtomicUsize::new(0), Mutex::new(())));
        Self { waker: Waker::from(Arc::clone(&calls)), calls }
    }

    fn context(&self) -> Context<'_> {
        Context::from_waker(&self.waker)
    }

    fn count(&self) -> usize {
        self.calls.0.load(Ordering::SeqCst)
    }
}

fn context() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

fn next(batch: &mut Batch, hub: &Hub) -> Option<Event> {
    if batch.fill(hub) { batch.take() } else { None }
}

/// The only event there is.
fn read(hub: &Hub) -> Option<Event> {
    next(&mut Batch::default(), hub)
}

fn types(hub: &Hub) -> Vec<&'static str> {
    let mut batch = Batch::default();
    std::iter::from_fn(|| next(&mut batch, hub)).map(|event| event.event_type().as_str()).collect()
}

fn names(kernel: &mut Kernel) -> Vec<String> {
    kernel
        .queue
        .drain(..)
        .filter(|event| matches!(event.event_type(), EventType::StepStarted | EventType::StepFinished))
        .filter_map(|event| event.scope_id().map(str::to_owned))
        .collect()
}

fn ids_of(kernel: &mut Kernel, act: impl FnOnce(&mut Kernel)) -> Vec<String> {
    act(kernel);
    kernel.queue.drain(..).filter_map(|event| event.scope_id().map(str::to_owned)).collect()
}
