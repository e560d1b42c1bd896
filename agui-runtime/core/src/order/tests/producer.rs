//! The rules for producers, one by one.

use super::events::{self, *};
use super::{breaks, breaks_for, fine, fine_for};
use crate::order::{OrderRule, OrderStrictness, OrderVerifier};
use crate::protocol::{
    Event, Interrupt, MessageId, ReasoningMessageChunkEvent, RunAgentInput, RunFinishedInterruptOutcome,
    RunStartedEvent, TextMessageChunkEvent, TextMessageRole, TextMessageStartEvent, Tool, ToolCallChunkEvent,
    ToolCallStartEvent, UserMessage,
};

fn confirm(id: &str) -> Event {
    ToolCallStartEvent::new(id, "confirm").into()
}

fn declared(verifier: OrderVerifier) -> OrderVerifier {
    verifier.with_frontend_tools(["confirm"])
}

fn interrupt_of(call: &str) -> Event {
    finish_as(RunFinishedInterruptOutcome::new(Interrupt::new("i", "tool_call").with_tool_call_id(call)))
}

#[test]
fn a_run_declares_the_protocol_version_of_its_producer() {
    breaks(OrderRule::NoProtocolVersion, &[RunStartedEvent::new("t", "r").into()]);
}

#[test]
fn a_chunk_is_refused_before_its_expansion() {
    let chunks: [Event; 3] = [
        TextMessageChunkEvent::new().with_message_id(MessageId::from("m")).into(),
        ToolCallChunkEvent::new().into(),
        ReasoningMessageChunkEvent::new().into(),
    ];
    for chunk in chunks {
        breaks(OrderRule::ChunkNotExpanded, &[start(), chunk]);
    }
}

#[test]
fn a_call_has_one_result_after_its_end() {
    breaks(OrderRule::ResultBeforeEnd, &[start(), call("c"), result("c")]);
    breaks(OrderRule::ResultBeforeEnd, &[start(), call("c"), end_call("c"), call("c"), result("c")]);
    breaks(
        OrderRule::SecondResult,
        &[start(), call("c"), end_call("c"), result("c"), result_as("again", "c")],
    );
    breaks(OrderRule::ResultOfUnknownCall, &[start(), result("c")]);
    breaks(OrderRule::CallAfterResult, &[start(), call("c"), end_call("c"), result("c"), call("c")]);
    fine(&[start(), call("c"), end_call("c"), call("c"), end_call("c"), result("c"), finish()]);
}

#[test]
fn calls_of_the_conversation_can_be_answered() {
    let resumed = start_with(vec![called("m", &[("c", "tool")])]);
    fine(&[resumed.clone(), result("c"), finish()]);
    breaks(OrderRule::SecondResult, &[resumed, result("c"), result_as("again", "c")]);
    breaks(
        OrderRule::SecondResult,
        &[start_with(vec![called("m", &[("c", "tool")]), answered("a", "c")]), result("c")],
    );
    fine(&[start(), snapshot(vec![called("m", &[("c", "tool")])]), result("c"), finish()]);
    // Also if the run does not echo its input, and in a later run of the stream.
    let input = RunAgentInput::new("t", "r", [called("m", &[("c", "tool")])]);
    fine_for(&|verifier| verifier.for_input(&input), &[start(), result("c"), finish()]);
    fine(&[
        start(),
        call("c"),
        end_call("c"),
        finish(),
        start_of("t", "r2"),
        result("c"),
        finish_of("t", "r2"),
    ]);
    // A call that a failure cut off cannot be answered.
    breaks(OrderRule::ResultOfUnknownCall, &[start(), call("c"), fail(), start_of("t", "r2"), result("c")]);
}

#[test]
fn a_call_of_a_frontend_tool_is_not_answered() {
    breaks_for(
        &declared,
        OrderRule::ResultOfFrontendCall,
        &[start(), confirm("c"), end_call("c"), result("c")],
    );
    let asked = called("m", &[("c", "confirm")]);
    breaks_for(&declared, OrderRule::ResultOfFrontendCall, &[start_with(vec![asked]), result("c")]);
    let input = RunAgentInput::new("t", "r", []).with_tools(vec![Tool::new("confirm", "asks")]);
    let answering = |verifier: OrderVerifier| verifier.for_input(&input);
    breaks_for(
        &answering,
        OrderRule::ResultOfFrontendCall,
        &[start(), confirm("c"), end_call("c"), result("c")],
    );
    // Other tools are answered, and an undeclared tool counts as a backend tool.
    fine_for(&declared, &[start(), call("c"), end_call("c"), result("c"), finish()]);
    fine(&[start(), confirm("c"), end_call("c"), result("c"), finish()]);
}

#[test]
fn a_frontend_call_does_not_interrupt_the_run() {
    breaks_for(
        &declared,
        OrderRule::InterruptOfFrontendCall,
        &[start(), confirm("c"), end_call("c"), interrupt_of("c")],
    );
    fine_for(&declared, &[start(), call("c"), end_call("c"), interrupt_of("c")]);
    fine_for(&declared, &[start(), confirm("c"), end_call("c"), finish_pending(&["c"])]);
}

#[test]
fn pending_calls_are_named_exactly_and_in_order() {
    let calls = || {
        vec![
            start(),
            call("b"),
            call("a"),
            end_call("a"),
            end_call("b"),
            call("x"),
            end_call("x"),
            result("x"),
        ]
    };
    let with = |named: &[&str]| calls().into_iter().chain([finish_pending(named)]).collect::<Vec<_>>();
    fine(&with(&["b", "a"]));
    for wrong in [&["a", "b"][..], &["b"], &["b", "a", "x"], &["b", "a", "a"], &[]] {
        let error = breaks(OrderRule::PendingCallsWrong, &with(wrong));
        assert!(error.to_string().contains(r#"["b", "a"]"#), "{error}");
    }
    // The list may be absent, and may be empty if no call is unanswered.
    fine(&calls().into_iter().chain([finish()]).collect::<Vec<_>>());
    fine(&[start(), call("x"), end_call("x"), result("x"), finish_pending(&[])]);
    // A call made twice keeps its place; calls of the previous run are not pending in this one.
    fine(&[
        start(),
        call("b"),
        end_call("b"),
        call("a"),
        end_call("a"),
        call("b"),
        end_call("b"),
        finish_pending(&["b", "a"]),
    ]);
    fine(&[start_with(vec![called("m", &[("c", "tool")])]), finish_pending(&[])]);
    fine(&[
        start(),
        snapshot(vec![said("s")]),
        call("c"),
        end_call("c"),
        snapshot(vec![called("c", &[("c", "tool")]), answered("z", "c")]),
        finish_pending(&["c"]),
    ]);
}

#[test]
fn only_the_calls_of_the_run_are_pending_in_it() {
    let unanswered = [start(), call("c"), end_call("c"), finish_pending(&["c"]), start_of("t", "r2")];
    let finish = |named: &[&str]| {
        let Event::RunFinished(mut finished) = finish_pending(named) else { panic!("it is one") };
        finished.run_id = "r2".into();
        Event::from(finished)
    };
    fine(&[&unanswered[..], &[finish(&[])]].concat());
    breaks(OrderRule::PendingCallsWrong, &[&unanswered[..], &[finish(&["c"])]].concat());
}

#[test]
fn a_snapshot_does_not_answer_the_calls_of_its_run() {
    let called = || vec![called("c", &[("c", "tool")]), answered("z", "c")];
    fine(&[start(), call("c"), end_call("c"), snapshot(called()), result_as("z", "c"), finish_pending(&[])]);
    breaks(OrderRule::SecondResult, &[start(), snapshot(called()), result_as("z", "c")]);
}

#[test]
fn an_activity_is_shown_before_it_changes() {
    breaks(OrderRule::ActivityDeltaBeforeSnapshot, &[start(), patch_activity("x")]);
    fine(&[
        start(),
        activity("x"),
        patch_activity("x"),
        finish(),
        start_of("t", "r2"),
        patch_activity("x"),
        finish_of("t", "r2"),
    ]);
    // A snapshot with activities replaces all of them, one without leaves them.
    fine(&[
        start(),
        snapshot(vec![shown("x")]),
        patch_activity("x"),
        snapshot(vec![said("m")]),
        patch_activity("x"),
        finish(),
    ]);
    breaks(
        OrderRule::ActivityDeltaBeforeSnapshot,
        &[start(), activity("x"), snapshot(vec![shown("y")]), patch_activity("x")],
    );
}

#[test]
fn a_snapshot_is_refused_while_messages_or_calls_are_open() {
    for opener in [text("m"), call("m"), think("m")] {
        let error = breaks(OrderRule::SnapshotWhileOpen, &[start(), opener, snapshot(vec![said("s")])]);
        assert_eq!(error.still_open().len(), 1);
    }
    // Steps, reasoning spans and subagents are not messages.
    fine(&[
        start(),
        step("s"),
        span("x"),
        subagent("a"),
        snapshot(vec![]),
        end_span("x"),
        end_step("s"),
        end_subagent("a"),
        finish(),
    ]);
}

#[test]
fn an_id_names_one_kind_of_message() {
    let made: [&[Event]; 6] = [
        &[text("x"), end_text("x")],
        &[think("x"), end_think("x")],
        &[activity("x")],
        &[call("k"), end_call("k"), result_as("x", "k")],
        // The message that carries a call has the call's own id, or the id that the call names.
        &[call("x"), end_call("x")],
        &[call_in("k", "x"), end_call("k")],
    ];
    let kind = [0, 1, 2, 3, 0, 0];
    for (first, before) in made.iter().enumerate() {
        for (second, after) in made.iter().enumerate() {
            let other = |event: &Event| match event {
                Event::ToolCallStart(start) if start.tool_call_id == "k" => {
                    let mut start = start.clone();
                    start.tool_call_id = "l".into();
                    start.into()
                }
                Event::ToolCallEnd(end) if end.tool_call_id == "k" => end_call("l"),
                Event::ToolCallResult(result) => result_as(result.message_id.as_str(), "l"),
                event => event.clone(),
            };
            let all: Vec<Event> =
                [start()].into_iter().chain(before.iter().cloned()).chain(after.iter().map(other)).collect();
            if kind[first] == kind[second] {
                fine(&all.into_iter().chain([finish()]).collect::<Vec<_>>());
            } else {
                // The event that names `x` is the first of `after`, or the result, its third.
                let end = 1 + before.len() + if kind[second] == 3 { 3 } else { 1 };
                let error = breaks(OrderRule::MessageIdReused, &all[..end]);
                assert_eq!(error.id(), Some("x"));
            }
        }
    }
    // Snapshots and echoed inputs count, over all runs of the stream. A reasoning span names no message.
    breaks(OrderRule::MessageIdReused, &[start(), text("x"), end_text("x"), snapshot(vec![shown("x")])]);
    breaks(OrderRule::MessageIdReused, &[start_with(vec![said("x")]), think("x")]);
    breaks(OrderRule::MessageIdReused, &[start(), think("x"), fail(), start_of("t", "r2"), text("x")]);
    fine(&[start(), span("x"), end_span("x"), text("x"), end_text("x"), finish()]);
}

#[test]
fn a_message_or_call_is_reopened_with_the_same_members() {
    let text = |role: TextMessageRole| Event::from(TextMessageStartEvent::new("m").with_role(role));
    let named = |name: &str| Event::from(TextMessageStartEvent::new("m").with_name(name));
    let again = |first: Event, second: Event| vec![start(), first, end_text("m"), second];
    let (user, agent) = (TextMessageRole::User, TextMessageRole::Assistant);
    breaks(OrderRule::ReopenedDifferently, &again(text(user), text(agent)));
    breaks(OrderRule::ReopenedDifferently, &again(events::text("m"), text(user)));
    breaks(OrderRule::ReopenedDifferently, &again(named("Ada"), named("Bea")));
    breaks(OrderRule::ReopenedDifferently, &again(events::text("m"), named("Ada")));
    breaks(
        OrderRule::ReopenedDifferently,
        &[start_with(vec![UserMessage::new("m", "x").into()]), text(agent)],
    );
    // An absent member agrees with every value.
    for (first, second) in
        [(text(user), text(user)), (text(user), events::text("m")), (named("Ada"), named("Ada"))]
    {
        fine(&[again(first, second), vec![end_text("m"), finish()]].concat());
    }

    let again = |first: Event, second: Event| vec![start(), first, end_call("c"), second];
    breaks(OrderRule::ReopenedDifferently, &again(call("c"), ToolCallStartEvent::new("c", "other").into()));
    breaks(OrderRule::ReopenedDifferently, &again(call_in("c", "m"), call_in("c", "n")));
    breaks(OrderRule::ReopenedDifferently, &again(call("c"), call_in("c", "n")));
    breaks(
        OrderRule::ReopenedDifferently,
        &[start_with(vec![called("m", &[("c", "tool")])]), call_in("c", "n")],
    );
    for (first, second) in [
        (call_in("c", "m"), call_in("c", "m")),
        (call_in("c", "m"), call("c")),
        (call("c"), call_in("c", "")),
    ] {
        fine(&[again(first, second), vec![end_call("c"), finish()]].concat());
    }
    // The first opening counts, not the last.
    let third =
        [call_in("c", "m"), end_call("c"), call("c"), end_call("c"), call_in("c", "m"), end_call("c")];
    fine(&[&[start()], &third[..], &[finish()]].concat());
}

#[test]
fn a_subagent_is_announced_before_its_first_event() {
    breaks(OrderRule::AnnouncedTooLate, &[start(), by("a", text("m")), subagent("a")]);
    breaks(
        OrderRule::AnnouncedTooLate,
        &[start(), by("a", step("s")), by("a", end_step("s")), subagent("a")],
    );
    // It may also stay unannounced; the events of the previous run do not count.
    let unannounced = [start(), by("a", text("m")), by("a", end_text("m")), finish()];
    fine(&unannounced);
    let next = [
        start_of("t", "r2"),
        subagent("a"),
        by("a", text("n")),
        by("a", end_text("n")),
        end_subagent("a"),
        finish_of("t", "r2"),
    ];
    fine(&unannounced.into_iter().chain(next).collect::<Vec<_>>());
}

#[test]
fn a_delta_without_a_snapshot_is_legal() {
    // State starts from the client's state or from `{}`, so the first delta needs no snapshot.
    let delta = crate::protocol::StateDeltaEvent::new(crate::protocol::JsonPatch::default());
    let mut verifier = OrderVerifier::with_strictness(OrderStrictness::Producer);
    assert_eq!(verifier.check_all(&[start(), delta.into(), finish()]), Ok(()));
}
