//! The result of both official clients' `compactEvents` for every run.
//!
//! A client of 1.0 gets deltas alone if it holds the state, which `compactEvents` of 0.0.59 cannot fold and need not:
//! with that client a run is one for a legacy client. So runs for legacy clients go through both, and runs for current
//! clients through that of 1.0.

use agui_runtime::json::patch::patch;
use agui_runtime::protocol::PatchOperation;
use agui_tests::need;
use agui_tests::outside::{Conversation, Generation, Node, Turn, TurnReport};
use serde_json::{Value, json};

use crate::places::{Places, decides, fails_with, says};

/// The state after a run, by our own reading of its events.
fn ours(turn: &TurnReport) -> Value {
    let mut state = turn.request.get("state").cloned().unwrap_or_else(|| json!({}));
    for event in &turn.wire {
        match event["type"].as_str().unwrap() {
            "STATE_SNAPSHOT" => state = event["snapshot"].clone(),
            "STATE_DELTA" => {
                let operations: Vec<PatchOperation> = serde_json::from_value(event["delta"].clone()).unwrap();
                patch(&mut state, &operations).unwrap_or_else(|error| panic!("{error}: {:#?}", turn.wire));
            }
            _ => {}
        }
    }
    state
}

/// The names and conversations of a generation: two turns each, once with a user who answers, once with a user who does
/// not.
fn conversations(places: &Places, generation: Generation) -> Vec<(String, Conversation)> {
    let by: &[Generation] = match generation {
        Generation::V1 => &[Generation::V1],
        Generation::Legacy => &Generation::ALL,
    };
    let answers = json!({ "confirm_order": { "approved": true }, "checkout": true });
    let mut all = Vec::new();
    for place in places.all() {
        let [first, then] = says(&place.name);
        let start = || place.conversation(generation).compacted_by(by).then(Turn::say(first));
        let agent = place.name.clone();
        all.push((format!("{agent}, answered"), start().then(Turn::go_on(then, &answers, &decides(&agent)))));
        // The client itself refuses to continue before a question is answered.
        if !["lab_interrupt", "lab_interrupts_two", "lab_mcp", "keeper", "interrupt", "subgraphs"]
            .contains(&&*agent)
        {
            all.push((format!("{agent}, talked over"), start().then(Turn::say(then))));
        }
        if agent == "recipe" {
            all.push((
                agent,
                start()
                    .then(Turn::say("order it"))
                    .then(Turn::go_on(then, &answers, &decides(&place.name)))
                    .then(Turn::say("burn it")),
            ));
        }
    }
    all
}

#[test]
fn every_run_folds_to_the_same_state_behind_compaction() {
    let node = need!(Node::ready());
    let places = Places::start();
    let mut wrong = Vec::new();
    let mut turns = 0;
    for generation in Generation::ALL {
        let (names, conversations): (Vec<_>, Vec<_>) = conversations(&places, generation).into_iter().unzip();
        for (name, report) in names.iter().zip(node.converse_all(&conversations)) {
            let agent = name.split(',').next().unwrap();
            if report.turns.len() < 2 {
                wrong.push(format!("{name} {generation:?}: {:#?}", report.turns.last()));
            }
            for (index, turn) in report.turns.iter().enumerate() {
                turns += 1;
                let title = format!("{name} {generation:?}, turn {index}");
                let failed = turn.run_errors.iter().any(|error| error["code"].as_str() != fails_with(agent));
                if failed || turn.error.is_some() || !turn.complaints.is_empty() {
                    wrong.push(format!(
                        "{title}: {:?} {:?} {:?}",
                        turn.run_errors, turn.error, turn.complaints
                    ));
                }
                let ours = ours(turn);
                if turn.state != ours {
                    wrong.push(format!("{title}: the client holds {} where we have {ours}", turn.state));
                }
                for (by, compacted) in &turn.compacted {
                    if compacted.error.is_some() || compacted.state.as_ref() != Some(&ours) {
                        wrong.push(format!("{title}: {by:?} makes {compacted:?} of it, and we {ours}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {turns}:\n{}", wrong.len(), wrong.join("\n"));
    println!("{turns} turns");
    assert!(turns > 250, "only {turns} turns");
}
