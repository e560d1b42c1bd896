//! Subagents that a call made: their paths, their ids in a client's messages, and the calls that wait for them.

use agui_runtime::protocol::{
    Content, Event, Interrupt, InterruptList, MessageId, SubagentStartedEvent, ToolMessage,
};

use super::super::machine::{CallStart, ParentMessage, RunKernel, TerminalOutcome};
use super::super::span::{ROOT, SpanSlot};
use super::{asked, call, kernel, kernel_after, old_kernel, said, subagent, terminal, text};
use crate::protocol::ToolSide;

fn called(k: &mut RunKernel, by: SpanSlot) -> SpanSlot {
    k.open_subagent(by, SubagentStartedEvent::new("", "helper"), Some("called-c".into()), None).0
}

/// The path of an agent that a call runs, and the agents around it.
pub(super) fn agents_around() {
    let mut k = kernel();
    assert_eq!(k.delegate_call(ROOT, "step"), "step");
    let outer = called(&mut k, ROOT);
    k.set_agent_path(outer, "step".to_owned());
    assert_eq!(k.delegate_call(outer, "next"), "step/next");
    let inner = subagent(&mut k, outer);
    let scope = k.open_scope(inner, None);
    assert_eq!(k.agents_around(scope), [inner, outer, ROOT]);
    assert_eq!(k.agents_around(ROOT), [ROOT]);
    assert!(k.is_in_call(scope) && k.is_in_call(outer));
    let beside = subagent(&mut k, ROOT);
    assert!(!k.is_in_call(beside) && !k.is_in_call(ROOT));
}

/// The user talks to the run's own agent, and to an agent that took the conversation over from such an agent.
pub(super) fn talks_to_user() {
    let mut k = kernel();
    let took_over = SubagentStartedEvent::new("", "helper");
    let (took_over, _) = k.open_subagent(ROOT, took_over, Some("handoff-c".into()), None);
    let scope = k.open_scope(took_over, None);
    assert!(k.talks_to_user(ROOT) && k.talks_to_user(took_over) && k.talks_to_user(scope));
    let (called, other) = (called(&mut k, ROOT), subagent(&mut k, ROOT));
    let within = SubagentStartedEvent::new("", "helper");
    let (within, _) = k.open_subagent(called, within, Some("handoff-d".into()), None);
    assert!(!k.talks_to_user(called) && !k.talks_to_user(other) && !k.talks_to_user(within));
}

/// A call stays unanswered if the run ends in a question of its subagent.
pub(super) fn suspended_stays() {
    let suspended = |k: &mut RunKernel| {
        let (slot, _) = call(k, ROOT, ToolSide::Backend);
        k.end_arguments(slot, None);
        k.leave_to_subagent_interrupts(slot, vec!["q-0".into(), "q-1".into()]);
        said(k);
        k.settle_call(slot, Content::Text("late".to_owned()), None);
    };
    for (question, rest) in [("q-1", &["RUN_FINISHED"][..]), ("q-2", &["TOOL_CALL_RESULT", "RUN_FINISHED"])] {
        let mut k = kernel();
        suspended(&mut k);
        let interrupts = InterruptList::from(Interrupt::new(question, "input_required"));
        k.end(TerminalOutcome::Interrupt { interrupts, messages: None }, None);
        assert_eq!(said(&mut k), rest, "{question}");
    }
    for how in [0, 1, 3, 4] {
        let mut k = kernel();
        suspended(&mut k);
        k.end(terminal(how), None);
        assert_eq!(said(&mut k)[0], "TOOL_CALL_RESULT");
    }
    let mut k = kernel_after(vec![asked("one")]);
    let slot = k.resume_call(ROOT, "one".into()).expect("it was left");
    k.leave_to_subagent_interrupts(slot, vec!["q-0".into()]);
    assert!(k.restate(ROOT, vec![ToolMessage::new("answer", "1", "one").into()], None).is_ok());
    said(&mut k);
    k.end(terminal(0), None);
    assert_eq!(said(&mut k), ["RUN_FINISHED"], "a restated answer is the answer");
}

/// The ids of the next messages of an author: a text, a thought, the carrier of a call, and the parent that a call names.
fn ids(k: &mut RunKernel, by: SpanSlot) -> [Option<MessageId>; 4] {
    k.queue.clear();
    let open = text(k, by);
    let (id, _, tag) = k.text_of(open).expect("it is open");
    k.open_reasoning_message(by, None, None);
    call(k, by, ToolSide::Backend);
    let parent = Some(ParentMessage { id, tag });
    k.open_call(by, CallStart { tool: "search".into(), side: ToolSide::Backend, parent, id: None }, None);
    let id = |event: &Event| match event {
        Event::TextMessageStart(start) => Some(start.message_id.clone()),
        Event::ReasoningMessageStart(start) => Some(start.message_id.clone()),
        Event::ToolCallStart(start) => start.parent_message_id.clone(),
        _ => None,
    };
    let ids: Vec<_> = k.queue.iter().map(id).collect();
    ids.try_into().expect("there are four")
}

/// The messages of a called subagent name it, where a client sees no authors.
pub(super) fn authors_in_ids() {
    let mut k = old_kernel();
    let helper = called(&mut k, ROOT);
    let [text, thought, carrier, parent] = ids(&mut k, helper);
    assert_eq!(parent, text, "a parent that is named stays");
    for id in [text, thought, carrier] {
        assert!(id.as_ref().is_some_and(|id| id.as_str().ends_with("@called-c")), "{id:?}");
    }
    let turn = k.parent_of_calls(helper, None);
    assert!(turn.as_str().ends_with("@called-c"));
    let other = subagent(&mut k, ROOT);
    let current = &mut kernel();
    let of_current = called(current, ROOT);
    for [text, thought, carrier, parent] in [ids(&mut k, other), ids(&mut k, ROOT), ids(current, of_current)]
    {
        assert!(carrier.is_none() && parent == text);
        for id in [text, thought] {
            assert!(id.as_ref().is_some_and(|id| !id.as_str().contains('@')), "{id:?}");
        }
    }
}
