//! Tools that a page declares and `agui-codegen rust` translated: an agent calls them like handwritten tools, and the
//! output fits the page's schemas.

mod odd;
mod page;

use std::collections::BTreeMap;

use agui_runtime::Tool;
use agui_runtime::prelude::*;
use agui_runtime::protocol::RunAgentInput;
use agui_runtime::tools::FrontendSide;
use futures::executor::block_on;
use serde_json::{Value, json};

use crate::agent::{input, inside, json, judge, types};
use odd::{default_obj, flat3, recursive_root, root_union};
use page::pick_payment_types::{PickPaymentAmount, PickPaymentAmountCurrency, PickPaymentMethod};
use page::show_map_types::{
    ShowMapMarkersItem, ShowMapMarkersItemIcon, ShowMapMarkersItemIconString, ShowMapPlace, ShowMapStyle,
};
use page::{add_comment, pick_payment, plot, show_map, show_map_2, show_map_3, type_};

const PAGE: &str = include_str!("../../../../agui-codegen/tests/frontend/zod-draft-2020-12.json");
const ODD: &str = include_str!("../../../../agui-codegen/tests/frontend/odd.json");

/// Shows the way, in the page.
#[agent(tools = [
    show_map, pick_payment, type_, show_map_2, show_map_3, add_comment, plot,
    odd::flat3, odd::root_union, odd::recursive_root, odd::default_obj,
])]
async fn guide(run: &mut Run<Guide>, input: Input<Guide>) -> Result<(), Stop> {
    if let Some(answer) = input.frontend_result::<show_map>()? {
        run.say(format!("The page says {answer}.")).await;
        return Ok(());
    }
    let home = ShowMapPlace { lat: 48.1, lng: 11.5 };
    let map = run.call(show_map {
        center: home.clone(),
        zoom: Some(12),
        style: ShowMapStyle::DarkMode,
        markers: vec![ShowMapMarkersItem {
            at: home,
            label: None,
            icon: Some(ShowMapMarkersItemIcon::String(ShowMapMarkersItemIconString::Pin)),
        }],
        bounds: Some((1.0, 2.0, "km".into())),
        layers: BTreeMap::new(),
    });
    let map = map.await?;
    let payment = run.call(pick_payment {
        method: PickPaymentMethod::Card { last4: "1234".into(), expires: "2030-01-02".into() },
        amount: PickPaymentAmount { cents: 180, currency: PickPaymentAmountCurrency::Eur },
    });
    let payment = payment.await?;
    let nothing = run.call(show_map_2 {}).await?;
    let any = run
        .call(flat3 { arguments: odd::flat3_types::Params([("id".into(), json!(1))].into_iter().collect()) });
    let any = any.await?;
    Err(Stop::await_frontend((map, payment, nothing, any)))
}

fn events(input: RunAgentInput) -> Vec<Value> {
    let events = block_on(agui_runtime::testing::run(Guide::new(), input));
    let events: Vec<Value> = events.iter().map(json).collect();
    judge(&events);
    events
}

/// The schema that the frontend declares for a tool.
fn declared(text: &str, name: &str) -> Value {
    let tools: Value = serde_json::from_str(text).unwrap();
    let tools = tools.get("tools").unwrap_or(&tools).as_array().unwrap();
    tools.iter().find(|tool| tool["name"] == name).unwrap()["parameters"].clone()
}

#[test]
fn the_calls_are_what_the_page_declares() {
    let events = events(input());
    let arguments: Vec<(&str, Value)> = inside(&events)
        .chunks(3)
        .map(|call| {
            assert_eq!(types(call), ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"]);
            let arguments = serde_json::from_str(call[1]["delta"].as_str().unwrap()).unwrap();
            (call[0]["toolCallName"].as_str().unwrap(), arguments)
        })
        .collect();
    let place = json!({ "lat": 48.1, "lng": 11.5 });
    let expected = [
        (
            "show_map",
            PAGE,
            json!({
                "center": place, "zoom": 12, "style": "dark-mode",
                "markers": [{ "at": place, "label": null, "icon": "pin" }], "bounds": [1.0, 2.0, "km"],
            }),
        ),
        (
            "pickPayment",
            PAGE,
            json!({
                "method": { "kind": "card", "last4": "1234", "expires": "2030-01-02" },
                "amount": { "cents": 180, "currency": "EUR" },
            }),
        ),
        ("showMap", PAGE, json!({})),
        ("flat3", ODD, json!({ "id": 1 })),
    ];
    assert_eq!(arguments.len(), expected.len());
    for ((name, written), (tool, file, wanted)) in arguments.iter().zip(&expected) {
        assert_eq!((name, written), (tool, wanted));
        let schema = jsonschema::validator_for(&declared(file, name)).unwrap();
        assert!(schema.is_valid(written), "{name}: {written}");
    }
}

/// Values of the page's schema are read and written again unchanged, and the schema of the Rust type allows them too.
fn come_through<T: Tool<Side = FrontendSide>>(file: &str, values: &[Value]) {
    let theirs = jsonschema::validator_for(&declared(file, T::NAME)).unwrap();
    let ours = jsonschema::validator_for(schemars::schema_for!(T).as_value()).unwrap();
    for value in values {
        assert!(theirs.is_valid(value), "{} is declared otherwise than {value}", T::NAME);
        assert!(ours.is_valid(value), "{} describes itself otherwise than {value}", T::NAME);
        let read: T = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), *value, "{}", T::NAME);
    }
}

#[test]
fn values_come_through_the_types() {
    let place = json!({ "lat": 48.1, "lng": 11.5 });
    let marker = |icon: Value| json!({ "at": place, "label": "x", "icon": icon });
    come_through::<show_map>(
        PAGE,
        &[json!({
            "center": place, "zoom": 1, "style": "streets", "layers": { "roads": true },
            "markers": [marker(json!("flag")), marker(json!(1.5)), { "at": place, "label": null }],
        })],
    );
    let amount = json!({ "cents": 9_007_199_254_740_991_i64, "currency": "EUR" });
    let methods = [json!({ "kind": "cash" }), json!({ "kind": "later", "until": "2026-01-02T03:04:05Z" })];
    let methods = methods.map(|method| json!({ "method": method, "amount": amount }));
    come_through::<pick_payment>(PAGE, &methods);
    come_through::<type_>(
        PAGE,
        &[
            json!({ "type": "a", "self": true }),
            json!({ "type": "a", "self": false, "aria-label": "b", "async": "c", "$ref": "d", "größe 2": 2.5 }),
        ],
    );
    come_through::<show_map_2>(PAGE, &[json!({})]);
    come_through::<show_map_3>(PAGE, &[json!({ "title": "a", "more": [1, null] })]);
    let replies = json!([{ "text": "b", "replies": [{ "text": "c" }] }]);
    come_through::<add_comment>(PAGE, &[json!({ "comment": { "text": "a", "replies": replies } })]);
    for (color, label, either) in [
        (json!("red"), json!("a"), json!({ "from": "a" })),
        (json!(null), json!(1.5), json!({ "to": "a", "by": 1.5 })),
        (json!("green"), json!(null), json!({ "from": "b" })),
        (json!("green"), json!(true), json!({ "from": "b" })),
    ] {
        come_through::<plot>(
            PAGE,
            &[json!({
                "series": [[1.5, 2.5], [0.5, -1.5]], "color": color, "label": label, "options": { "a": "b" },
                "either": either, "anything": { "x": [null] }, "nothing": null, "perColor": { "green": 0.5 },
            })],
        );
    }
    come_through::<root_union>(ODD, &[json!({ "kind": "a", "x": 0.5 }), json!({ "kind": "b" })]);
    come_through::<recursive_root>(ODD, &[json!({}), json!({ "n": 0.5, "child": { "child": {} } })]);
    come_through::<flat3>(ODD, &[json!({ "id": 1, "k0v0": "a", "k2v1": "b" })]);
    come_through::<default_obj>(
        ODD,
        &[json!({ "x": { "a": 2.5 }, "n": 4, "s": "", "b": false, "l": ["b"] })],
    );
    come_through::<odd::same_places>(
        ODD,
        &[json!({ "a": { "x": 0.5 }, "b": { "y": 0.5 }, "point": { "z": 0.5 } })],
    );
    come_through::<odd::mixed_enum>(ODD, &[json!({ "x": "a" }), json!({ "x": 1 }), json!({ "x": null })]);
    come_through::<odd::open_tuple>(ODD, &[json!({ "x": [0.5, "a", "b"] })]);
}

#[test]
fn defaults_are_those_of_the_page() {
    let read: default_obj = serde_json::from_value(json!({})).unwrap();
    let written = serde_json::to_value(read).unwrap();
    assert_eq!(written, json!({ "n": 3, "s": "hi", "b": true, "l": ["a"] }));
}

#[test]
fn a_frontend_tool_has_the_name_and_description_of_the_page() {
    assert_eq!(pick_payment::NAME, "pickPayment");
    let said: Value = serde_json::from_str(PAGE).unwrap();
    assert_eq!(pick_payment::DESCRIPTION, said[1]["description"].as_str().unwrap());
    let schema = schemars::schema_for!(odd::long_story);
    let text = &declared(ODD, "long_story")["properties"]["text"]["description"];
    assert_eq!(schema.as_value()["properties"]["text"]["description"], *text);
    let order: Vec<_> = schemars::schema_for!(show_map).as_value()["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(order, ["center", "zoom", "style", "markers", "bounds", "layers"]);
}
