//! Any plan of a model, any client: nothing leaves.

use agui_runtime::model::{Reply, ScriptedModel};
use agui_runtime::protocol::{Message, RunAgentInput};
use agui_runtime::testing::{self, assert_private_text};
use agui_tests::log::Log;
use futures::executor::block_on;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use tracing::Level;

use crate::desk::{Desk, IBAN, NAME, VALUES, assert_shut, assert_text_shut, said};
use crate::sealed::held;

/// A part of a model's turn.
#[derive(Clone, Copy, Debug)]
enum Part {
    Thought,
    Price,
    Checkout,
    Unknown,
    Read,
    Fail,
    Panic,
    Wrong,
    Malformed,
    Fatal,
}

const PARTS: [Part; 10] = [
    Part::Thought,
    Part::Price,
    Part::Checkout,
    Part::Unknown,
    Part::Read,
    Part::Fail,
    Part::Panic,
    Part::Wrong,
    Part::Malformed,
    Part::Fatal,
];

fn with(reply: Reply, part: Part) -> Reply {
    let read = |reply: Reply, name: Value| reply.and_call("customer_file", json!({ "name": name }));
    match part {
        Part::Thought => reply.after_reasoning("I look that up."),
        Part::Price => reply.and_call("price", json!({ "item": "rice" })),
        Part::Checkout => reply.and_call("checkout", json!({ "total": 3 })),
        Part::Unknown => reply.and_call("customer-file", json!({ "name": NAME, "iban": IBAN })),
        Part::Read => read(reply, json!(NAME)),
        Part::Fail => read(reply, json!("fail")),
        Part::Panic => read(reply, json!("panic")),
        Part::Wrong => read(reply, json!([NAME, IBAN])),
        Part::Malformed => reply.and_call("customer_file", json!(format!("{NAME} {IBAN}"))),
        Part::Fatal => reply.and_call("fatal_file", json!({ "name": NAME })),
    }
}

/// A change that a client makes to its messages.
#[derive(Clone, Copy, Debug)]
enum Tampering {
    Nothing,
    Repeats,
    Reverses,
    LeavesOut,
    Edits,
    Moves,
}

fn tampered(mut messages: Vec<Message>, tampering: Tampering) -> Vec<Message> {
    match tampering {
        Tampering::Nothing => {}
        Tampering::Repeats => messages.extend(messages.clone()),
        Tampering::Reverses => messages.reverse(),
        Tampering::LeavesOut => messages.retain(|message| !matches!(message, Message::Reasoning(_))),
        Tampering::Edits | Tampering::Moves => {
            for message in &mut messages {
                let Message::Reasoning(sealed) = message else { continue };
                match (&mut sealed.encrypted_value, tampering) {
                    (Some(value), Tampering::Edits) => value.insert(value.len() / 2, 'A'),
                    _ => sealed.id = "moved".into(),
                }
            }
        }
    }
    messages
}

fn plans() -> impl Strategy<Value = Vec<Vec<Vec<Part>>>> {
    let turn = vec((0..PARTS.len()).prop_map(|at| PARTS[at]), 0..5);
    // Runs, with turns, with parts.
    vec(vec(turn, 0..4), 1..4)
}

fn tampering() -> impl Strategy<Value = Tampering> {
    prop_oneof![
        Just(Tampering::Nothing),
        Just(Tampering::Repeats),
        Just(Tampering::Reverses),
        Just(Tampering::LeavesOut),
        Just(Tampering::Edits),
        Just(Tampering::Moves),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_plan_and_no_client_brings_a_value_out(
        runs in plans(),
        tampering in tampering(),
        version in prop_oneof![Just(Some("1.1")), Just(Some("1.0")), Just(None)],
        flags in any::<[bool; 2]>(),
        pieces in 1_usize..20,
    ) {
        // A name that the model invents is no private tool's, and its arguments are traced.
        let is_unknown = runs.iter().flatten().flatten().any(|part| matches!(part, Part::Unknown));
        let (log, _recording) = Log::record(Level::TRACE);
        let mut messages = Vec::new();
        for (number, turns) in runs.into_iter().enumerate() {
            let script = turns.into_iter().map(|parts| parts.into_iter().fold(Reply::text("So."), with));
            let script: Vec<_> = script.chain([Reply::text("Done.")]).collect();
            let desk = Desk::new(ScriptedModel::new(script).pieces(pieces).into());
            messages.push(said(&format!("u-{number}"), "hello"));
            let mut input = RunAgentInput::new("t", format!("r-{number}"), messages.clone());
            input.protocol_version = version.map(str::to_owned);
            let options = testing::options().reveal_errors(flags[0]).record_content(flags[1]);
            let events = block_on(testing::run_with(desk, input, options));
            assert_shut(&events);
            messages = tampered(held(messages, &events), tampering);
            assert_text_shut(serde_json::to_string(&messages).unwrap());
            let lines = log.take();
            prop_assert!(!lines.is_empty());
            if !is_unknown {
                assert_private_text(lines.join("\n"), VALUES);
            }
        }
    }
}
