//! The contents of events.

use agui_runtime::protocol::{
    ActivityMessage, ActivitySnapshotEvent, Content, Event, InterruptId, JsonObject, JsonPatch, Metadata,
    NonNull, RunFinishedOutcome, SubagentFinishedOutcome, SubagentRunId, SubagentStartedEvent,
    TextMessageRole, ToolMessage, UserMessage,
};
use serde_json::json;

use super::super::machine::{RunKernel, SubagentEnd, TerminalOutcome, TextStart};
use super::super::span::{ROOT, RunSpan, SpanSlot};
use super::{asked, call, kernel, kernel_after, old_kernel, said, subagent, subagent_end, terminal, text};
use crate::protocol::ToolSide;

fn only(k: &mut RunKernel) -> Event {
    let event = k.queue.pop_front().expect("something was said");
    assert!(k.queue.is_empty(), "{:?}", k.queue);
    event
}

/// Texts have the given content, under the ids of the foreign stream if those are free.
pub(super) fn texts() {
    let mut k = kernel();
    let start =
        TextStart { role: Some(TextMessageRole::System), name: Some("n".to_owned()), id: Some("m".into()) };
    let slot = k.send_text(ROOT, "hello".to_owned(), start, None);
    let (first, second) = (k.queue.pop_front(), k.queue.pop_front());
    let Some(Event::TextMessageStart(start)) = first else { panic!("no start") };
    assert_eq!((start.message_id.as_str(), start.role), ("m", Some(TextMessageRole::System)));
    assert_eq!(start.name.as_deref(), Some("n"));
    assert!(matches!(second, Some(Event::TextMessageContent(content)) if content.delta == "hello"));
    assert_eq!(k.message_id_of(slot).map(|id| id.as_str()), Some("m"));
    k.send_text(ROOT, String::new(), TextStart::default(), None);
    assert_eq!(said(&mut k), ["TEXT_MESSAGE_START"], "an empty text has no content");

    let openings: [fn(&mut RunKernel) -> SpanSlot; 3] = [
        |k| k.open_reasoning(ROOT, Some("chosen".into()), None),
        |k| k.open_reasoning_message(ROOT, Some("chosen".into()), None),
        |k| k.open_activity(ROOT, "PLAN".into(), JsonObject::new(), Some("chosen".into()), None),
    ];
    for open in openings {
        let mut k = kernel();
        let slot = open(&mut k);
        assert_eq!(k.message_id_of(slot).map(|id| id.as_str()), Some("chosen"));
        assert_eq!(only(&mut k).scope_id().unwrap_or("chosen"), "chosen");
    }
    let mut k = kernel();
    assert_eq!(k.foreign_message(Some("theirs".into())).as_str(), "theirs");
    assert_ne!(k.foreign_message(Some("theirs".into())).as_str(), "theirs");
    let parent = k.parent_of_calls(ROOT, Some("parent".into()));
    assert!(parent.as_str() == "parent" && k.conversation.knows("parent"));
    assert!(!k.conversation.knows("theirs"), "nothing was said of it");
}

/// Activities replace the earlier content under an id of their own; a foreign stream can continue them.
pub(super) fn activities() {
    let mut k = kernel();
    let slot = k.open_activity(ROOT, "PLAN".into(), JsonObject::new(), None, None);
    assert!(matches!(only(&mut k), Event::ActivitySnapshot(shown) if shown.replace == Some(true)));
    k.restart_activity(slot, JsonObject::new(), None);
    assert!(matches!(only(&mut k), Event::ActivitySnapshot(shown) if shown.replace == Some(true)));

    let theirs = || ActivitySnapshotEvent::new("theirs", "PLAN", Box::default()).with_subagent_run_id("x");
    let (slot, id) = k.open_foreign_activity(ROOT, theirs(), Some("chosen".into()), None);
    assert_eq!(id.as_str(), "chosen");
    let Event::ActivitySnapshot(shown) = only(&mut k) else { panic!("no activity") };
    assert_eq!((shown.message_id.as_str(), shown.subagent_run_id), ("chosen", None));
    assert!(matches!(k.spans[&slot].span, RunSpan::Activity { is_lost: false, .. }));
    let beside = subagent(&mut k, ROOT);
    let told = ActivityMessage::new("shown", "PLAN", JsonObject::new());
    assert!(k.restate(beside, vec![told.into()], None).is_ok());
    said(&mut k);
    let delta = || agui_runtime::protocol::ActivityDeltaEvent::new("chosen", "PLAN", JsonPatch::default());
    assert!(!k.forward_activity(slot, delta().into(), None));
    assert!(k.forward_activity(slot, theirs().into(), None));
    assert!(k.forward_activity(slot, delta().into(), None), "it was shown whole");
    assert_eq!(said(&mut k), ["ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"]);
    let text = text(&mut k, ROOT);
    said(&mut k);
    assert!(k.forward_activity(text, delta().into(), None));
    assert_eq!(said(&mut k), [""; 0], "a text is no activity");
}

/// Deltas of calls and reasoning go out while these are open.
pub(super) fn deltas() {
    let mut k = kernel();
    let (slot, _) = call(&mut k, ROOT, ToolSide::Backend);
    let thought = k.open_reasoning_message(ROOT, None, None);
    said(&mut k);
    k.push_arguments(slot, "{}".to_owned(), None);
    k.push_reasoning(thought, "hm".to_owned(), None);
    k.push_arguments(thought, "{}".to_owned(), None);
    k.push_reasoning(slot, "hm".to_owned(), None);
    k.end_arguments(slot, None);
    k.push_arguments(slot, "{}".to_owned(), None);
    assert_eq!(said(&mut k), ["TOOL_CALL_ARGS", "REASONING_MESSAGE_CONTENT", "TOOL_CALL_END"]);
    k.settle_call(thought, Content::Text("1".to_owned()), None);
    k.leave_to_interrupt(thought);
    assert!(k.spans.contains_key(&thought), "only a call is answered");
}

/// The names of steps while other steps of that name are open.
pub(super) fn step_names() {
    let mut k = kernel();
    let open = |k: &mut RunKernel, name: &str| {
        let slot = k.open_step(ROOT, name.to_owned(), None);
        let Event::StepStarted(step) = only(k) else { panic!("no step") };
        (slot, step.step_name)
    };
    let close = |k: &mut RunKernel, slot: SpanSlot| {
        k.close(slot, None);
        said(k);
    };
    let (taken, name) = open(&mut k, "a#3");
    assert_eq!(name, "a#3");
    let (first, name) = open(&mut k, "a");
    assert_eq!(name, "a");
    let (second, name) = open(&mut k, "a");
    assert_eq!(name, "a#2");
    let (_, name) = open(&mut k, "a");
    assert_eq!(name, "a#4", "the third is taken");
    close(&mut k, second);
    let (_, name) = open(&mut k, "a");
    assert_eq!(name, "a#5", "names are looked for behind the last");
    close(&mut k, taken);
    close(&mut k, first);
    assert_eq!(open(&mut k, "a").1, "a");
}

/// The end of a subagent has its outcome.
pub(super) fn ends_of_subagents() {
    let end = |end: SubagentEnd| {
        let mut k = kernel();
        let helper = subagent(&mut k, ROOT);
        said(&mut k);
        k.end_subagent(helper, end, None);
        only(&mut k)
    };
    let result = NonNull::new(json!(1));
    let Event::SubagentFinished(finished) = end(SubagentEnd::Success { result: result.clone() }) else {
        panic!("no finish")
    };
    assert_eq!(finished.result, result);
    let suspended = |interrupts| match end(SubagentEnd::Suspended { interrupts }) {
        Event::SubagentFinished(finished) => match finished.outcome {
            Some(SubagentFinishedOutcome::Suspended(outcome)) => outcome.interrupt_ids,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert_eq!(suspended(vec![]), None);
    assert_eq!(suspended(vec![InterruptId::from("i")]), Some(vec![InterruptId::from("i")]));
    let failed = end(SubagentEnd::Failed { message: "no".to_owned(), code: Some("c".to_owned()) });
    assert!(matches!(failed, Event::SubagentError(error) if error.code.as_deref() == Some("c")));

    let mut k = kernel();
    let text = text(&mut k, ROOT);
    said(&mut k);
    k.end_subagent(text, subagent_end(0), None);
    assert!(k.spans.contains_key(&text) && k.queue.is_empty(), "a text is no subagent");
    // The start has the id that the events of the subagent are tagged with.
    let (helper, id) = k.open_subagent(ROOT, SubagentStartedEvent::new("other", "helper"), None, None);
    assert!(matches!(only(&mut k), Event::SubagentStarted(start) if start.subagent_run_id == id));
    // The nearest announced subagent is the parent, whatever scopes are in between.
    let scope = k.open_scope(helper, None);
    k.open_subagent(scope, SubagentStartedEvent::new("", "helper"), None, None);
    assert!(
        matches!(only(&mut k), Event::SubagentStarted(start) if start.parent_subagent_run_id == Some(id))
    );
    // A scope writes with the tag that it was given.
    let tag = k.foreign_tag(SubagentRunId::from("theirs"));
    assert_eq!(tag.as_str(), "theirs");
    assert_ne!(k.foreign_tag(SubagentRunId::from("theirs")).as_str(), "theirs");
    let scope = k.open_scope(helper, Some(tag.clone()));
    assert_eq!(k.tag_of(scope), Some(tag));
}

/// The terminal event has the result of the run, or the reason of its failure.
pub(super) fn ends_of_runs() {
    let end = |mut k: RunKernel, terminal: TerminalOutcome| {
        said(&mut k);
        k.end(terminal, None);
        k.queue.pop_back().expect("a run ends")
    };
    let result = NonNull::new(json!(1));
    let Event::RunFinished(finished) = end(kernel(), TerminalOutcome::Success { result: result.clone() })
    else {
        panic!("no finish")
    };
    assert_eq!((finished.thread_id.as_str(), finished.run_id.as_str()), ("t", "r"));
    assert_eq!(finished.result, result);
    let Some(RunFinishedOutcome::Success(success)) = finished.outcome else { panic!("no success") };
    assert_eq!(success.pending_tool_call_ids, None, "there are none");

    let code = |event| match event {
        Event::RunError(error) => error.code,
        other => panic!("{other:?}"),
    };
    let own = TerminalOutcome::Failed { message: "no".to_owned(), code: Some("own".to_owned()) };
    assert_eq!(code(end(kernel(), own.clone())).as_deref(), Some("own"));
    let mut k = kernel();
    let (cut, _) = call(&mut k, ROOT, ToolSide::Frontend);
    k.close(cut, None);
    assert_eq!(code(end(k.clone(), own)).as_deref(), Some("own"), "the first failure is told");
    assert_eq!(code(end(k, terminal(0))).as_deref(), Some("tool_call_cut_off"));
    let mut k = kernel_after(vec![]);
    k.open_call(
        ROOT,
        super::super::machine::CallStart {
            tool: "ask".into(),
            side: ToolSide::Backend,
            parent: None,
            id: None,
        },
        None,
    );
    assert_eq!(code(end(k, terminal(0))).as_deref(), Some("tool_declared_twice"));
    let k = kernel_after(vec![super::asked_of("i", "ask")]);
    let interrupt = agui_runtime::protocol::Interrupt::new("q", "input_required").with_tool_call_id("i");
    let about = TerminalOutcome::Interrupt { interrupts: interrupt.into(), messages: None };
    assert_eq!(code(end(k, about)).as_deref(), Some("interrupt_about_frontend_call"));
    // A subagent that has ended makes no calls.
    let mut k = kernel_after(vec![]);
    let helper = subagent(&mut k, ROOT);
    k.end_subagent(helper, subagent_end(0), None);
    call_of_the_client(&mut k, helper);
    assert!(matches!(end(k, terminal(0)), Event::RunFinished(_)));
    // A legacy client gets the same.
    assert!(matches!(end(old_kernel(), terminal(0)), Event::RunFinished(_)));
}

fn call_of_the_client(k: &mut RunKernel, by: SpanSlot) {
    let start = super::super::machine::CallStart {
        tool: "ask".into(),
        side: ToolSide::Backend,
        parent: None,
        id: None,
    };
    k.open_call(by, start, None);
}

/// The ids of a restated conversation are not given again, and its calls are not resumed.
pub(super) fn restated_ids() {
    let mut k = kernel();
    assert!(k.restate(ROOT, vec![asked("theirs")], None).is_ok());
    let (_, id, _) = k.note_call(ROOT, Some("theirs".into()), None);
    assert_ne!(id.as_str(), "theirs");
    let mut k = kernel_after(vec![asked("old"), ToolMessage::new("a", "1", "old").into()]);
    assert!(k.resume_call(ROOT, "old".into()).is_err());
}

/// A user message that joins the run is whole, under the client's id, which is taken afterwards.
pub(super) fn joined_messages() {
    let mut k = kernel();
    let metadata = Metadata::from_iter([("acme/of", json!("Ada"))]);
    let mut message = UserMessage::new("u", "hello");
    (message.name, message.metadata) = (Some("Ada".to_owned()), Some(metadata.clone()));
    k.join_user_message(&message);
    let events: Vec<_> = k.queue.drain(..).collect();
    let [Event::TextMessageStart(start), Event::TextMessageContent(content), Event::TextMessageEnd(end)] =
        events.as_slice()
    else {
        panic!("{events:?}")
    };
    assert_eq!(
        (start.message_id.as_str(), start.role, start.name.as_deref()),
        ("u", Some(TextMessageRole::User), Some("Ada"))
    );
    assert_eq!(start.metadata.as_ref(), Some(&metadata));
    assert_eq!(
        (content.message_id.as_str(), content.delta.as_str(), end.message_id.as_str()),
        ("u", "hello", "u")
    );
    let again = k.open_text(ROOT, TextStart { id: Some("u".into()), ..TextStart::default() }, None);
    assert_ne!(k.message_id_of(again).map(|id| id.as_str().to_owned()), Some("u".to_owned()));
}
