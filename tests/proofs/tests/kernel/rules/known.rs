//! Messages and calls the kernel knows: of the input, of this run, of the restated conversation.

use agui_runtime::protocol::{
    ActivityMessage, AssistantMessage, Content, Event, FunctionCall, Interrupt, JsonObject, Message,
    MessageId, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, RunAgentInput, TokenUsage,
    ToolCall, ToolMessage, UserMessage,
};

use super::super::machine::{CallStart, ForeignResult, ParentMessage, RunKernel, TerminalOutcome, TextStart};
use super::super::span::{ROOT, SpanSlot};
use super::super::{Clock, Ids, Peer};
use super::{asked, call, kernel, kernel_after, said, subagent, subagent_end, terminal, text};
use crate::protocol::ToolSide;

fn start(parent: Option<ParentMessage>, id: Option<&str>) -> CallStart {
    CallStart { tool: "search".into(), side: ToolSide::Backend, parent, id: id.map(Into::into) }
}

fn names_parent(k: &mut RunKernel, by: SpanSlot, id: &str, said_by: SpanSlot) -> bool {
    let parent = Some(ParentMessage { id: id.into(), tag: k.tag_of(said_by) });
    let (slot, _) = k.open_call(by, start(parent, None), None);
    let named = k.carrier_of(slot).is_some();
    k.close(slot, None);
    named
}

/// A call names a message of its own author, and the receipt must name that author too.
pub(super) fn parents() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    for (id, by) in [("of the run", ROOT), ("of the helper", helper)] {
        let slot = k.open_text(by, TextStart { id: Some(id.into()), ..TextStart::default() }, None);
        k.close(slot, None);
    }
    assert!(names_parent(&mut k, helper, "of the helper", helper));
    assert!(!names_parent(&mut k, helper, "of the helper", ROOT), "the receipt is another author's");
    assert!(!names_parent(&mut k, helper, "of the run", helper), "the message is another author's");
    // A call without a message is carried by one of its own id.
    let (slot, id) = call(&mut k, helper, ToolSide::Backend);
    k.close(slot, None);
    assert!(names_parent(&mut k, helper, id.as_str(), helper));
    // An id keeps the kind it has.
    let slot = k.open_reasoning_message_as(helper, "of the helper".into(), None);
    k.close(slot, None);
    assert!(names_parent(&mut k, helper, "of the helper", helper));
}

/// Every message of the input is known. If two messages have one id, the first decides the kind.
pub(super) fn inputs() {
    let ids = ["f", "e", "d", "c", "b", "a"];
    let mut messages: Vec<Message> = ids.map(|id| UserMessage::new(id, "hello").into()).into();
    messages.extend(["c", "c"].map(|id| ToolMessage::new(id, "1", "call").into()));
    let mut k = kernel_after(messages);
    for id in ids {
        assert!(names_parent(&mut k, ROOT, id, ROOT), "{id}");
    }
    assert!(!k.conversation.knows("g"));
}

/// A text and a call that continue after they were restated keep their author and their message.
pub(super) fn continued_after_a_restatement() {
    let mut k = kernel();
    let (helper, beside) = (subagent(&mut k, ROOT), subagent(&mut k, ROOT));
    let tag = k.tag_of(helper);
    let text = k.open_text(helper, TextStart { id: Some("m".into()), ..TextStart::default() }, None);
    k.close(text, None);
    let parent = || Some(ParentMessage { id: "m".into(), tag: tag.clone() });
    let (call, id) = k.open_call(helper, start(parent(), None), None);
    k.end_foreign_arguments(call, None);
    let called = ToolCall::new(id, FunctionCall::new("search", "{}"));
    let told = AssistantMessage::new("m").with_tool_calls(vec![called]);
    let told = told.with_subagent_run_id(tag.clone().expect("it is a subagent"));
    assert!(k.restate(beside, vec![told.into()], None).is_ok());
    said(&mut k);
    let text = k.open_text_as(helper, "m".into(), TextStart::default(), None);
    k.close(text, None);
    k.reopen_call(helper, call, start(parent(), None), None);
    let Some(Event::ToolCallStart(again)) = k.queue.back() else { panic!("no start") };
    assert_eq!(again.parent_message_id.as_ref().map(MessageId::as_str), Some("m"));
    assert!(k.queue.iter().all(|event| event.subagent_run_id() == tag.as_ref()));
}

/// Results are messages, too.
pub(super) fn results() {
    let mut k = kernel();
    let (slot, _) = call(&mut k, ROOT, ToolSide::Backend);
    k.close(slot, None);
    let (slot, _) = call(&mut k, ROOT, ToolSide::Backend);
    k.end_foreign_arguments(slot, None);
    let answer = ForeignResult { message: None, content: Content::Text("1".to_owned()) };
    k.settle_pending(ROOT, slot, answer, None);
    let results = k.queue.iter().filter_map(|event| match event {
        Event::ToolCallResult(result) => Some(result.message_id.clone()),
        _ => None,
    });
    let results: Vec<MessageId> = results.collect();
    assert_eq!(results.len(), 2);
    let subtype = ReasoningEncryptedValueSubtype::Message;
    let shown = k.open_activity(ROOT, "PLAN".into(), JsonObject::new(), None, None);
    let shown = k.message_id_of(shown).expect("it is open").clone();
    said(&mut k);
    for id in results.iter().chain([&shown]) {
        assert!(k.conversation.knows(id.as_str()));
        k.encrypt(ROOT, ReasoningEncryptedValueEvent::new(subtype, id.as_str(), "signed"), None);
        assert_eq!(said(&mut k), [""; 0], "only texts and thoughts have encrypted values");
    }
}

/// The run does not give an id again that an earlier run gave; other ids of the conversation can be taken.
pub(super) fn lookalikes() {
    let calls = vec![ToolCall::new("k-call-1", FunctionCall::new("search", "{}"))];
    let messages: Vec<Message> = vec![
        AssistantMessage::new("old").with_tool_calls(calls).into(),
        UserMessage::new("k-subagent-1", "hello").into(),
        UserMessage::new("k-message-1", "hello").into(),
    ];
    let mut input = RunAgentInput::new("t", "r", messages).with_protocol_version("1.0");
    let answers = ["sure#k-interrupt-1#c", "sure#x-interrupt-1#c"]
        .map(|id| serde_json::json!({"interruptId": id, "status": "resolved", "payload": 1}));
    let answers: Vec<agui_runtime::protocol::ResumeEntry> =
        answers.into_iter().map(|answer| serde_json::from_value(answer).expect("an answer")).collect();
    input.resume = Some(answers.into());
    let new = || RunKernel::new(&input, Ids::fixed("k"), Clock::silent(), Peer::CURRENT);
    assert_ne!(call(&mut new(), ROOT, ToolSide::Backend).1.as_str(), "k-call-1");
    assert_ne!(new().new_interrupt().as_str(), "k-interrupt-1");
    assert_ne!(new().open_subagent(ROOT, started(), None, None).1.as_str(), "k-subagent-1");
    assert_ne!(new().foreign_message(None).as_str(), "k-message-1");
    let mut k = new();
    assert_eq!(k.foreign_message(Some("old".into())).as_str(), "old");
    assert_eq!(k.foreign_message(Some("x-interrupt-1".into())).as_str(), "x-interrupt-1");
    assert_eq!(k.open_subagent(ROOT, started(), Some("chosen".into()), None).1.as_str(), "chosen");
    assert_eq!(k.open_call(ROOT, start(None, Some("c")), None).1.as_str(), "c");
    assert_ne!(k.open_call(ROOT, start(None, Some("c")), None).1.as_str(), "c");
}

fn started() -> agui_runtime::protocol::SubagentStartedEvent {
    agui_runtime::protocol::SubagentStartedEvent::new("", "helper")
}

/// An interrupt may ask about every call that the client does not answer, also about calls of other authors.
pub(super) fn asked_about_calls_of_others() {
    for (side, ends) in [(ToolSide::Backend, "RUN_FINISHED"), (ToolSide::Frontend, "RUN_ERROR")] {
        let mut k = kernel();
        let (slot, id) = call(&mut k, ROOT, side);
        k.end_foreign_arguments(slot, None);
        said(&mut k);
        let interrupt = Interrupt::new("q", "input_required").with_tool_call_id(id);
        k.end(TerminalOutcome::Interrupt { interrupts: interrupt.into(), messages: None }, None);
        assert_eq!(said(&mut k), [ends]);
    }
    let mut k = kernel();
    let (_, id, _) = k.note_call(ROOT, None, None);
    let interrupt = Interrupt::new("q", "input_required").with_tool_call_id(id);
    k.end(TerminalOutcome::Interrupt { interrupts: interrupt.into(), messages: None }, None);
    assert_eq!(said(&mut k), ["RUN_FINISHED"]);
    // The tools of the client are called by frontend calls.
    let mut k = kernel_after(vec![]);
    call(&mut k, ROOT, ToolSide::Frontend);
    assert_eq!(said(&mut k), ["TOOL_CALL_START"]);
    let mut k = kernel_after(vec![asked("old")]);
    assert!(k.resume_call(ROOT, "old".into()).is_ok());
    assert!(!k.conversation.is_left_call(&"old".into()), "it was taken up");
}

/// An operation that is not allowed changes nothing.
pub(super) fn nothing_done() {
    // Only a text breaks off.
    let mut k = kernel();
    let step = k.open_step(ROOT, "s".to_owned(), None);
    k.break_off(step);
    said(&mut k);
    k.end(terminal(4), None);
    assert_eq!(said(&mut k), ["STEP_FINISHED", "RUN_ERROR"]);
    // A run that can only fail restates nothing.
    let mut k = kernel();
    let (cut_off, _) = call(&mut k, ROOT, ToolSide::Frontend);
    k.close(cut_off, None);
    said(&mut k);
    assert!(k.restate(ROOT, vec![], None).is_ok());
    assert_eq!(said(&mut k), [""; 0]);
    // The fields of a change that was not sent come back.
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let plan = k.open_activity(ROOT, "PLAN".into(), JsonObject::new(), None, None);
    let shown = ActivityMessage::new("shown", "PLAN", JsonObject::new());
    assert!(k.restate(helper, vec![shown.into()], None).is_ok());
    let fields = Some(Box::default());
    assert!(matches!(k.change_activity(plan, Default::default(), fields), Err(Some(_))));
    // Closed spans are reported once.
    let mut k = kernel();
    assert!(!k.has_closed());
    let slot = text(&mut k, ROOT);
    assert!(!k.has_closed());
    k.close(slot, None);
    assert!(k.has_closed() && !k.has_closed());
}

/// The tokens of a subagent count for the run, and an unnamed scope in it writes with its tag.
pub(super) fn of_a_subagent() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let scope = k.open_scope(helper, None);
    assert_eq!(k.tag_of(scope), k.tag_of(helper));
    k.report_usage(helper, TokenUsage::default());
    k.end_subagent(helper, subagent_end(0), None);
    k.end(terminal(0), None);
    let Some(Event::RunFinished(finished)) = k.queue.pop_back() else { panic!("no finish") };
    assert_eq!(finished.usage.map(|usage| usage.len()), Some(1));
}
