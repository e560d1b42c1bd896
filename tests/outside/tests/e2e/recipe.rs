//! The cook, through the official clients.

use agui_runtime::wire::{proto, sse};
use agui_tests::{
    need,
    outside::{Conversation, ConversationReport, ExampleServer, Generation, Node, Python, Turn, TurnReport},
    wire::equal,
};
use serde_json::{Value, json};

fn cook(server: &ExampleServer, generation: Generation) -> Conversation {
    Conversation::new(format!("{}/cook", server.url()), generation)
}

/// The cook's text in each turn.
fn said(report: &ConversationReport) -> Vec<String> {
    report.turns.iter().map(TurnReport::said).collect()
}

/// All bytes that the server sent on the thread.
fn bodies(report: &ConversationReport) -> String {
    report.turns.iter().map(|turn| turn.body.as_str()).collect()
}

fn count(turn: &TurnReport, kind: &str) -> usize {
    turn.types().iter().filter(|known| **known == kind).count()
}

/// From the first question to the order.
fn a_dinner(with: Conversation) -> Conversation {
    with.then(Turn::say("hm"))
        .then(Turn::say("Let's cook a risotto!"))
        .then(Turn::say("Make it vegan"))
        .then(Turn::say("For six"))
        .then(Turn::say("How much is it?"))
        .then(Turn::say("Order it"))
        .then(Turn::answer("confirm_order", json!({ "approved": false })))
        .then(Turn::say("Order it"))
        .then(Turn::answer("confirm_order", json!({ "approved": true, "note": "Ring twice" })))
        .then(Turn::say("Order it"))
}

/// The same over both transports, event by event.
#[test]
fn recipe_over_the_binary_transport() {
    let node = need!(Node::ready());
    let [text, binary] = [sse::CONTENT_TYPE, proto::CONTENT_TYPE].map(|media| {
        let server = ExampleServer::start("recipe");
        let report = node.converse(&a_dinner(cook(&server, Generation::V1)).accept(media));
        report.assert_clean();
        assert!(report.turns.iter().all(|turn| turn.content_type.as_deref() == Some(media)), "{report:#?}");
        report
    });
    assert_eq!(said(&binary), said(&text));
    for (binary, text) in binary.turns.iter().zip(&text.turns) {
        assert_eq!(binary.types(), text.types());
        assert!(equal(&binary.state, &text.state), "{}\n{}", binary.state, text.state);
        assert_eq!(binary.finished.len(), text.finished.len());
    }
}

#[test]
fn recipe_clients() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    for generation in Generation::ALL {
        let server = ExampleServer::start("recipe"); // a new one counts its orders from the start
        let report = node.converse(&a_dinner(cook(&server, generation)));
        report.assert_clean();
        python.validate_sse(&bodies(&report)).assert_ok();
        let said = said(&report);
        assert_eq!(
            said,
            [
                "I can cook mushroom risotto, pancakes or chickpea curry. What would you like?",
                "Mushroom risotto it is! First the shopping list. And this is how it goes. \
                 This feeds 2. For how many shall I cook?",
                "Olive oil instead of butter. Nutritional yeast instead of parmesan.",
                "Enough for 6 now.",
                "Together that is €20.31 for 6.",
                "Together that is €20.31 for 6.",
                "All right, nothing was ordered.",
                "Together that is €20.31 for 6.",
                "Ordered, number 1000. It will be at your door in half an hour. \
                 I passed on your note: “Ring twice”",
                "That is ordered already, number 1000. Change it and I order again.",
            ],
            "{generation:?}"
        );

        let [_, risotto, vegan, _, prices, order, declined, _, placed, _] = report.turns.as_slice() else {
            panic!("ten turns: {report:#?}")
        };
        // The new title and an empty list at once, then a delta for each line, not the whole recipe again.
        assert_eq!(count(risotto, "STATE_SNAPSHOT") + count(risotto, "STATE_DELTA"), 1 + 6 + 5);
        assert!(count(risotto, "STATE_DELTA") >= 6 + 5, "{:?}", risotto.types());
        assert_eq!(count(risotto, "CUSTOM"), 6);
        assert_eq!(vegan.state["diet"], "vegan");
        assert_eq!(vegan.state["ingredients"][1], json!({ "name": "olive oil", "amount": 30, "unit": "g" }));
        assert_eq!((count(prices, "TOOL_CALL_RESULT"), count(prices, "STEP_STARTED")), (6, 1));
        assert_eq!(prices.state["ingredients"][2]["price"], 216);
        assert_eq!(order.state["order"], json!({ "status": "proposed", "total": 2031 }));
        let pending = order.finished[0].get("pendingToolCallIds").and_then(Value::as_array).map(Vec::len);
        assert_eq!(pending, (generation == Generation::V1).then_some(1), "{:?}", order.finished);
        assert_eq!(declined.state["order"], json!({ "status": "declined" }));
        assert_eq!(placed.state["order"], json!({ "status": "placed", "total": 2031, "number": 1000 }));
    }
}

/// Unusual requests of users and pages.
#[test]
fn recipe_clients_with_ideas_of_their_own() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    let server = ExampleServer::start("recipe");
    for generation in Generation::ALL {
        let edited = json!({ "title": "Mine", "servings": 0, "diet": "everything", "steps": [], "ingredients": [
            { "name": "rice", "amount": 0.1, "unit": "g" },
            { "name": "hope", "amount": 1, "unit": "" },
            { "name": "rice", "amount": 1e300, "unit": "kg" },
        ] });
        let report = node.converse(
            &cook(&server, generation)
                .then(Turn::say("order it"))
                .then(Turn::say("make it vegan"))
                .then(Turn::say("a vegan curry for four"))
                .then(Turn::say("make it vegan"))
                .then(Turn::say("add honey"))
                .then(Turn::say("add more tomatoes"))
                .then(Turn::say("without the tomatoes"))
                .then(Turn::say("no tomatoes"))
                .then(Turn::say("for 99"))
                .then(Turn::say("for 3").with("state", edited))
                .then(Turn::say("what does it cost?"))
                .then(Turn::default()),
        );
        report.assert_clean();
        python.validate_sse(&bodies(&report)).assert_ok();
        let said = said(&report);
        let nothing = "There is nothing on the stove yet. \
                       I can cook mushroom risotto, pancakes or chickpea curry. What would you like?";
        assert_eq!(said[0], nothing);
        assert_eq!(said[1], nothing);
        assert!(
            said[2].ends_with(
                "And this is how it goes.Enough for 4 now.Nothing to change, it is vegan as it is."
            )
        );
        assert_eq!(report.turns[2].state["ingredients"][0]["amount"], 2.0);
        assert_eq!(
            said[3..9],
            [
                "It is vegan already.",
                "Honey is not vegan, so maple syrup goes in.",
                "Tomato goes in.",
                "No more tomato.",
                "There is no tomato in it.",
                "My pots are good for one to 50 people.",
            ]
        );
        let tomato = &report.turns[5].state["ingredients"][2];
        assert_eq!(*tomato, json!({ "name": "tomato", "amount": 1200, "unit": "g" }), "twice as much, once");
        assert_eq!(report.turns[9].state["ingredients"][0]["amount"], 0.3);
        assert!(said[10].contains("for 3.") && said[10].ends_with(" The shop has no hope."), "{}", said[10]);
    }
}

#[test]
fn a_cook_that_fails_says_so_to_both_generations() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    let server = ExampleServer::start("recipe");
    for generation in Generation::ALL {
        let report = node.converse(&cook(&server, generation).then(Turn::say("burn it")));
        let [turn] = report.turns.as_slice() else { panic!("{report:#?}") };
        assert_eq!(
            turn.run_errors,
            [json!({ "message": "The kitchen is on fire.", "code": "KITCHEN_FIRE" })],
            "{turn:#?}"
        );
        let types = turn.types();
        assert_eq!(
            types[types.len() - 2..],
            ["TEXT_MESSAGE_END", "RUN_ERROR"],
            "the message was closed first"
        );
        python.validate_sse(&turn.body).assert_ok();
    }
}
