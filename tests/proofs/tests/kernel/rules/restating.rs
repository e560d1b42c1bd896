//! The restated conversation, and later events that must agree with it.

use agui_runtime::protocol::{
    ActivityDeltaEvent, ActivityMessage, Content, Event, FunctionCall, JsonObject, JsonPatch, Message,
    MessageId, ReasoningMessage, ToolMessage, UserMessage,
};

use super::super::machine::{CallStart, ParentMessage, RunKernel, TextStart};
use super::super::span::{ROOT, SpanSlot};
use super::{asked, call, kernel, kernel_after, said, subagent, terminal, text};
use crate::protocol::ToolSide;

pub(super) fn restating_waits() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let of_helper = text(&mut k, helper);
    said(&mut k);
    assert!(k.restate(ROOT, vec![], None).is_ok(), "what the parent agent cannot reach is closed");
    assert_eq!(said(&mut k), ["TEXT_MESSAGE_END", "SUBAGENT_ERROR", "MESSAGES_SNAPSHOT"]);
    k.push_text(of_helper, "late".to_owned(), None);
    assert_eq!(said(&mut k), [""; 0]);

    let helper = subagent(&mut k, ROOT);
    let openings: [fn(&mut RunKernel) -> SpanSlot; 5] = [
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

pub(super) fn restated_parents() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let message = text(&mut k, ROOT);
    let (id, _, tag) = k.text_of(message).expect("it is open");
    k.close(message, None);
    let parent = |k: &mut RunKernel, by: SpanSlot| {
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

pub(super) fn restated_authors() {
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

pub(super) fn reopened_parents() {
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
    let start = |parent: &Option<ParentMessage>| CallStart {
        tool: "search".into(),
        side: ToolSide::Backend,
        parent: parent.clone(),
        id: None,
    };
    let (call, call_id) = k.open_call(helper, start(&first), None);
    k.end_foreign_arguments(call, None);
    let again = |k: &mut RunKernel, parent: &Option<ParentMessage>| {
        said(k);
        k.reopen_call(helper, call, start(parent), None);
        k.end_foreign_arguments(call, None);
        let Some(Event::ToolCallStart(start)) = k.queue.pop_front() else { panic!("no start") };
        start.parent_message_id.map(|id| id.as_str().to_owned())
    };
    assert_eq!(again(&mut k, &second), None, "it is in another message already");
    assert_eq!(again(&mut k, &first).as_deref(), Some("first"));
    let asked = agui_runtime::protocol::ToolCall::new(call_id, FunctionCall::new("search", "{}"));
    // A conversation may have an id twice; the client uses the last, and the message of each call.
    let told = agui_runtime::protocol::AssistantMessage::new("first").with_tool_calls(vec![asked]);
    let own = agui_runtime::protocol::AssistantMessage::new("first");
    let own = own.with_subagent_run_id(tag.clone().expect("it is a subagent"));
    let told = told.with_subagent_run_id("somebody");
    let nested = subagent(&mut k, ROOT);
    assert!(k.restate(nested, vec![told.into(), own.into()], None).is_ok());
    assert_eq!(again(&mut k, &first), None, "the client thinks the call somebody else's");
}

pub(super) fn restated_step_names() {
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

pub(super) fn restated_kinds() {
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
    let ids = |k: &mut RunKernel| {
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

pub(super) fn restated_openers() {
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
    assert!(
        k.restate(ROOT, vec![UserMessage::new("m", "hi").with_name("Ada").into(), told.into()], None).is_ok()
    );
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
    let chunk = agui_runtime::protocol::ToolCallChunkEvent::new()
        .with_tool_call_id("c")
        .with_tool_call_name("search");
    k.pass_chunk(ROOT, "c", chunk.with_parent_message_id("m").into(), None);
    let Some(Event::ToolCallChunk(chunk)) = k.queue.pop_back() else { panic!("no chunk") };
    assert_eq!((chunk.tool_call_name.as_deref(), chunk.parent_message_id), (Some("find"), None));
}

pub(super) fn restated_activities() {
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

pub(super) fn restated_answers() {
    let mut k = kernel_after(vec![asked("one"), asked("two"), asked("three")]);
    let helper = subagent(&mut k, ROOT);
    let held = k.resume_call(ROOT, "one".into()).expect("it was left");
    let left_to_an_interrupt = k.resume_call(ROOT, "two".into()).expect("it was left");
    k.leave_to_interrupt(left_to_an_interrupt);
    let answers =
        ["one", "two", "three"].map(|call| ToolMessage::new(format!("{call}-answer"), "1", call).into());
    assert!(k.restate(helper, answers.into(), None).is_ok());
    said(&mut k);
    k.settle_call(held, Content::Text("1".to_owned()), None);
    assert!(k.resume_call(ROOT, "three".into()).is_err());
    k.end(terminal(0), None);
    assert_eq!(said(&mut k), ["SUBAGENT_ERROR", "RUN_FINISHED"]);
}
