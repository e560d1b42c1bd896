//! Surfaces from Rust types, and surfaces from a model, against the catalog of the types and the published schemas.

use agui_runtime::a2ui::{
    AgentFunctionCall, Catalog, ComponentCatalog, ComponentId, ComponentList, DynamicValue, FunctionError,
    Surface, SurfaceAction, SurfaceData, SurfaceVersion, TypedSurface,
};
use agui_runtime::prelude::*;
use agui_runtime::testing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::schemas::{assert_definition, assert_published_by};

/// A shop.
#[derive(Catalog)]
#[catalog(
    id = "https://shop.example/catalog.json",
    components = [Stack, Label, Button],
    functions = [CountItems -> u32, OpenCart],
    agent_functions = [QuotePrice -> Vec<String>],
)]
struct Shop;

/// Charts from elsewhere.
#[derive(Catalog)]
#[catalog(id = "https://charts.example/catalog.json", components = [Bars])]
struct Charts;

/// Components below each other.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Stack {
    children: ComponentList,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Label {
    text: DynamicValue<String>,
    item_count: Option<DynamicValue<u32>>,
    tone: Option<Tone>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Loud,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Button {
    child: ComponentId,
    action: SurfaceAction,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Bars {
    heights: DynamicValue<Vec<f64>>,
    caption: ComponentId,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CountItems {
    cart: DynamicValue<String>,
}

#[derive(Serialize, JsonSchema)]
struct OpenCart;

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct QuotePrice {
    item_name: String,
}

#[derive(Serialize, SurfaceData)]
#[serde(rename_all = "camelCase")]
struct Order {
    cart_id: String,
    lines: Vec<Line>,
    #[serde(rename = "a/b")]
    odd: Option<Line>,
    #[serde(skip)]
    #[expect(dead_code, reason = "no member of the JSON")]
    secret: Secret,
}

#[derive(Default)]
struct Secret;

#[derive(Serialize, SurfaceData)]
struct Line {
    item: String,
}

fn line(item: &str) -> Line {
    Line { item: item.to_owned() }
}

fn order(mixed: bool, version: SurfaceVersion) -> Surface {
    let mut order = TypedSurface::<Shop, Order>::new("order");
    let at = order.data();
    let lines = order.repeat(at.lines(), |order, line| {
        order.add(Label { text: line.item().bind(), item_count: None, tone: Some(Tone::Loud) })
    });
    let mut rows = vec![order.add(Stack { children: lines })];
    let count = Shop::call(CountItems { cart: at.cart_id().bind() }).unwrap();
    let buy = order.add(Label { text: at.odd().item().bind(), item_count: Some(count.bind()), tone: None });
    let action = SurfaceAction::event("buy").bind("cart", &at.cart_id()).with("nights", 3);
    rows.push(order.add(Button { child: buy, action }));
    if mixed {
        let caption = order.add(Label { text: "Sales".into(), item_count: Some(3.into()), tone: None });
        rows.push(order.add_from::<Charts, _>(Bars { heights: vec![1.5].into(), caption }));
    }
    let open = order.add(Label { text: "Open".into(), item_count: None, tone: None });
    rows.push(order.add(Button { child: open, action: SurfaceAction::call(Shop::call(OpenCart).unwrap()) }));
    let data = Order {
        cart_id: "c-1".to_owned(),
        lines: vec![line("Bread")],
        odd: Some(line("Tea")),
        secret: Secret,
    };
    order.finish(Stack { children: rows.into_iter().collect() }, &data, version).unwrap()
}

fn shop() -> ComponentCatalog {
    Shop::definition()
}

/// One published catalog that has the components and functions of both.
fn published(version: &str) -> Value {
    let (shop, charts) = (shop(), Charts::definition());
    let components: serde_json::Map<_, _> = shop.components.into_iter().chain(charts.components).collect();
    let all = |kind: &str, names: Vec<&String>| -> Value {
        let refs: Vec<_> = names.iter().map(|name| json!({ "$ref": format!("#/{kind}/{name}") })).collect();
        json!({ "oneOf": refs })
    };
    let any = all("components", components.keys().collect());
    let functions = all("functions", shop.functions.keys().collect());
    assert!(!version.is_empty());
    json!({
        "components": components, "functions": shop.functions,
        "$defs": { "anyComponent": any, "anyFunction": functions, "theme": {} },
    })
}

#[test]
fn a_typed_catalog_is_one_of_the_published_schema() {
    assert_definition(&serde_json::to_value(shop()).unwrap());
    assert_eq!(shop().components["Label"]["properties"]["component"], json!({ "const": "Label" }));
    assert_eq!(shop().components["Stack"]["description"], "Components below each other.");
    assert_eq!(shop().functions["countItems"]["returnType"], "number");
    assert_eq!(shop().functions["openCart"]["returnType"], "void");
    assert_eq!(shop().functions["quotePrice"]["returnType"], "array");
    assert_eq!(shop().functions["quotePrice"]["allowedCallers"], "rendererOnly");
}

#[test]
fn typed_surfaces_are_right_by_their_catalogs_in_both_versions() {
    let (shop, charts) = (shop(), Charts::definition());
    for (mixed, version) in
        [(false, SurfaceVersion::V0_9), (false, SurfaceVersion::V1_0), (true, SurfaceVersion::V1_0)]
    {
        let surface = order(mixed, version);
        assert_eq!(surface.version(), Some(version));
        surface.check(&[&shop, &charts]).unwrap();
        assert_published_by(&published(version.as_str()), surface.messages());
    }
    let shown = order(true, SurfaceVersion::V1_0);
    let begin = &shown.messages()[0].json()["createSurface"];
    assert_eq!(begin["components"][0]["text"], json!({ "path": "item" }));
    assert_eq!(begin["components"][1]["children"], json!({ "componentId": "c0", "path": "/lines" }));
    assert_eq!(begin["components"][2]["text"], json!({ "path": "/a~1b/item" }));
    assert_eq!(begin["components"][5]["catalogId"], "https://charts.example/catalog.json");
    assert!(shown.in_version(SurfaceVersion::V0_9).is_err(), "v0.9 has one catalog");
}

/// Shows an order without asking for the version.
#[agent]
async fn typed_seller(run: &mut Run<TypedSeller>, _: Input<TypedSeller>, mixed: &bool) -> Result<(), Stop> {
    let mut order = TypedSurface::<Shop, Line>::new("order");
    let item = order.data().item().bind();
    let mut rows = vec![order.add(Label { text: item, item_count: None, tone: None })];
    if *mixed {
        let caption = order.add(Label { text: "Sales".into(), item_count: None, tone: None });
        rows.push(order.add_from::<Charts, _>(Bars { heights: vec![1.5].into(), caption }));
    }
    let root = Stack { children: rows.into_iter().collect() };
    let mut shown = order.show(root, &line("Bread"), run).await?;
    shown.update(|shown| shown.set_data(&line("Tea"))).await??;
    Ok(())
}

#[test]
fn a_typed_surface_is_shown_in_the_runs_version() {
    let events = |mixed, version| {
        let options = testing::options().surface_version(version);
        let run = testing::run_with(TypedSeller::new(mixed), testing::input("?"), options);
        futures::executor::block_on(run).iter().map(|event| json!(event)).collect::<Vec<_>>()
    };
    for (mixed, version, messages) in
        [(false, SurfaceVersion::V0_9, 3), (false, SurfaceVersion::V1_0, 1), (true, SurfaceVersion::V1_0, 1)]
    {
        let events = events(mixed, version);
        let surface: Surface = serde_json::from_value(events[1]["content"].clone()).unwrap();
        assert_eq!((surface.version(), surface.messages().len()), (Some(version), messages));
        assert_published_by(&published(version.as_str()), surface.messages());
        assert_eq!(events[2]["patch"][0]["value"], "Tea", "{events:#?}");
    }
    let refused = events(true, SurfaceVersion::V0_9);
    assert_eq!(refused.last().unwrap()["type"], "RUN_ERROR", "{refused:#?}");
}

/// A model's surface with each mistake goes back with the path and the reason.
#[test]
fn the_mistakes_of_a_model_have_paths_and_reasons() {
    let good = serde_json::to_value(order(true, SurfaceVersion::V1_0)).unwrap();
    let (shop, charts) = (shop(), Charts::definition());
    let begin = "/a2ui_operations/0/createSurface";
    for (path, value, expected) in [
        (
            "/components/2/component",
            json!("Lable"),
            "[unknown_component] components[2].component: Component type 'Lable' is not in the catalog",
        ),
        (
            "/components/2/text",
            json!(7),
            "[wrong_property] components[2].text: Expected string, and found a number",
        ),
        (
            "/components/0/tone",
            json!("quiet"),
            "[wrong_property] components[0].tone: Expected one of \"loud\", null, and found a string",
        ),
        (
            "/components/2/text",
            json!({ "path": "/none" }),
            "[unresolved_binding] components[2]: Binding path '/none' does not resolve in the data model",
        ),
        (
            "/components/2/itemCount/call",
            json!("count"),
            "[unknown_function] components[2].itemCount.call: Function 'count' is not in the catalog",
        ),
        (
            "/components/2/itemCount/args",
            json!({ "cart": 3 }),
            "[wrong_arguments] components[2].itemCount.args.cart: Expected string, and found a number",
        ),
        (
            "/components/2/itemCount/args",
            json!({ "cart": "c", "n": 1 }),
            "[wrong_arguments] components[2].itemCount.args.n: Function 'countItems' has no argument 'n'; it has: cart",
        ),
        (
            "/components/2/itemCount/args",
            json!({}),
            "[wrong_arguments] components[2].itemCount.args.cart: Function 'countItems' is missing required argument 'cart'",
        ),
        (
            "/components/5/caption",
            json!("nobody"),
            "[unresolved_child] components[5].caption: Child reference 'nobody' does not match any component id",
        ),
        (
            "/components/5/catalogId",
            json!("else"),
            "[unknown_catalog] components[5].catalogId: Unknown catalog 'else'; known are 'https://shop.example/catalog.json', 'https://charts.example/catalog.json'",
        ),
        (
            "/components/5/catalogId",
            json!("https://shop.example/catalog.json"),
            "[unknown_component] components[5].component: Component type 'Bars' is not in the catalog",
        ),
        (
            "/components",
            json!([]),
            "[empty_components] components: A2UI components must be a non-empty array",
        ),
    ] {
        let mut surface = good.clone();
        *surface.pointer_mut(&format!("{begin}{path}")).unwrap_or_else(|| panic!("{path} {good:#}")) = value;
        let surface: Surface = serde_json::from_value(surface).unwrap();
        let error = surface.check(&[&shop, &charts]).unwrap_err().to_string();
        assert!(error.lines().any(|line| line == format!("- {expected}")), "{path}: {error}\n{expected}");
    }
    for (message, expected) in [
        (
            json!({ "version": "v7", "morph": {} }),
            "[unread_message] messages[1]: Unknown version 'v7'; known are 'v0.9' and 'v1.0'",
        ),
        (
            json!({ "morph": {} }),
            "[unread_message] messages[1]: The message has no version; write 'v0.9' or 'v1.0'",
        ),
        (
            json!({ "version": "v1.0", "morph": {} }),
            "[unread_message] messages[1]: The message is not one operation of A2UI v1.0",
        ),
        (
            good["a2ui_operations"][0].clone(),
            "[unread_message] messages[1]: The surface 'order' is created twice",
        ),
    ] {
        let surface = json!({ "a2ui_operations": [good["a2ui_operations"][0], message] });
        let surface: Surface = serde_json::from_value(surface).unwrap();
        let error = surface.check(&[&shop, &charts]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
}

/// Data of 10 MB is checked and converted in a time that grows with its size only.
#[test]
fn data_of_ten_megabytes_is_no_danger() {
    let lines: Vec<_> = (0..100_000).map(|number| line(&format!("{number:0>80}"))).collect();
    let mut order = TypedSurface::<Shop, Order>::new("order");
    let at = order.data();
    let children = order.repeat(at.lines(), |order, line| {
        order.add(Label { text: line.item().bind(), item_count: None, tone: None })
    });
    let data = Order { cart_id: String::new(), lines, odd: None, secret: Secret };
    let began = std::time::Instant::now();
    let surface = order.finish(Stack { children }, &data, SurfaceVersion::V0_9).unwrap();
    surface.check(&[&shop()]).unwrap();
    let text = serde_json::to_string(&surface).unwrap();
    assert!(text.len() > 9_000_000, "{}", text.len());
    let read: Surface = serde_json::from_str(&text).unwrap();
    assert_eq!(read.in_version(SurfaceVersion::V1_0).unwrap().messages().len(), 3);
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn the_pages_calls_of_functions_are_typed() {
    let call = |name: &str, args: Value| -> AgentFunctionCall {
        let call = json!({ "call": name, "args": args });
        serde_json::from_value(json!({ "surfaceId": "s", "functionCallId": "f", "callFunction": call }))
            .unwrap()
    };
    let quote = call("quotePrice", json!({ "itemName": "Tea" }));
    assert_eq!(quote.read::<Shop, QuotePrice>().unwrap().unwrap().item_name, "Tea");
    assert!(call("other", json!({})).read::<Shop, QuotePrice>().unwrap().is_none());
    let error = call("quotePrice", json!({ "itemName": 7 })).read::<Shop, QuotePrice>().err().unwrap();
    assert_eq!(error.code, FunctionError::INVALID_ARGUMENTS);
    assert!(error.message.contains("`itemName`"), "{error}");
    let response = quote.respond(Ok(json!(["$3"])));
    assert_eq!(response.read::<Vec<String>>().unwrap(), ["$3"]);
    assert!(response.read::<u32>().is_err());
}
