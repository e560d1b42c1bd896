//! DueWakes: the end of unanswered ones, and their owners.

use agui_runtime::protocol::{Content, Event, SubagentRunId, ToolMessage, UserMessage};

use super::super::machine::{CallResumeRefusal, CallStart, ForeignResult, ParentMessage, TerminalOutcome};
use super::super::span::ROOT;
use super::{asked, asked_of, call, kernel, kernel_after, said, subagent, terminal};
use crate::protocol::ToolSide;

pub(super) fn dropping_answers() {
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
    k.settle_call(ended, Content::Text("late".to_owned()), None);
    assert_eq!(said(&mut k), [""; 0], "a call is answered once");
}

pub(super) fn cut_off_fails() {
    for how in 0..4 {
        let mut k = kernel();
        let (open, _) = call(&mut k, ROOT, ToolSide::Frontend);
        said(&mut k);
        k.close(open, None);
        assert_eq!(said(&mut k), [""; 0], "an END would make the client act");
        k.end(terminal(how), None);
        let expected: &[&str] = if how == 3 { &["TOOL_CALL_END", "RUN_FINISHED"] } else { &["RUN_ERROR"] };
        assert_eq!(said(&mut k), expected);
    }
}

pub(super) fn cut_off_cancelled() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    call(&mut k, helper, ToolSide::Frontend);
    k.close(helper, None);
    said(&mut k);
    k.end(TerminalOutcome::Cancelled, None);
    let Some(Event::ToolCallEnd(end)) = k.queue.pop_front() else { panic!("no end") };
    assert_eq!(end.subagent_run_id.as_ref().map(SubagentRunId::as_str), Some("k-subagent-1"));
}

pub(super) fn own_call_not_answered() {
    let mut k = kernel();
    let (own, _) = call(&mut k, ROOT, ToolSide::Frontend);
    k.end_arguments(own, None);
    let scope = k.open_scope(ROOT, None);
    let (foreign, _) = call(&mut k, scope, ToolSide::Backend);
    k.end_foreign_arguments(foreign, None);
    said(&mut k);
    for by in [ROOT, scope] {
        let answer = ForeignResult { message: None, content: Content::Text("1".to_owned()) };
        k.settle_pending(by, own, answer, None);
        assert_eq!(said(&mut k), [""; 0]);
    }
    let answer = ForeignResult { message: None, content: Content::Text("1".to_owned()) };
    k.settle_pending(scope, foreign, answer, None);
    assert_eq!(said(&mut k), ["TOOL_CALL_RESULT"]);
}

pub(super) fn resumed_once() {
    let mut k = kernel_after(vec![asked("old")]);
    let (one, two) = (k.resume_call(ROOT, "old".into()), k.resume_call(ROOT, "old".into()));
    assert_eq!(two, Err(CallResumeRefusal::Twice));
    for slot in [one, one].into_iter().flatten() {
        k.settle_call(slot, Content::Text("1".to_owned()), None);
    }
    assert_eq!(said(&mut k), ["TOOL_CALL_RESULT"]);
}

pub(super) fn resumed_if_left() {
    let answer = ToolMessage::new("a", "1", "answered").into();
    let mut k = kernel_after(vec![asked("answered"), asked("old"), asked_of("client", "ask"), answer]);
    for id in ["answered", "client", "unknown"] {
        assert_eq!(k.resume_call(ROOT, id.into()), Err(CallResumeRefusal::NotLeft), "{id}");
    }
    assert!(k.resume_call(ROOT, "old".into()).is_ok());
}

pub(super) fn results_of_resumed_calls() {
    let mut k = kernel_after(vec![asked("old"), asked("dropped")]);
    let (new, _) = call(&mut k, ROOT, ToolSide::Backend);
    k.end_arguments(new, None);
    k.settle_call(new, Content::Text("of this run".to_owned()), None);
    assert!(k.results.is_empty(), "the run's own calls have theirs in the run");
    let old = k.resume_call(ROOT, "old".into()).expect("it was left");
    k.settle_call(old, Content::Text("1".to_owned()), None);
    let dropped = k.resume_call(ROOT, "dropped".into()).expect("it was left");
    k.close(dropped, None);
    let mut kept: Vec<_> = k.results.iter().map(|(id, content)| (id.as_str(), content.text())).collect();
    kept.sort();
    assert_eq!(kept, [("dropped", r#"{"error":"abandoned"}"#.into()), ("old", "1".into())]);
}

pub(super) fn parents_of_the_run() {
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
