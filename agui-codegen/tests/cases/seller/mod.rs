//! An agent with component catalogs: properties of each kind, and functions on both sides.

use agui_runtime::a2ui::{Catalog, ComponentId, ComponentList, DynamicValue, SurfaceAction};
use agui_runtime::manifest::AgentSource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Case;

/// The shop's components.
///
/// A page draws them.
#[derive(Catalog)]
#[catalog(
    id = "https://shop.example/catalog.json",
    components = [Stack, Label, Button, Tabs, Divider, Stepper],
    functions = [CountItems -> u32, OpenCart],
    agent_functions = [QuotePrice -> Quote, Forget],
)]
struct Shop;

/// Charts from elsewhere, under a name that the shared files have.
#[derive(Catalog)]
#[catalog(id = "https://charts.example/catalog.json", components = [Bars])]
struct FunctionCall;

/// Components below each other.
#[derive(Serialize, JsonSchema)]
struct Stack {
    children: ComponentList,
    /// Pixels between them.
    gap: Option<u32>,
}

/// A line of text.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Label {
    /// The text, as Markdown.
    text: DynamicValue<String>,
    item_count: Option<DynamicValue<u32>>,
    tone: Option<Tone>,
    tags: Option<DynamicValue<Vec<String>>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Loud,
    Quiet,
}

/// A button with a component inside.
#[derive(Serialize, JsonSchema)]
struct Button {
    child: ComponentId,
    action: SurfaceAction,
    enabled: DynamicValue<bool>,
}

/// One of several components at a time.
#[derive(Serialize, JsonSchema)]
struct Tabs {
    tabs: Vec<Tab>,
    footer: Option<ComponentId>,
}

#[derive(Serialize, JsonSchema)]
struct Tab {
    title: DynamicValue<String>,
    child: ComponentId,
    opened: Option<SurfaceAction>,
}

/// A line.
#[derive(Serialize, JsonSchema)]
struct Divider;

/// A number that the user changes.
#[derive(Serialize, JsonSchema)]
struct Stepper {
    value: DynamicValue<f64>,
    #[serde(rename = "tone/of voice")]
    tone: DynamicValue<Tone>,
    anything: DynamicValue<serde_json::Value>,
}

#[derive(Serialize, JsonSchema)]
struct Bars {
    heights: DynamicValue<Vec<f64>>,
}

/// Counts the items in the page's cart.
#[derive(Serialize, JsonSchema)]
struct CountItems {
    cart: DynamicValue<String>,
    limit: Option<u8>,
}

/// Opens the cart.
#[derive(Serialize, JsonSchema)]
struct OpenCart;

/// Returns today's price.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct QuotePrice {
    item_name: String,
    nights: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
struct Quote {
    cents: u32,
    valid_until: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Forget {
    everything: bool,
}

pub(super) fn case() -> Case {
    let agent = AgentSource {
        description: "Sells bread.",
        version: "0.1.0",
        rust_path: "shop::Seller",
        catalogs: vec![Shop::source(), FunctionCall::source()],
        ..AgentSource::new("seller")
    };
    Case { name: "seller", agent, shapes: vec![] }
}
