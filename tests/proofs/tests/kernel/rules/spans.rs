//! Spans: their starts and ends, the spans that close together, and the writers that still write.

use agui_runtime::protocol::{CustomEvent, Event, EventType, JsonObject, TokenUsage};

use super::super::machine::RunKernel;
use super::super::span::{ROOT, SpanSlot};
use super::super::{Clock, Ids, Peer};
use super::{call, ids_of, input, kernel, said, subagent, subagent_end, terminal, text};
use crate::protocol::ToolSide;

pub(super) fn start_and_end() {
    let mut k = kernel();
    let opened: Vec<SpanSlot> = vec![
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

pub(super) fn left_over() {
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

pub(super) fn nothing_follows() {
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

pub(super) fn ended_author() {
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
        k.report_usage(author, TokenUsage::new().with_input_tokens(1_u32));
        assert_eq!(said(&mut k), [""; 0]);
    }
    k.end(terminal(0), None);
    let Some(Event::RunFinished(finished)) = k.queue.pop_back() else { panic!("no end") };
    assert_eq!(finished.usage, None, "what it spent later is not reported");
}

pub(super) fn closes_inner_first() {
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

pub(super) fn step_names() {
    let mut k = kernel();
    let steps: Vec<SpanSlot> = (0..3).map(|_| k.open_step(ROOT, "plan".to_owned(), None)).collect();
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

pub(super) fn step_names_by_author() {
    for (peer, second) in [(Peer::CURRENT, "plan"), (Peer::Legacy, "plan#2")] {
        let mut k = RunKernel::new(&input(), Ids::fixed("k"), Clock::silent(), peer);
        let helper = subagent(&mut k, ROOT);
        said(&mut k);
        k.open_step(ROOT, "plan".to_owned(), None);
        k.open_step(helper, "plan".to_owned(), None);
        assert_eq!(names(&mut k), ["plan", second]);
        k.close(helper, None);
        said(&mut k);
        k.open_step(ROOT, second.to_owned(), None);
        let again = if peer != Peer::Legacy { "plan#2" } else { second };
        assert_eq!(names(&mut k), [again]);
    }
}

pub(super) fn dropping_ends() {
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

fn names(kernel: &mut RunKernel) -> Vec<String> {
    kernel
        .queue
        .drain(..)
        .filter(|event| matches!(event.event_type(), EventType::StepStarted | EventType::StepFinished))
        .filter_map(|event| event.scope_id().map(str::to_owned))
        .collect()
}
