//! CopilotKit's own runtime, driven as its page drives it.
//!
//! `AGUI_COPILOTKIT_TURNS` sets the number of random turns, 100 by default; `AGUI_COPILOTKIT_SEED` their seed.

use std::env;

use agui_tests::need;
use agui_tests::outside::{CopilotKit, ExampleServer, Talk};
use serde_json::{Value, json};

use crate::places::{Places, decides, fails_with, says};

fn number(name: &str, otherwise: u32) -> u32 {
    env::var(name).map_or(otherwise, |number| number.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// The possible messages to an agent, and the answers to its calls.
fn agent(name: &str) -> Value {
    let says = match name {
        "recipe" => json!([
            "risotto",
            "make it vegan",
            "pancakes for six",
            "for four",
            "add basil",
            "without onion",
            "what does it cost?",
            "order it",
            "burn it",
            "hm",
            "vegetarian curry",
        ]),
        "shopper" => json!(["rice", "saffron", "a bicycle"]),
        "agentic_chat" => json!(["hi", "tool", "backend_tool"]),
        "tool_based_generative_ui" => json!(["hi", "thanks"]),
        name => json!(says(name)),
    };
    let answers = json!({ "confirm_order": r#"{"approved":true}"#, "checkout": "true" });
    json!({ "name": name, "says": says, "answers": answers, "decides": decides(name) })
}

/// Every run ended in an allowed way, and every thread can be loaded again with its state.
#[track_caller]
fn assert_well(talk: &Talk, runtime: &mut ExampleServer) {
    let badly: Vec<_> = talk
        .turns
        .iter()
        .filter(|turn| {
            let finished = match turn.end.as_deref() {
                Some("RUN_FINISHED") => true,
                Some("RUN_ERROR") => turn.code.is_some() && turn.code.as_deref() == fails_with(&turn.agent),
                _ => false,
            };
            turn.error.is_some() || !finished
        })
        .collect();
    assert!(runtime.is_running(), "CopilotKit's runtime has ended: {badly:#?}\n{}", runtime.output());
    assert!(badly.is_empty(), "{badly:#?}");
    let lost: Vec<_> =
        talk.reloads.iter().filter(|thread| thread.error.is_some() || thread.state != thread.held).collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn two_turns_leave_the_runtime_alive() {
    let copilotkit = need!(CopilotKit::ready());
    let places = Places::start();
    let mut runtime = copilotkit.serve(places.targets());
    let job =
        json!({ "url": runtime.url(), "pools": [[agent("recipe")]], "script": ["risotto", "make it vegan"] });
    let talk = copilotkit.talk(&job);
    assert_well(&talk, &mut runtime);
    assert_eq!((talk.turns.len(), &talk.reloads[0].held["diet"]), (2, &json!("vegan")));
}

#[test]
fn random_turns_leave_the_runtime_alive() {
    let copilotkit = need!(CopilotKit::ready());
    let places = Places::start();
    let mut runtime = copilotkit.serve(places.targets());
    let (seed, turns) = (number("AGUI_COPILOTKIT_SEED", 1), number("AGUI_COPILOTKIT_TURNS", 100));
    println!("AGUI_COPILOTKIT_SEED={seed}");
    let tour: Vec<Value> =
        crate::places::routes().into_iter().map(|route| agent(&crate::places::name(route))).collect();
    let pools = json!([[agent("recipe")], [agent("shopper"), agent("members")], tour]);
    let talk =
        copilotkit.talk(&json!({ "url": runtime.url(), "seed": seed, "turns": turns, "pools": pools }));
    assert_well(&talk, &mut runtime);
    assert_eq!(talk.turns.len(), turns as usize);
}
