//! Surfaces of A2UI by its official packages: the toolkit's check, the core that draws, the middleware before an agent.

use std::sync::Arc;

use agui_runtime::Server;
use agui_runtime::a2ui::{
    ComponentCatalog, Surface, SurfaceComponent, SurfaceError, SurfaceMessage, UserAction, validate,
};
use agui_runtime::prelude::*;
use agui_tests::need;
use agui_tests::outside::{CopilotKit, ExampleServer};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use crate::errors::serve;

/// Draws a greeting, as the result of a call.
#[tool]
async fn greet(name: String) -> Result<Surface, SurfaceError> {
    let text = SurfaceComponent::new("root", "Text").bind("text", "/greeting");
    Surface::new("greeting", ComponentCatalog::BASIC, [text])
        .with_data(&json!({ "greeting": format!("Hello, {name}!") }))
}

/// Greets by a tool, without an activity.
#[agent(tools = [greet])]
async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> {
    run.call(greet { name: "Ada".to_owned() }).await?.run().await?;
    Ok(())
}

fn saying(text: &str) -> Value {
    json!({ "threadId": format!("a2ui-{text}"), "messages": [{ "id": "said", "role": "user", "content": text }] })
}

fn forwarding(action: &Value) -> Value {
    let mut input = saying("pressed");
    input["forwardedProps"] = json!({ "a2uiAction": { "userAction": action } });
    input
}

fn texts(run: &Value) -> String {
    let events = run["events"].as_array().unwrap().iter();
    events
        .filter_map(|event| event["delta"].as_str().filter(|_| event["type"] == "TEXT_MESSAGE_CONTENT"))
        .collect()
}

/// The surfaces of the tour are drawn by the official core with and without the middleware, and actions come back.
#[test]
fn the_official_core_draws_the_surfaces_of_the_tour() {
    let kit = need!(CopilotKit::ready());
    let tour = ExampleServer::start_with("tour", &[("TOUR_PACE", "0.01")]);
    let greeter = serve(Server::new().agent("/", Greeter::new()), Arc::default());
    let at = |route: &str| format!("{}{route}", tour.url());
    let booked = json!({
        "name": "book_flight", "surfaceId": "flight-search-results", "sourceComponentId": "card",
        "timestamp": "2026-01-01T00:00:00Z", "context": { "flightNumber": "UA 123", "price": "$289" },
    });
    let mut cases = vec![
        (at("/a2ui_fixed_schema"), saying("Find flights from SFO to JFK")),
        (at("/a2ui_fixed_schema"), saying("Find hotels in downtown Manhattan")),
        (at("/a2ui_dynamic_schema"), saying("a comparison of 3 hotels")),
        (at("/a2ui_advanced"), saying("a team directory with 4 people")),
        (at("/a2ui_recovery"), saying("Compare 3 luxury hotels")),
        (at("/a2ui_recovery"), saying("Compare 3 broken hotels")),
        (at("/a2ui_fixed_schema"), forwarding(&booked)),
        (at("/lab/echo_input"), forwarding(&booked)),
    ];
    cases.push((format!("{greeter}/"), saying("greet")));
    let runs: Vec<_> = [Value::Null, json!({})]
        .into_iter()
        .flat_map(|middleware| {
            cases
                .iter()
                .map(move |(url, input)| json!({ "url": url, "input": input, "middleware": middleware }))
        })
        .collect();
    let report = kit.a2ui(&json!({ "runs": runs }));
    let (plain, behind) = report["runs"].as_array().unwrap().split_at(cases.len());
    for (plain, behind) in plain.iter().zip(behind).take(6) {
        check_same(plain, behind);
    }
    check_drawn(plain);
    for run in [plain, behind] {
        assert_eq!(texts(&run[6]), "UA 123 is booked for $289.");
    }
    check_logged(&behind[7], &booked);
    assert_eq!(plain[8]["drawn"], json!([]), "without the middleware it is a result, and no more");
    let [drawn] = behind[8]["drawn"].as_array().unwrap().as_slice() else { panic!("{:#}", behind[8]) };
    assert_eq!(drawn["surfaces"]["greeting"]["data"], json!({ "greeting": "Hello, Ada!" }));
}

/// The middleware adds nothing to surfaces that the agent shows.
fn check_same(plain: &Value, behind: &Value) {
    let drawn = |run: &Value| -> Vec<Value> {
        run["drawn"].as_array().unwrap().iter().map(|drawn| drawn["content"].clone()).collect()
    };
    assert_eq!(drawn(plain), drawn(behind));
    assert_eq!(texts(plain), texts(behind));
}

fn check_drawn(runs: &[Value]) {
    let last = |run: usize| runs[run]["drawn"].as_array().unwrap().last().unwrap().clone();
    let flights = &last(0)["surfaces"]["flight-search-results"];
    assert_eq!(flights["data"]["flights"][1]["flightNumber"], "DL 456");
    assert_eq!(flights["components"]["card"]["component"], "FlightCard");
    assert_eq!(last(1)["surfaces"]["hotel-search-results"]["data"]["hotels"][0]["rating"], 4.5);
    assert_eq!(last(2)["surfaces"]["hotel-comparison"]["data"]["items"].as_array().unwrap().len(), 3);

    let roster = runs[3]["drawn"].as_array().unwrap();
    assert_eq!(roster[0]["content"], json!({ "status": "building" }));
    let grown: Vec<_> = roster[1..]
        .iter()
        .map(|drawn| drawn["surfaces"]["team-roster"]["data"]["items"].as_array().unwrap().len())
        .collect();
    assert_eq!(grown, [1, 2, 3, 4]);
    let deltas = runs[3]["events"].as_array().unwrap().iter();
    assert_eq!(deltas.filter(|event| event["type"] == "ACTIVITY_DELTA").count(), 4);

    let states = |run: usize| -> Vec<Value> {
        runs[run]["drawn"]
            .as_array()
            .unwrap()
            .iter()
            .map(|drawn| drawn["content"]["status"].clone())
            .collect()
    };
    assert_eq!(states(4), [json!("building"), json!("retrying"), Value::Null]);
    let retried = &runs[4]["drawn"][1]["content"];
    assert_eq!(retried["errors"][0]["code"], "unresolved_child", "{retried}");
    assert!(last(4)["surfaces"]["hotel-comparison"]["components"]["card"].is_object());
    assert_eq!(states(5), ["building", "retrying", "retrying", "failed"]);
    assert_eq!(last(5)["surfaces"], json!({}), "an invalid surface is never drawn");
}

/// The text that the middleware gives to a model is the one of the action here.
fn check_logged(run: &Value, action: &Value) {
    let echoed: Value = serde_json::from_str(&texts(run)).unwrap();
    let [.., call, result] = echoed["messages"].as_array().unwrap().as_slice() else { panic!("{echoed:#}") };
    assert_eq!((&call["role"], &result["role"]), (&json!("assistant"), &json!("tool")), "{echoed:#}");
    let action: UserAction = serde_json::from_value(action.clone()).unwrap();
    assert_eq!(result["content"], action.to_string());
}

/// All messages of A2UI's own examples are read, and written again the same.
#[test]
fn the_published_examples_are_read_and_written_again() {
    let kit = need!(CopilotKit::ready());
    let report = kit.a2ui(&json!({ "messages": true }));
    let messages = report["messages"].as_array().unwrap();
    assert!(messages.len() > 100, "{}", messages.len());
    for json in messages {
        let message: SurfaceMessage = serde_json::from_value(json.clone()).unwrap();
        let operation = message.operation().unwrap_or_else(|| panic!("{json:#}"));
        assert_eq!(serde_json::to_value(SurfaceMessage::new(operation)).unwrap(), *json);
    }
}

/// A few ids and names, so that components meet: children that are there and not, circles, ids that repeat.
fn component() -> impl Strategy<Value = Value> {
    let id = prop_oneof![4 => "[a-d]", 2 => Just("root".to_owned()), 1 => Just(String::new())];
    let id = prop_oneof![9 => id.prop_map(Value::from), 1 => Just(json!(7))];
    let name = prop_oneof![4 => "Card|Tabs|Fold|Odd".prop_map(Value::from), 1 => Just(json!(null))];
    let reference = prop_oneof![
        4 => "[a-e]".prop_map(Value::from),
        1 => "[a-e]".prop_map(|id| json!({ "componentId": id, "path": "/list" })),
        1 => Just(json!(3)),
    ];
    let several = prop::collection::vec(reference.clone(), 0..3).prop_map(Value::from);
    let any = prop_oneof![reference, several];
    let binding = prop_oneof![
        "/list|/list/0|/list/0/name|/list/7|/none|/|name|/list/x".prop_map(|path| json!({ "path": path }))
    ];
    let members = [
        ("child", any.clone().boxed()),
        ("children", any.clone().boxed()),
        ("front", any.clone().boxed()),
        ("back", any.clone().boxed()),
        (
            "tabs",
            prop::collection::vec(any.clone().prop_map(|to| json!({ "page": to, "more": [to] })), 0..3)
                .prop_map(Value::from)
                .boxed(),
        ),
        ("text", binding.boxed()),
    ];
    let members = members.map(|(name, value)| {
        prop::option::weighted(0.3, value).prop_map(move |value| value.map(|value| (name, value)))
    });
    (prop::option::weighted(0.95, id), prop::option::weighted(0.95, name), members).prop_map(
        |(id, name, members)| {
            let given = [id.map(|id| ("id", id)), name.map(|name| ("component", name))];
            given
                .into_iter()
                .chain(members)
                .flatten()
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<Map<_, _>>()
                .into()
        },
    )
}

fn catalog() -> Value {
    let tabs = json!({ "type": "array", "items": { "type": "object", "properties": {
        "page": { "format": "componentRef" }, "more": { "format": "componentRefList" },
    } } });
    json!({ "catalogId": "c", "components": {
        "Card": { "required": ["child"] },
        "Tabs": { "properties": { "tabs": tabs, "child": { "format": "componentRefList" } }, "required": ["tabs"] },
        "Fold": { "properties": { "front": { "format": "componentRef" }, "back": { "format": "componentRefList" } } },
    } })
}

/// The problems in an order of their own: that of members differs between the languages.
fn sorted(problems: &Value) -> Vec<String> {
    let mut problems: Vec<_> = problems.as_array().unwrap().iter().map(ToString::to_string).collect();
    problems.sort();
    problems
}

/// Our check finds what the official toolkit finds, with its codes, places and texts.
#[test]
fn components_are_checked_as_by_the_official_toolkit() {
    let kit = need!(CopilotKit::ready());
    let mut runner = TestRunner::deterministic();
    let data = json!({ "list": [{ "name": "Ada" }] });
    let inputs: Vec<Value> = (0..4000)
        .map(|number| {
            let components =
                prop::collection::vec(component(), 0..6).new_tree(&mut runner).unwrap().current();
            let mut input = json!({ "components": components, "data": data });
            if number % 2 == 0 {
                input["catalog"] = catalog();
            }
            input
        })
        .collect();
    let report = kit.a2ui(&json!({ "validate": inputs }));
    let mut kinds = std::collections::BTreeMap::new();
    for (input, official) in inputs.iter().zip(report["validated"].as_array().unwrap()) {
        let components: Vec<SurfaceComponent> = serde_json::from_value(input["components"].clone()).unwrap();
        let catalog: Option<ComponentCatalog> = serde_json::from_value(input["catalog"].clone()).unwrap();
        let own = validate(&components, data.as_object().unwrap(), catalog.as_ref());
        let own = own.map_or_else(|error| json!(error.problems()), |()| json!([]));
        assert_eq!(sorted(&own), sorted(&official["errors"]), "{input:#}");
        for error in official["errors"].as_array().unwrap() {
            *kinds.entry(error["code"].to_string()).or_insert(0) += 1;
        }
        if official["valid"] == true {
            *kinds.entry("valid".to_owned()).or_insert(0) += 1;
        }
    }
    assert_eq!(kinds.len(), 11, "each kind of problem, and none: {kinds:?}");
}
