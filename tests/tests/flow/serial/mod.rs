//! One item after the other, for clients that refuse interleaved ones.

mod model;
mod soup;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use agui_runtime::events::SerialStream;
use agui_runtime::protocol::{Event, EventType};
use agui_runtime::{Ids, RunOptions, start};
use agui_tests::outside::Node;
use futures::executor::block_on;
use futures::{Stream, StreamExt, stream};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::{Value, json};

use self::model::{OldVerifier, one_after_the_other};
use self::soup::{End, interleaved};
use crate::agent::{Script, cases, input, inside, json};

fn serial(events: Vec<Event>) -> Vec<Event> {
    block_on(SerialStream::new(stream::iter(events)).collect())
}

fn times(events: &[Event]) -> Vec<i64> {
    events.iter().map(|event| event.timestamp().unwrap().millis()).collect()
}

/// A stream of the events put into it so far.
#[derive(Clone, Default)]
struct Feed(Rc<RefCell<VecDeque<Event>>>);

impl Stream for Feed {
    type Item = Event;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Event>> {
        self.0.borrow_mut().pop_front().map_or(Poll::Pending, |event| Poll::Ready(Some(event)))
    }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn nothing_is_lost_and_every_order_that_can_be_kept_is(
        ops in soup::ops(60),
        end in soup::end(),
        reasoning: bool,
    ) {
        let events = interleaved(&ops, end, reasoning);
        let said = serial(events.clone());
        let mut sorted = times(&said);
        sorted.sort_unstable();
        prop_assert_eq!(sorted, times(&events), "a permutation");
        prop_assert_eq!(times(&said), times(&one_after_the_other(&events)));
    }

    #[test]
    fn the_old_verifier_accepts_it(ops in soup::ops(60), reasoning: bool) {
        for end in [End::Finished, End::FailedClosed] {
            let said = serial(interleaved(&ops, end, reasoning));
            prop_assert_eq!(OldVerifier::judge(&said), Ok(()));
        }
    }

    #[test]
    fn events_are_sent_as_soon_as_they_may_be(ops in soup::ops(40)) {
        let events = interleaved(&ops, End::Truncated, true);
        let feed = Feed::default();
        let mut serial = SerialStream::new(feed.clone());
        let mut said = Vec::new();
        for (index, event) in events.iter().enumerate() {
            feed.0.borrow_mut().push_back(event.clone());
            while let Poll::Ready(Some(event)) = serial.poll_next_unpin(&mut Context::from_waker(Waker::noop())) {
                said.push(event);
            }
            prop_assert_eq!(times(&said), times(&model::sayable(&events[..=index])));
            prop_assert_eq!(serial.size_hint().0, index + 1 - said.len(), "held back");
        }
    }
}

#[test]
fn the_old_verifier_can_refuse() {
    let ops = [(0, 0), (0, 0), (3, 0), (3, 1), (4, 0), (4, 0)];
    let events = interleaved(&ops, End::Finished, false);
    assert!(OldVerifier::judge(&events).is_err(), "{events:#?}");
}

/// The real client of 0.0.36, the last to forbid interleaving: its verdict on the streams before and after
/// serialisation.
#[test]
fn the_client_of_that_time_accepts_it() {
    let node = match Node::ready() {
        Ok(node) => node,
        Err(missing) => return missing.skip("serial: the verdict of the client 0.0.36"),
    };
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let streams: Vec<Vec<Event>> = (0..100)
        .map(|number| {
            let ops = soup::ops(40).new_tree(&mut runner).unwrap().current();
            let end = if number % 5 == 0 { End::FailedClosed } else { End::Finished };
            interleaved(&ops, end, false)
        })
        .collect();
    let job = |events: &[Event]| json!({ "client": "0.0.36", "stream": events.iter().map(json).collect::<Vec<_>>() });
    let before: Vec<Value> = streams.iter().map(|events| job(events)).collect();
    let after: Vec<Value> = streams.iter().map(|events| job(&serial(events.clone()))).collect();

    let refused = node.replay(&before).iter().filter(|verdict| verdict["accepted"] == false).count();
    assert!(refused > 40, "only {refused} of the streams needed it");
    for (verdict, job) in node.replay(&after).iter().zip(&after) {
        assert_eq!(verdict["accepted"], true, "{verdict:#} {job:#}");
        assert_eq!(verdict["events"].as_array().unwrap().len(), job["stream"].as_array().unwrap().len());
    }
    // Our model of its verifier agrees with it on both.
    for (events, verdict) in streams.iter().zip(node.replay(&before)) {
        assert_eq!(json!(OldVerifier::judge(events).is_ok()), verdict["accepted"], "{verdict:#} {events:#?}");
    }
}

#[test]
fn a_call_that_is_cut_off_comes_last_before_the_error() {
    let ops = [(1, 0), (0, 0), (3, 1), (3, 0), (4, 1), (5, 0)];
    let events = interleaved(&ops, End::Failed, false);
    let said = serial(events);
    let kinds: Vec<_> = said.iter().map(Event::event_type).collect();
    use EventType::{
        RunError, RunStarted, StateSnapshot, TextMessageContent, TextMessageEnd, TextMessageStart,
        ToolCallArgs, ToolCallStart,
    };
    assert_eq!(
        kinds,
        [
            RunStarted,
            ToolCallStart,
            ToolCallArgs,
            TextMessageStart,
            TextMessageContent,
            TextMessageEnd,
            StateSnapshot,
            RunError
        ],
        "the call was the first, so it was said as it came"
    );

    let later = serial(interleaved(&[(0, 0), (1, 0), (3, 1), (5, 0), (4, 0)], End::Failed, false));
    let kinds: Vec<_> = later.iter().map(Event::event_type).collect();
    assert_eq!(
        kinds,
        [RunStarted, TextMessageStart, TextMessageEnd, ToolCallStart, ToolCallArgs, StateSnapshot, RunError]
    );
}

#[test]
fn a_run_can_be_serialised() {
    let script = Script(|run, _| {
        Box::pin(async move {
            let mut first = run.message().await;
            let mut second = run.message().await;
            second.push("B").await;
            first.push("A").await;
            Ok(())
        })
    });
    let options = RunOptions::default().ids(Ids::fixed("test"));
    let events: Vec<Value> =
        block_on(start(Arc::new(script), input(), options).serial().map(|event| json(&event)).collect());
    let ids: Vec<_> = inside(&events).iter().map(|event| event["messageId"].as_str().unwrap()).collect();
    let (first, second) = ("test-message-1", "test-message-2");
    assert_eq!(ids, [first, first, first, second, second, second]);
    assert_eq!(inside(&events)[4]["delta"], "B");
}
