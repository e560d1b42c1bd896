//! The cook with a model that the environment names: a provider on this machine, which speaks Chat Completions.

use agui_tests::model_server::{Answer, Server};
use agui_tests::need;
use agui_tests::outside::{Conversation, ExampleServer, Generation, Node, Turn};
use serde_json::json;

#[test]
fn a_model_cooks_and_orders() {
    let node = need!(Node::ready());
    let need = |name: &str, amount: u32| json!({ "name": name, "amount": amount, "unit": "g" });
    let recipe = json!({
        "title": "Rice with basil", "servings": 2, "diet": "vegan",
        "ingredients": [need("rice", 100), need("basil", 1)], "steps": ["Boil the rice."],
    });
    let model = Server::start([
        Answer::turn(&["A simple one."], &[("write_recipe", recipe)]),
        Answer::turn(&["Enjoy."], &[]),
        Answer::turn(
            &[],
            &[
                ("price", json!({ "name": "rice", "amount": 100 })),
                ("price", json!({ "name": "basil", "amount": 1 })),
            ],
        ),
        Answer::turn(&[], &[("confirm_order", json!({ "total": 190, "items": ["rice", "basil"] }))]),
    ]);
    let server = ExampleServer::start_with("recipe", &[("AGUI_MODEL", &model.address())]);
    let confirm = json!({ "name": "confirm_order", "description": "Asks the person.", "parameters": { "type": "object" } });
    let talk = Conversation::new(format!("{}/cook", server.url()), Generation::V1)
        .then(Turn::say("Cook something simple."))
        .then(Turn::say("Order it.").with("tools", json!([confirm])))
        .then(Turn::answer("confirm_order", json!({ "approved": true })));
    let report = node.converse(&talk);
    report.assert_clean();
    let [cooked, ordering, ordered] = &report.turns[..] else { panic!("{report:#?}") };
    assert_eq!(cooked.state["title"], "Rice with basil");
    assert_eq!(cooked.state["ingredients"].as_array().map(Vec::len), Some(2));
    let prices: Vec<_> =
        ordering.state["ingredients"].as_array().unwrap().iter().map(|one| one["price"].clone()).collect();
    assert_eq!(prices, [json!(40), json!(150)]);
    assert_eq!(ordering.state["order"], json!({ "status": "proposed", "total": 190 }));
    // The order is the program's, not the model's: no request follows the answer.
    assert_eq!(ordered.state["order"]["status"], "placed");
    let requests = model.requests();
    assert_eq!(requests.len(), 4);
    assert!(requests[2].1.to_string().contains("Rice with basil"), "the model reads the recipe of the page");
}

#[test]
fn a_model_that_does_not_exist_is_an_error_at_the_start() {
    let mut command = std::process::Command::new(agui_tests::outside::built("recipe"));
    let ended = command.env("AGUI_MODEL", "house:model").env("AGUI_ADDR", "127.0.0.1:0").output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && said.contains("house"), "{said}");
}
