//! The batch form of the oracle agrees with the oracle.

use std::time::Instant;

use agui_runtime::order::{OrderRule, OrderVerifier};
use agui_runtime::protocol::{Event, MessageId, TextMessageChunkEvent, ToolCallChunkEvent};
use agui_tests::{need, outside::Node};
use serde_json::json;

use crate::{alphabet::alphabet, say};

/// Every trace of three events after a start, about 200,000; every 29th is judged.
fn traces(alphabet: &[Event]) -> impl Iterator<Item = Vec<Event>> {
    let size = alphabet.len();
    (0..size.pow(3)).step_by(29).map(move |number| {
        let places = [0, number % size, number / size % size, number / size / size];
        places.map(|place| alphabet[place].clone()).to_vec()
    })
}

#[test]
fn many_traces_are_judged_at_once() {
    let node = need!(Node::ready());
    let alphabet: Vec<Event> =
        alphabet().into_iter().filter(|event| !matches!(event, Event::TextMessageChunk(_))).collect();
    let begun = Instant::now();
    let verdicts = node.verify_many(traces(&alphabet));
    say(&format!("order: {} traces judged in one process, {:.1?}", verdicts.len(), begun.elapsed()));
    let mut refused = 0;
    for (trace, theirs) in traces(&alphabet).zip(&verdicts) {
        let mut verifier = OrderVerifier::new();
        let ours = trace.iter().try_for_each(|event| verifier.check(event));
        let ours = ours.map_err(|error| (error.index(), error.rule()));
        let theirs = theirs.clone().map_err(|refused| (refused.index, refused.rule().unwrap()));
        assert_eq!(ours, theirs, "{trace:#?}");
        refused += usize::from(theirs.is_err());
    }
    assert!(refused > 0 && refused < verdicts.len(), "{refused} of {}", verdicts.len());
}

#[test]
fn a_batch_says_what_the_single_form_says() {
    let node = need!(Node::ready());
    let alphabet = alphabet();
    let mut some: Vec<Vec<Event>> = traces(&alphabet).step_by(20).collect();
    let chunk = |id: &str| {
        Event::from(TextMessageChunkEvent::new().with_message_id(MessageId::from(id)).with_delta("x"))
    };
    some.push(vec![alphabet[0].clone(), chunk("x"), chunk("y"), alphabet[2].clone()]);
    some.push(vec![alphabet[0].clone(), ToolCallChunkEvent::new().into()]);
    some.push(vec![]);
    let jobs: Vec<_> = some.iter().map(|trace| json!(trace)).collect();
    let single = node.verify(&["--only", "check", "--terse"], &jobs);
    let batch = node.verify_many(&some);
    for ((trace, single), batch) in some.iter().zip(&single).zip(&batch) {
        let single = &single["check"];
        assert_eq!(single["accepted"], batch.is_ok(), "{trace:#?}");
        if let Err(refused) = batch {
            let said = (&single["at"], &single["code"], &single["error"]);
            assert_eq!(
                said,
                (&json!(refused.index), &json!(refused.code), &json!(refused.text)),
                "{trace:#?}"
            );
        }
    }
    assert_eq!(batch[some.len() - 2].as_ref().unwrap_err().code, "C_TOOL_NO_ID");
    assert_eq!(batch[some.len() - 2].as_ref().unwrap_err().rule(), None::<OrderRule>);
}
