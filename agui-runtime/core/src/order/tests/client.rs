//! The official client's rules, one by one.

use super::events::*;
use super::{breaks, fine};
use crate::order::{OrderRule, OrderStrictness, OrderVerifier, SpanOwner};
use crate::protocol::{
    Event, MessageId, ReasoningEncryptedValueSubtype as Of, SpanKind, SubagentRunId, TextMessageChunkEvent,
};

fn in_run(events: impl IntoIterator<Item = Event>) -> Vec<Event> {
    [start()].into_iter().chain(events).collect()
}

fn whole(events: impl IntoIterator<Item = Event>) -> Vec<Event> {
    in_run(events.into_iter().chain([finish()]))
}

#[test]
fn a_stream_opens_with_a_run_or_its_failure() {
    breaks(OrderRule::FirstEvent, &[text("m")]);
    breaks(OrderRule::FirstEvent, &[finish()]);
    fine(&[fail()]);
    fine(&[fail(), start(), finish()]);
}

#[test]
fn after_a_failure_only_another_run_may_start() {
    breaks(OrderRule::AfterError, &in_run([fail(), fail()]));
    breaks(OrderRule::AfterError, &in_run([fail(), finish()]));
    breaks(OrderRule::AfterError, &[fail(), text("m")]);
    fine(&in_run([text("m"), call("c"), fail()]));
    fine(&in_run([text("m"), fail(), start_of("t", "r2"), text("m"), end_text("m"), finish_of("t", "r2")]));
}

#[test]
fn after_a_finished_run_only_its_failure_or_another_run_may_come() {
    breaks(OrderRule::AfterFinished, &[start(), finish(), text("m")]);
    breaks(OrderRule::AfterFinished, &[start(), finish(), finish()]);
    breaks(OrderRule::AfterError, &[start(), finish(), fail(), fail()]);
    fine(&[start(), finish(), fail(), start_of("t", "r2"), finish_of("t", "r2")]);
}

#[test]
fn runs_do_not_overlap() {
    breaks(OrderRule::RunActive, &[start(), start_of("t", "r2")]);
}

#[test]
fn text_comes_between_the_start_and_the_end_of_its_message() {
    breaks(OrderRule::TextDuplicateStart, &in_run([text("m"), text("m")]));
    breaks(OrderRule::TextContentNotOpen, &in_run([push("m")]));
    breaks(OrderRule::TextContentNotOpen, &in_run([text("m"), end_text("m"), push("m")]));
    breaks(OrderRule::TextEndNotOpen, &in_run([end_text("m")]));
    breaks(OrderRule::TextEndNotOpen, &in_run([text("m"), end_text("m"), end_text("m")]));
    fine(&whole([
        text("m"),
        text("n"),
        push("n"),
        push("m"),
        end_text("m"),
        end_text("n"),
        text("m"),
        end_text("m"),
    ]));
}

#[test]
fn arguments_come_between_the_start_and_the_end_of_their_call() {
    breaks(OrderRule::ToolDuplicateStart, &in_run([call("c"), call("c")]));
    breaks(OrderRule::ToolArgsNotOpen, &in_run([args("c")]));
    breaks(OrderRule::ToolArgsNotOpen, &in_run([call("c"), end_call("c"), args("c")]));
    breaks(OrderRule::ToolEndNotOpen, &in_run([end_call("c")]));
    fine(&whole([
        call("c"),
        call("d"),
        args("d"),
        args("c"),
        end_call("c"),
        result("c"),
        end_call("d"),
        result("d"),
    ]));
}

#[test]
fn a_call_belongs_to_the_owner_of_its_message() {
    let said = [by("a", text("m")), by("a", end_text("m"))];
    let error = breaks(
        OrderRule::ToolParentOwner,
        &in_run(said.clone().into_iter().chain([by("b", call_in("c", "m"))])),
    );
    assert_eq!(error.owner(), Some(&SpanOwner::Subagent("a".into())));
    // Without a tag the call inherits the owner of the message.
    let inherited =
        said.clone().into_iter().chain([call_in("c", "m"), by("a", args("c")), by("a", end_call("c"))]);
    fine(&whole(inherited));
    breaks(
        OrderRule::OwnerMismatch,
        &in_run(said.into_iter().chain([call_in("c", "m"), by("b", args("c"))])),
    );
    fine(&whole([call_in("c", "nowhere"), end_call("c")]));
}

#[test]
fn a_call_made_again_keeps_its_owner() {
    let again = [
        by("a", text("m")),
        by("a", end_text("m")),
        by("b", call("c")),
        by("b", end_call("c")),
        call_in("c", "m"),
    ];
    let error = breaks(OrderRule::ToolReopenOwner, &in_run(again));
    assert_eq!(error.owner(), Some(&SpanOwner::Subagent("b".into())));
    breaks(
        OrderRule::OwnerMismatch,
        &in_run([by("b", call("c")), by("b", end_call("c")), by("a", call("c"))]),
    );
    fine(&whole([by("b", call("c")), by("b", end_call("c")), call("c"), end_call("c")]));
}

#[test]
fn steps_are_identified_by_owner_and_name() {
    breaks(OrderRule::StepDuplicateStart, &in_run([step("s"), step("s")]));
    breaks(OrderRule::StepFinishNotOpen, &in_run([end_step("s")]));
    breaks(OrderRule::StepFinishNotOpen, &in_run([step("s"), end_step("s"), end_step("s")]));
    let error = breaks(OrderRule::StepOtherOwner, &in_run([by("a", step("s")), end_step("s")]));
    assert_eq!(error.owner(), Some(&SpanOwner::Subagent("a".into())));
    breaks(OrderRule::StepOtherOwner, &in_run([step("s"), by("", end_step("s"))]));
    fine(&whole([
        step("s"),
        by("a", step("s")),
        by("", step("s")),
        end_step("s"),
        by("", end_step("s")),
        by("a", end_step("s")),
    ]));
}

#[test]
fn reasoning_spans_and_messages_are_independent() {
    breaks(OrderRule::ReasoningSpanDuplicate, &in_run([span("x"), span("x")]));
    breaks(OrderRule::ReasoningSpanNotOpen, &in_run([think("x"), end_span("x")]));
    breaks(OrderRule::ReasoningMessageDuplicate, &in_run([think("x"), think("x")]));
    breaks(OrderRule::ReasoningMessageNotOpen, &in_run([span("x"), thought("x")]));
    breaks(OrderRule::ReasoningMessageNotOpen, &in_run([span("x"), end_think("x")]));
    // Same id, ends in either order, no span at all: all legal.
    fine(&whole([
        span("x"),
        think("x"),
        end_span("x"),
        thought("x"),
        end_think("x"),
        think("y"),
        end_think("y"),
    ]));
    // Spans and messages share the owner of an id.
    breaks(
        OrderRule::OwnerMismatch,
        &in_run([by("a", span("x")), by("a", end_span("x")), by("b", think("x"))]),
    );
}

#[test]
fn a_subagent_id_is_one_invocation_of_a_run() {
    breaks(OrderRule::SubagentActive, &in_run([subagent("a"), subagent("a")]));
    breaks(OrderRule::SubagentReused, &in_run([subagent("a"), end_subagent("a"), subagent("a")]));
    let error = breaks(OrderRule::SubagentParentUnknown, &in_run([subagent_of("a", "b")]));
    assert_eq!(error.id(), Some("b"));
    breaks(OrderRule::SubagentNotActive, &in_run([end_subagent("a")]));
    breaks(OrderRule::SubagentNotActive, &in_run([subagent("a"), fail_subagent("a"), end_subagent("a")]));
    // A parent may end before its child, and an ended invocation may start a child.
    fine(&whole([
        subagent("a"),
        subagent_of("b", "a"),
        end_subagent("a"),
        subagent_of("c", "a"),
        end_subagent("c"),
        fail_subagent("b"),
    ]));
    // An invocation of the previous run may start again.
    fine(&in_run([
        subagent("a"),
        end_subagent("a"),
        finish(),
        start_of("t", "r2"),
        subagent("a"),
        end_subagent("a"),
        finish_of("t", "r2"),
    ]));
}

#[test]
fn an_event_that_continues_a_span_names_its_owner_or_none() {
    let cases: [(Event, Event); 6] = [
        (text("x"), push("x")),
        (text("x"), end_text("x")),
        (call("x"), args("x")),
        (call("x"), end_call("x")),
        (think("x"), thought("x")),
        (span("x"), end_span("x")),
    ];
    for (opener, next) in cases {
        // The parent agent is an owner like any other, and not the subagent `""`.
        let error = breaks(OrderRule::OwnerMismatch, &in_run([opener.clone(), by("", next.clone())]));
        assert_eq!(error.owner(), Some(&SpanOwner::Parent));
        breaks(OrderRule::OwnerMismatch, &in_run([by("a", opener.clone()), by("b", next.clone())]));
        let mut verifier = OrderVerifier::new();
        for event in in_run([by("a", opener), next]) {
            verifier.check(&event).unwrap();
        }
    }
}

#[test]
fn owners_are_remembered_until_the_run_ends() {
    let closed = [by("a", text("m")), by("a", end_text("m"))];
    breaks(OrderRule::OwnerMismatch, &in_run(closed.clone().into_iter().chain([by("b", text("m"))])));
    let rest =
        [finish(), start_of("t", "r2"), by("b", text("m")), by("b", end_text("m")), finish_of("t", "r2")];
    fine(&in_run(closed.into_iter().chain(rest)));
}

#[test]
fn activities_have_the_owner_of_their_latest_replacement() {
    breaks(OrderRule::OwnerMismatch, &in_run([by("a", activity("x")), by("b", patch_activity("x"))]));
    fine(&whole([
        by("a", activity("x")),
        by("b", activity("x")),
        by("b", patch_activity("x")),
        patch_activity("x"),
    ]));
    breaks(
        OrderRule::OwnerMismatch,
        &in_run([by("a", activity("x")), by("b", keep_activity("x")), by("b", patch_activity("x"))]),
    );
}

#[test]
fn a_result_gives_its_message_an_owner() {
    let answered = [call("c"), end_call("c"), by("a", result_as("m", "c"))];
    breaks(
        OrderRule::OwnerMismatch,
        &in_run(answered.clone().into_iter().chain([by("b", secret(Of::Message, "m"))])),
    );
    fine(&whole(answered.into_iter().chain([by("a", secret(Of::Message, "m"))])));
}

#[test]
fn a_result_overwrites_the_owner_of_its_message() {
    let mut verifier = OrderVerifier::new();
    let taken = [by("a", text("m")), by("a", end_text("m")), by("b", result_as("m", "c"))];
    in_run(taken).iter().for_each(|event| verifier.check(event).unwrap());
    assert_eq!(verifier.check(&by("a", text("m"))).unwrap_err().rule(), OrderRule::OwnerMismatch);
    verifier.check(&by("b", text("m"))).unwrap();
}

#[test]
fn an_encrypted_value_agrees_with_the_owner_of_its_message_or_call() {
    let run = [
        by("a", text("x")),
        by("a", end_text("x")),
        by("b", call_in("x2", "none")),
        by("b", end_call("x2")),
        by("b", span("y")),
        by("b", end_span("y")),
    ];
    let with = |event| in_run(run.clone().into_iter().chain([event]));
    breaks(OrderRule::OwnerMismatch, &with(by("b", secret(Of::Message, "x"))));
    breaks(OrderRule::OwnerMismatch, &with(by("a", secret(Of::ToolCall, "x2"))));
    breaks(OrderRule::OwnerMismatch, &with(by("a", secret(Of::Message, "y"))));
    fine(&whole(run.iter().cloned().chain([
        by("a", secret(Of::Message, "x")),
        by("b", secret(Of::ToolCall, "x2")),
        by("z", secret(Of::Message, "unknown")),
    ])));
}

#[test]
fn snapshots_and_echoed_inputs_set_the_owners_of_messages() {
    breaks(OrderRule::OwnerMismatch, &in_run([snapshot(vec![said_by("a", "m")]), by("b", text("m"))]));
    breaks(OrderRule::OwnerMismatch, &[start_with(vec![said_by("a", "m")]), by("b", text("m"))]);
    breaks(OrderRule::OwnerMismatch, &[start_with(vec![thought_by("a", "m")]), by("b", think("m"))]);
    // A snapshot overwrites owners, an echo does not: of two messages with one id, the last one counts for
    // a snapshot and the first for an echo.
    let two = || vec![said_by("a", "m"), said_by("b", "m")];
    fine(&whole([snapshot(two()), by("b", text("m")), by("b", end_text("m"))]));
    breaks(OrderRule::OwnerMismatch, &[start_with(two()), by("b", text("m"))]);
    // Calls have the owner of their message.
    breaks(
        OrderRule::OwnerMismatch,
        &in_run([snapshot(vec![called("m", &[("c", "tool")])]), by("a", call("c"))]),
    );
}

#[test]
fn a_run_finishes_with_nothing_open() {
    let cases: [(OrderRule, Event, SpanKind); 6] = [
        (OrderRule::FinishWithOpenSteps, by("a", step("s")), SpanKind::Step),
        (OrderRule::FinishWithOpenText, by("a", text("m")), SpanKind::Text),
        (OrderRule::FinishWithOpenReasoningMessages, by("a", think("x")), SpanKind::ReasoningMessage),
        (OrderRule::FinishWithOpenReasoningSpans, by("a", span("x")), SpanKind::ReasoningSpan),
        (OrderRule::FinishWithOpenTools, by("a", call("c")), SpanKind::ToolCall),
        (OrderRule::FinishWithOpenSubagents, subagent("b"), SpanKind::Subagent),
    ];
    let mut opened: Vec<Event> = Vec::new();
    for (rule, opener, scope) in cases.into_iter().rev() {
        let id = opener.scope_id().unwrap().to_owned();
        // Reported before everything that comes later in the list.
        opened.push(opener);
        let error = breaks(rule, &in_run(opened.iter().cloned().chain([finish()])));
        let [open] = error.still_open() else { panic!("one {scope:?} is open: {error}") };
        assert_eq!((open.scope, &*open.id), (scope, &*id));
    }
}

#[test]
fn open_spans_are_reported_in_the_order_they_were_opened() {
    let mut verifier = OrderVerifier::new();
    for event in in_run([
        step("s"),
        text("b"),
        by("q", text("a")),
        subagent("p"),
        subagent_of("q", "p"),
        call("c"),
        end_text("b"),
        text("b"),
        end_call("c"),
    ]) {
        verifier.check(&event).unwrap();
    }
    let open: Vec<String> = verifier.open().iter().map(|span| format!("{:?} {span}", span.scope)).collect();
    assert_eq!(
        open,
        ["Step `s`", "Text `a` of subagent `q`", "Subagent `p`", "Subagent `q` of subagent `p`", "Text `b`"]
    );
    let error = breaks(
        OrderRule::FinishWithOpenText,
        &in_run([text("z"), text("a"), text("m"), end_text("z"), text("z"), finish()]),
    );
    let ids: Vec<&str> = error.still_open().iter().map(|span| &*span.id).collect();
    assert_eq!(ids, ["a", "m", "z"]);
    assert_eq!(
        error.to_string(),
        "event 6, RUN_FINISHED: the run finishes with open text messages: `a`, `m`, `z`"
    );
    verifier.check(&fail()).unwrap();
    assert_eq!(verifier.open(), []);
}

#[test]
fn chunks_are_not_checked_below_producer_strictness() {
    let chunk = TextMessageChunkEvent::new()
        .with_message_id(MessageId::from("m"))
        .with_subagent_run_id(SubagentRunId::from("a"));
    let mut verifier = OrderVerifier::with_strictness(OrderStrictness::Spec);
    assert_eq!(verifier.check_all(&whole([text("m"), chunk.into(), end_text("m")])), Ok(()));
}

#[test]
fn one_string_may_be_the_id_of_every_kind_of_span() {
    let mut verifier = OrderVerifier::new();
    let open = [step("x"), text("x"), think("x"), span("x"), call("x"), subagent("x"), activity("x")];
    let close =
        [end_step("x"), end_text("x"), end_think("x"), end_span("x"), end_call("x"), end_subagent("x")];
    in_run(open).iter().for_each(|event| verifier.check(event).unwrap());
    assert_eq!(verifier.open().len(), 6);
    close.iter().for_each(|event| verifier.check(event).unwrap());
    verifier.check(&finish()).unwrap();
}
