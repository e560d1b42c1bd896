//! Any events, under both policies, with typed guards in between: the output is legal.

use agui_runtime::Policy;
use agui_runtime::order::OrderVerifier;
use agui_runtime::protocol::{
    Event, ReasoningEncryptedValueSubtype, RunStartedEvent, SubagentFinishedOutcome, TextMessageRole,
};
use agui_tests::outside::Node;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::generate::{Seed, plays, seed};
use super::program::{Play, Played, Program, TYPED};
use crate::agent::{cases, json};

fn policy() -> impl Strategy<Value = Policy> {
    prop_oneof![Just(Policy::Strict), Just(Policy::Repair)]
}

pub(crate) fn program() -> impl Strategy<Value = Program> {
    let plays = any::<bool>().prop_flat_map(|mixed| plays(40, mixed));
    let read = prop_oneof![3 => Just(usize::MAX), 1 => 1..40_usize];
    (policy(), plays, prop::bool::weighted(0.2), read)
        .prop_map(|(policy, plays, fails, read)| Program::new(policy).then(plays).failing(fails).read(read))
}

/// The typed messages are complete: a START, their own contents, an END.
fn typed_messages_are_whole(played: &Played) -> Result<(), TestCaseError> {
    let mut ids = Vec::new();
    for event in &played.events {
        match event {
            Event::TextMessageStart(start) if start.name.as_deref() == Some(TYPED) => {
                prop_assert!(!ids.contains(&start.message_id), "an id twice");
                ids.push(start.message_id.clone());
            }
            _ => {}
        }
    }
    for id in ids {
        let (mut starts, mut ends) = (0, 0);
        for event in &played.events {
            match event {
                Event::TextMessageStart(start) if start.message_id == id => starts += 1,
                Event::TextMessageEnd(end) if end.message_id == id => ends += 1,
                Event::TextMessageContent(content) if content.message_id == id => {
                    prop_assert_eq!(content.delta.as_str(), TYPED);
                }
                Event::ReasoningEncryptedValue(value) => {
                    prop_assert_ne!(value.entity_id.as_str(), id.as_str());
                }
                Event::ToolCallStart(start) => prop_assert_ne!(start.parent_message_id.as_ref(), Some(&id)),
                _ => {}
            }
        }
        prop_assert_eq!((starts, ends), (1, 1));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn the_output_is_legal(program in program()) {
        let input = program.input.clone();
        let played = program.play();
        prop_assert_eq!(played.judge(&input), Ok(()), "{:#?}", played.events.iter().map(json).collect::<Vec<_>>());
        typed_messages_are_whole(&played)?;
    }

    #[test]
    fn repairing_refuses_nothing(plays in plays(40, true)) {
        let played = Program::new(Policy::Repair).then(plays).play();
        prop_assert_eq!(played.refused, vec![]);
    }

    #[test]
    fn a_legal_stream_goes_out_as_it_is(policy in policy(), seeds in prop::collection::vec(seed(), 0..80)) {
        let foreign = legal(&seeds);
        let played = Program::new(policy).then(foreign.iter().cloned().map(Play::Feed)).play();
        prop_assert_eq!(&played.refused, &vec![]);
        let forwarded = played.events[1..=foreign.len()].iter().cloned().map(plain).collect::<Vec<_>>();
        prop_assert_eq!(forwarded, foreign.into_iter().map(plain).collect::<Vec<_>>());
    }
}

/// The events that are legal at their place.
fn legal(seeds: &[Seed]) -> Vec<Event> {
    let input = Program::new(Policy::Strict).input;
    let mut verifier = OrderVerifier::producer().for_input(&input);
    verifier.check(&RunStartedEvent::new("thread", "run").with_protocol_version("1.0").into()).unwrap();
    let mut known = Vec::new();
    let mut events = Vec::new();
    for (number, seed) in seeds.iter().enumerate() {
        let event = seed.event(number, false);
        let own = match &event {
            Event::RunFinished(_) | Event::MessagesSnapshot(_) => false,
            Event::ReasoningEncryptedValue(value) => known.contains(&(
                value.subtype == ReasoningEncryptedValueSubtype::ToolCall,
                value.entity_id.clone(),
            )),
            _ => !seed.is_chunk(),
        };
        if own && verifier.check(&event).is_ok() {
            match &event {
                Event::TextMessageStart(start) => known.push((false, start.message_id.to_string())),
                Event::ReasoningMessageStart(start) => known.push((false, start.message_id.to_string())),
                Event::ToolCallStart(start) => known.push((true, start.tool_call_id.to_string())),
                _ => {}
            }
            events.push(event);
        }
    }
    events
}

/// Without tags, and with omitted members filled in.
fn plain(mut event: Event) -> Event {
    if let Some(tag) = event.subagent_run_id_mut() {
        *tag = None;
    }
    match &mut event {
        Event::TextMessageStart(start) => {
            start.role.get_or_insert(TextMessageRole::Assistant);
        }
        Event::SubagentFinished(finished) => {
            finished.outcome.get_or_insert(SubagentFinishedOutcome::Success(Default::default()));
        }
        _ => {}
    }
    event
}

#[test]
fn the_official_client_accepts_what_goes_out() {
    let node = match Node::ready() {
        Ok(node) => node,
        Err(missing) => return missing.skip("dynamic: the official client's verdict"),
    };
    let mut runner = TestRunner::deterministic();
    let mut streams: Vec<(bool, Played)> = Vec::new();
    for number in 0..200 {
        let program = program().new_tree(&mut runner).unwrap().current();
        let passing = number % 2 == 0;
        streams.push((passing, if passing { program.passing_chunks() } else { program }.play()));
    }
    let jobs: Vec<Value> =
        streams.iter().map(|(_, played)| json!(played.events.iter().map(json).collect::<Vec<_>>())).collect();
    let passed = jobs.iter().filter(|job| job.to_string().contains("_CHUNK")).count();
    assert!(passed > 30, "only {passed} streams have chunks in them");
    for (verdict, job) in node.verify(&["--only", "check", "--terse"], &jobs).iter().zip(&jobs) {
        assert_eq!(verdict["check"]["accepted"], true, "{verdict:#} {job:#}");
    }
}

/// The expansion of chunks equals that of the official client, and so do its refusals.
#[test]
fn chunks_are_expanded_as_the_official_client_does() {
    let node = match Node::ready() {
        Ok(node) => node,
        Err(missing) => return missing.skip("dynamic: the official expansion of chunks"),
    };
    let mut runner = TestRunner::deterministic();
    let chunks = prop::collection::vec(chunk_or_not(), 0..12);
    let started: Event = RunStartedEvent::new("thread", "run").with_protocol_version("1.0").into();
    let soups: Vec<Vec<Event>> = (0..300)
        .map(|_| {
            let seeds = chunks.new_tree(&mut runner).unwrap().current();
            seeds.iter().enumerate().map(|(number, seed)| seed.event(number, false)).collect()
        })
        .collect();
    let judge = |soups: &[&[Event]]| {
        let jobs =
            soups.iter().map(|soup| json!([&started].into_iter().chain(*soup).map(json).collect::<Vec<_>>()));
        node.verify(&["--only", "check"], &jobs.collect::<Vec<_>>())
    };
    let whole: Vec<&[Event]> = soups.iter().map(Vec::as_slice).collect();
    let mut accepted = 0;
    let mut legal: Vec<&[Event]> = Vec::new();
    for (verdict, soup) in judge(&whole).iter().zip(&soups) {
        // RUN_STARTED is the first.
        let length = verdict["check"]["at"].as_u64().map_or(soup.len(), |at| at as usize - 1);
        // An item that opens again as another kind is refused for producers only, which is not a matter of chunks.
        if strict(&soup[..length]).1 > 0 {
            continue;
        }
        legal.push(&soup[..length]);
        match soup.get(length) {
            Some(refused) => assert_eq!(strict(&soup[..=length]).1, 1, "{verdict:#} {refused:#?}"),
            None => accepted += 1,
        }
    }
    for (verdict, soup) in judge(&legal).iter().zip(&legal) {
        let theirs: Vec<Event> = serde_json::from_value(verdict["check"]["events"].clone()).unwrap();
        let theirs: Vec<Event> = theirs.into_iter().skip(1).map(plain).collect();
        let (ours, refused) = strict(soup);
        assert_eq!((&ours[..theirs.len()], refused), (&theirs[..], 0), "{soup:#?}");
    }
    assert!((30..270).contains(&accepted), "{accepted} of the streams are legal");
}

fn chunk_or_not() -> impl Strategy<Value = Seed> {
    prop_oneof![
        6 => seed().prop_map(Seed::into_chunk),
        1 => seed().prop_filter("ends the item of its author, or does not", |seed| seed.is_free()),
    ]
}

/// The output of strict forwarding, before it is closed, and the number of refusals.
fn strict(events: &[Event]) -> (Vec<Event>, usize) {
    let played = Program::new(Policy::Strict).then(events.iter().cloned().map(Play::Feed)).play();
    let inner = &played.events[1..played.events.len() - 1];
    (inner.iter().cloned().map(plain).collect(), played.refused.len())
}
