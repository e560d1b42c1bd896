//! Programs that try to break the order with ids of others, restated conversations, receipts and calls of other runs,
//! several agents and forwarded streams at once, which no type sees. The output is legal all the same.

mod judged;
mod play;
mod program;

use std::cell::Cell;

use agui_runtime::order::OrderVerifier;
use agui_runtime::protocol::Event;
use agui_tests::outside::Node;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use self::judged::{Seen, passes, phantoms};
use self::program::{Program, program};
use crate::agent::{cases, json};

#[test]
fn no_program_breaks_the_order() {
    let config = cases(400);
    let (tried, judged) = (config.cases, Cell::new(0_u32));
    let property = |program: Program| {
        let events = program.play();
        prop_assert_eq!(phantoms(&program.input, &events), Vec::<String>::new(), "{:#?}", events);
        if !passes(&events) {
            judged.set(judged.get() + 1);
            let verdict = OrderVerifier::producer().for_input(&program.input).check_all(&events);
            prop_assert_eq!(verdict, Ok(()), "{:#}", json!(events.iter().map(json).collect::<Vec<_>>()));
        }
        Ok(())
    };
    if let Err(wrong) = TestRunner::new(config).run(&program(), property) {
        panic!("{wrong}");
    }
    println!("adversary: {tried} programs, {} of them judged without chunks, 0 rejected", judged.get());
    assert!(judged.get() > tried / 2);
}

#[test]
fn the_official_client_accepts_what_goes_out() {
    let node = match Node::ready() {
        Ok(node) => node,
        Err(missing) => return missing.skip("adversary: the official client's verdict"),
    };
    let mut runner = TestRunner::deterministic();
    let programs: Vec<Program> =
        (0..300).map(|_| program().new_tree(&mut runner).unwrap().current()).collect();
    let streams: Vec<Vec<Event>> = programs.iter().map(Program::play).collect();
    let jobs: Vec<Value> =
        streams.iter().map(|events| json!(events.iter().map(json).collect::<Vec<_>>())).collect();
    println!("adversary: {} streams, {}", streams.len(), Seen::of(&streams));
    let verdicts = node.verify(&["--only", "check"], &jobs);
    for ((verdict, job), program) in verdicts.iter().zip(&jobs).zip(&programs) {
        assert_eq!(verdict["check"]["accepted"], true, "{verdict:#} {job:#}");
        // Chunks are judged after the client's expansion.
        let expanded: Vec<Event> = serde_json::from_value(verdict["check"]["events"].clone()).unwrap();
        let judged = OrderVerifier::producer().for_input(&program.input).check_all(&expanded);
        assert_eq!(judged, Ok(()), "{job:#}");
    }
}
