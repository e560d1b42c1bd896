//! The terminal event and the events before it.

use agui_runtime::protocol::{
    Content, Event, Interrupt, InterruptList, RunFinishedOutcome, StateSnapshotEvent, TokenUsage, ToolCallId,
    UserMessage,
};

use super::super::machine::{CallStart, TerminalOutcome};
use super::super::span::ROOT;
use super::{asked_of, call, kernel, kernel_after, old_kernel, said, subagent, subagent_end, terminal, text};
use crate::protocol::ToolSide;

pub(super) fn terminal_closes() {
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

pub(super) fn broken_off() {
    for how in 0..5 {
        let mut k = kernel();
        let helper = subagent(&mut k, ROOT);
        for by in [ROOT, helper] {
            let slot = text(&mut k, by);
            k.break_off(slot);
        }
        k.end_subagent(helper, subagent_end(0), None);
        text(&mut k, ROOT);
        let ended = text(&mut k, ROOT);
        k.break_off(ended);
        k.close(ended, None);
        said(&mut k);
        k.end(terminal(how), None);
        let ends: &[&str] = match how {
            4 => &["TEXT_MESSAGE_END", "RUN_ERROR"],
            _ => &["TEXT_MESSAGE_END", "TEXT_MESSAGE_END", "RUN_FINISHED"],
        };
        assert_eq!(said(&mut k), ends);
    }
}

pub(super) fn nothing_broken_off() {
    for how in [3, 4] {
        for (mut k, is_old) in [(old_kernel(), true), (kernel(), false)] {
            let text = text(&mut k, ROOT);
            k.break_off(text);
            let (frontend, _) = call(&mut k, ROOT, ToolSide::Frontend);
            k.push_arguments(frontend, "{".to_owned(), None);
            said(&mut k);
            k.end(terminal(how), None);
            let ends: &[&str] = match (how, is_old) {
                (4, false) => &["RUN_ERROR"],
                (4, true) => &["TEXT_MESSAGE_END", "TOOL_CALL_END", "RUN_ERROR"],
                _ => &["TEXT_MESSAGE_END", "TOOL_CALL_END", "RUN_FINISHED"],
            };
            assert_eq!(said(&mut k), ends);
        }
    }
    // The same for a run that fails because of such a call.
    let mut k = old_kernel();
    let (frontend, _) = call(&mut k, ROOT, ToolSide::Frontend);
    k.close(frontend, None);
    said(&mut k);
    k.end(terminal(0), None);
    assert_eq!(said(&mut k), ["TOOL_CALL_END", "RUN_ERROR"]);
}

pub(super) fn pending_in_order() {
    let mut k = kernel();
    let (first, one) = call(&mut k, ROOT, ToolSide::Frontend);
    let helper = subagent(&mut k, ROOT);
    let (second, two) = call(&mut k, helper, ToolSide::Frontend);
    let (third, three) = call(&mut k, ROOT, ToolSide::Frontend);
    for slot in [third, second, first] {
        k.end_arguments(slot, None);
    }
    k.close(helper, None);
    k.end(TerminalOutcome::Success { result: None }, None);
    let Some(Event::RunFinished(finished)) = k.queue.pop_back() else { panic!("no finish") };
    let Some(RunFinishedOutcome::Success(success)) = finished.outcome else { panic!("no success") };
    assert_eq!(success.pending_tool_call_ids, Some(vec![one, two, three]));
}

pub(super) fn asked_stays() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let (slot, asked) = call(&mut k, helper, ToolSide::Backend);
    let (other, _) = call(&mut k, helper, ToolSide::Backend);
    for slot in [slot, other] {
        k.end_arguments(slot, None);
        k.leave_to_interrupt(slot);
    }
    k.end_subagent(helper, subagent_end(1), None);
    said(&mut k);
    k.settle_call(slot, Content::Text("late".to_owned()), None);
    k.close(slot, None);
    k.end(about(asked), None);
    assert_eq!(said(&mut k), ["TOOL_CALL_RESULT", "RUN_FINISHED"], "what no question names is answered");
}

pub(super) fn asked_of_the_client() {
    for earlier in ["old", "restated"] {
        let mut k = kernel_after(vec![asked_of("old", "ask")]);
        assert!(k.restate(ROOT, vec![asked_of("restated", "ask")], None).is_ok());
        said(&mut k);
        k.end(about(earlier.into()), None);
        assert_eq!(said(&mut k), ["RUN_ERROR"], "{earlier}");
    }
    let mut k = kernel_after(vec![]);
    let interrupts = InterruptList::from(Interrupt::new("i", "confirmation").with_tool_call_id("last"));
    k.end(TerminalOutcome::Interrupt { interrupts, messages: Some(vec![asked_of("last", "ask")]) }, None);
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
fn about(call: ToolCallId) -> TerminalOutcome {
    let interrupt = Interrupt::new("i", "confirmation").with_tool_call_id(call);
    TerminalOutcome::Interrupt { interrupts: InterruptList::from(interrupt), messages: None }
}

pub(super) fn declared_twice() {
    let with = |end: TerminalOutcome| {
        let mut k = kernel_after(vec![]);
        let start = CallStart { tool: "ask".into(), side: ToolSide::Backend, parent: None, id: None };
        let (slot, _) = k.open_call(ROOT, start, None);
        k.push_arguments(slot, "{}".to_owned(), None);
        k.end_arguments(slot, None);
        k.settle_call(slot, Content::Text("1".to_owned()), None);
        assert_eq!(said(&mut k), [""; 0], "the client would run it");
        k.end(end, None);
        said(&mut k)
    };
    assert_eq!(with(terminal(0)), ["RUN_ERROR"]);
    assert_eq!(with(terminal(3)), ["RUN_FINISHED"], "cancelled");
}

pub(super) fn asked_abandoned() {
    for how in [0, 1, 3, 4] {
        let mut k = kernel();
        let (slot, _) = call(&mut k, ROOT, ToolSide::Backend);
        k.end_arguments(slot, None);
        k.leave_to_interrupt(slot);
        said(&mut k);
        k.end(terminal(how), None);
        assert_eq!(said(&mut k)[0], "TOOL_CALL_RESULT");
    }
}

pub(super) fn state_before_interrupt() {
    for how in 0..5 {
        let mut k = kernel();
        text(&mut k, ROOT);
        said(&mut k);
        let end = match terminal(how) {
            TerminalOutcome::Interrupt { interrupts, .. } => TerminalOutcome::Interrupt {
                interrupts,
                messages: Some(vec![UserMessage::new("u", "hi").into()]),
            },
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
}

pub(super) fn usage_on_terminals() {
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
