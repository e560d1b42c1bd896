//! A2UI's own renderer for React, from its published packages: a page whose components and functions have the generated types draws
//! surfaces, follows the data, calls and answers functions, and sends what the user does.
//!
//! The packages draw v0.9. They have no function calls over the wire, which the page sends and answers by the generated code.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agui_codegen::emit::LANGUAGES;
use agui_codegen::lower::lower;
use agui_runtime::Server;
use agui_runtime::a2ui::{
    A2uiProps, Catalog, ComponentId, ComponentList, DynamicValue, FunctionError, PendingFunctionCalls,
    Surface, SurfaceAction, SurfaceData, SurfaceMessage, SurfaceVersion, TypedSurface, UpdateDataModel,
};
use agui_runtime::manifest::{Manifest, hook};
use agui_runtime::prelude::*;
use agui_tests::need;
use agui_tests::outside::{A2uiReact, Chromium, Node, artefact, target_dir, tests_dir};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::served::served;

/// The shop's components.
#[derive(Catalog)]
#[catalog(
    id = "https://shop.example/catalog.json",
    components = [Stack, Label, Field, Button],
    functions = [CountItems -> u32],
    agent_functions = [QuotePrice -> Quote],
)]
struct Shop;

/// Components below each other.
#[derive(Serialize, JsonSchema)]
struct Stack {
    children: ComponentList,
}

/// A line of text.
#[derive(Serialize, JsonSchema)]
struct Label {
    text: DynamicValue<String>,
    count: Option<DynamicValue<u32>>,
    tone: Option<Tone>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Loud,
}

/// A line of text that the user writes.
#[derive(Serialize, JsonSchema)]
struct Field {
    label: String,
    text: DynamicValue<String>,
}

/// A button with a component inside.
#[derive(Serialize, JsonSchema)]
struct Button {
    child: ComponentId,
    action: SurfaceAction,
}

/// Counts the items in the page's cart.
#[derive(Serialize, JsonSchema)]
struct CountItems {
    cart: DynamicValue<String>,
}

/// Returns today's price.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct QuotePrice {
    item_name: String,
}

/// A price.
#[derive(Serialize, JsonSchema)]
struct Quote {
    item: String,
    cents: u32,
}

#[derive(Serialize, SurfaceData)]
struct Order {
    cart: String,
    status: String,
    note: String,
    lines: Vec<Line>,
}

#[derive(Serialize, SurfaceData)]
struct Line {
    item: String,
}

/// The values that the button sends.
#[derive(Deserialize)]
struct Sale {
    cart: String,
    note: String,
}

/// The calls that the page has not answered.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Waiting {
    calls: PendingFunctionCalls,
}

fn order(version: SurfaceVersion) -> Result<Surface, Stop> {
    let mut order = TypedSurface::<Shop, Order>::new("order");
    let at = order.data();
    let lines = order.repeat(at.lines(), |order, line| {
        order.add(Label { text: line.item().bind(), count: None, tone: None })
    });
    let lines = order.add(Stack { children: lines });
    let status = order.add(Label { text: at.status().bind(), count: None, tone: Some(Tone::Loud) });
    let note = order.add(Field { label: "Note".to_owned(), text: at.note().bind() });
    let count = Shop::call(CountItems { cart: at.cart().bind() })?.bind();
    let count = order.add(Label { text: "In the cart".into(), count: Some(count), tone: None });
    let buy = order.add(Label { text: "Buy".into(), count: None, tone: None });
    let action = SurfaceAction::event("buy").bind("cart", &at.cart()).bind("note", &at.note());
    let buy = order.add(Button { child: buy, action });
    let root = Stack { children: [status, lines, count, note, buy].into() };
    let line = |item: &str| Line { item: item.to_owned() };
    let data = Order {
        cart: "c-1".to_owned(),
        status: "Open".to_owned(),
        note: String::new(),
        lines: vec![line("Bread"), line("Milk")],
    };
    Ok(order.finish(root, &data, version)?)
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(time.as_millis()).unwrap()
}

/// Sells bread.
#[agent(state = Waiting, activities = [Surface], catalogs = [Shop], forwarded = A2uiProps)]
async fn seller(run: &mut Run<Seller>, input: Input<Seller>) -> Result<(), Stop> {
    let state = run.state().adopt_or_snapshot(&input).await?;
    let page = input.forwarded::<A2uiProps>()?.unwrap_or_default();
    if let Some(call) = page.agent_function_call() {
        let quoted = match call.read::<Shop, QuotePrice>() {
            Ok(Some(quote)) if quote.item_name == "Bread" => Ok(json!({ "item": "Bread", "cents": 300 })),
            Ok(Some(_)) => Err(FunctionError::new("UNKNOWN_ITEM", "There is no such item.")),
            Ok(None) => {
                Err(FunctionError::new(FunctionError::UNKNOWN_FUNCTION, "There is no such function."))
            }
            Err(invalid) => Err(invalid),
        };
        drop(Surface::from_messages([SurfaceMessage::new(call.respond(quoted))]).show(run).await?);
        return Ok(());
    }
    if let Some(response) = page.function_response() {
        let settled = state.update(|waiting| waiting.calls.settle(&response, now())).await?;
        let count = settled.map(|_| response.read::<u32>());
        let text = match count {
            Ok(Ok(count)) => format!("You have {count} items."),
            Ok(Err(failed)) => format!("The page failed: {failed}"),
            Err(unexpected) => format!("Not expected: {unexpected}"),
        };
        run.say(text).await;
        return Ok(());
    }
    if let Some(action) = page.user_action() {
        let sale: Sale = action.read_context()?;
        let sold = UpdateDataModel::set("order", "/status", json!("Sold"));
        let sold = Surface::from_messages([SurfaceMessage::new(sold)]);
        drop(sold.in_version(SurfaceVersion::V0_9)?.show(run).await?);
        run.say(format!("Bought {}: {}.", sale.cart, sale.note)).await;
        return Ok(());
    }
    let version = SurfaceVersion::of_client(&input).unwrap_or(SurfaceVersion::V1_0);
    let mut surface = order(version)?;
    let count = Shop::call(CountItems { cart: "c-1".into() })?.into_function_call();
    let id = format!("count-{}", input.run_id);
    let ask = |waiting: &mut Waiting| waiting.calls.call(id, count, Duration::from_secs(60), now());
    surface.push(state.update(ask).await?);
    drop(surface.show(run).await?);
    Ok(())
}

/// Writes the TypeScript of the program's agents; returns the folder.
fn generated(name: &str) -> PathBuf {
    let folder = target_dir().join("outside").join(name);
    drop(fs::remove_dir_all(&folder));
    // As the server describes itself: with all agents of the program.
    let agents = hook::entry_agents(hook::registered());
    let api = lower(&Manifest::build("shop", "0.1.0", &agents).unwrap()).unwrap();
    for file in LANGUAGES[0].emit(&api) {
        let path = folder.join(file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file.text).unwrap();
    }
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn its_renderer_draws_our_catalog() {
    let url = served(Server::new().agent("/", Seller::new())).await;
    tokio::task::block_in_place(|| use_the_page(&url));
}

fn use_the_page(agent: &str) {
    let (react, chromium) = (need!(A2uiReact::ready()), need!(Chromium::ready()));
    let page = react.serve_page(&generated("a2ui-react"));
    let picture = |name: &str| artefact(&format!("a2ui-react-{name}.png"));
    let job = json!({ "pictures": { "drawn": picture("drawn"), "bought": picture("bought") } });
    let address = format!("{}/?url={agent}", page.url());
    chromium.browse("a2ui-react", "a2ui.mjs", &address, &job).assert_ok();
}

/// The page and the generator's README compile against the published declarations, and the generated types are what
/// `createComponentImplementation` takes.
#[test]
fn its_declarations_take_the_generated_types() {
    let (react, node) = (need!(A2uiReact::ready()), need!(Node::ready()));
    let folder = generated("a2ui-types");
    // Beside the generated files, the page is compiled as they are.
    let page = fs::read_to_string(tests_dir().join("node/a2ui/page.tsx")).unwrap();
    let script = folder.join("page.tsx");
    fs::write(&script, page.replace("\"agui/", "\"./").replace(".ts\"", ".js\"")).unwrap();
    let readme = include_str!("../../../../agui-codegen/README.md");
    let block = readme.split("```tsx\n").find(|block| block.contains("seller/catalogs.js")).unwrap();
    let shown = folder.join("readme.tsx");
    fs::write(&shown, block.split_once("```").unwrap().0.replace("./agui/", "./")).unwrap();
    let packages = react.node_modules();
    let paths = json!({
        "react": [packages.join("@types/react")],
        "react/jsx-runtime": [packages.join("@types/react/jsx-runtime")],
        "react-dom/client": [packages.join("@types/react-dom/client")],
        "@a2ui/web_core/v0_9": [packages.join("@a2ui/web_core/src/v0_9")],
        "*": [packages.join("*")],
    });
    let checked = node.type_check_with("a2ui-page", &paths, &[script, shown]);
    assert!(checked.status.success(), "{checked}");
}
