//! A realistic agent: state, tools on both sides, events.

use agui_runtime::manifest::{ActivitySource, AgentSource, EventSource, ToolSource, TypeSource};
use agui_runtime::protocol::ToolSide;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Case;

/// The recipe on screen, shared with the page.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Recipe {
    title: String,
    ingredients: Vec<Ingredient>,
    #[serde(default)]
    steps: Vec<String>,
    difficulty: Option<Difficulty>,
}

/// One line of the shopping list.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Ingredient {
    name: String,
    amount: f32,
    unit: Unit,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Gram,
    Piece,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Difficulty {
    /// No experience needed.
    Easy,
    /// Takes practice.
    Hard,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "price")]
#[allow(dead_code)]
struct PriceArguments {
    /// Ingredient name, singular.
    name: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "pairing")]
#[allow(dead_code)]
struct PairingArguments {
    dish: String,
}

/// An amount of money.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Euro {
    cents: u32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "confirm_order")]
#[allow(dead_code)]
struct ConfirmOrderArguments {
    total: Euro,
    /// A remark about it.
    #[serde(default)]
    note: Option<String>,
}

/// The answer of the user.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "answer", rename_all = "lowercase")]
enum Confirmation {
    Yes {
        #[serde(default)]
        tip: Option<Euro>,
    },
    No {
        reason: String,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ask_name")]
#[allow(dead_code)]
struct AskNameArguments {}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ring")]
#[allow(dead_code)]
struct RingArguments {
    times: u8,
}

/// Something is in the pan.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Sizzle {
    heat: u8,
}

/// A search for a dish: it runs, or has found some.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Search {
    Running { query: String },
    Done { hits: u32 },
}

/// The bill of a run.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Bill {
    total: Euro,
    paid: bool,
}

/// The language of the page, and the number of guests.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Page {
    locale: String,
    #[serde(default)]
    guests: u8,
}

pub(super) fn case() -> Case {
    let tool = |name, description, side, arguments, result| ToolSource {
        name,
        description,
        side,
        approval: false,
        annotations: agui_runtime::protocol::ToolAnnotations::NONE,
        arguments,
        result,
    };
    let mut asks = tool(
        "confirm_order",
        "Asks the person to confirm before anything is ordered.",
        ToolSide::Frontend,
        TypeSource::of::<ConfirmOrderArguments>(),
        Some(TypeSource::of::<Confirmation>()),
    );
    asks.annotations.title = Some("Confirm".into());
    let mut looks = tool(
        "price",
        "Looks up what an ingredient costs today.",
        ToolSide::Backend,
        TypeSource::of::<PriceArguments>(),
        Some(TypeSource::of::<Euro>()),
    );
    looks.annotations.read_only_hint = Some(true);
    looks.annotations.open_world_hint = Some(false);
    let agent = AgentSource {
        description: "Cooks with you.",
        version: "0.1.0",
        rust_path: "kitchen::Kitchen",
        state: Some(TypeSource::of::<Recipe>()),
        tools: vec![
            looks,
            tool(
                "pairing",
                "Names the wine that goes with a dish.",
                ToolSide::Backend,
                TypeSource::of::<PairingArguments>(),
                Some(TypeSource::of::<String>()),
            ),
            asks,
            tool(
                "ask_name",
                "Asks who is there.",
                ToolSide::Frontend,
                TypeSource::of::<AskNameArguments>(),
                Some(TypeSource::of::<String>()),
            ),
            tool("ring", "Rings the bell.", ToolSide::Frontend, TypeSource::of::<RingArguments>(), None),
        ],
        events: vec![
            EventSource {
                name: "sizzle",
                description: "Something is in the pan.",
                value: TypeSource::of::<Sizzle>(),
            },
            EventSource {
                name: "oven.temperature",
                description: "How hot the oven is, in °C.",
                value: TypeSource::of::<f32>(),
            },
        ],
        activities: vec![ActivitySource {
            activity_type: "SEARCH",
            description: "Looks for a dish.",
            content: TypeSource::of::<Search>(),
        }],
        output: Some(TypeSource::of::<Bill>()),
        forwarded: Some(TypeSource::of::<Page>()),
        ..AgentSource::new("kitchen")
    };
    Case { name: "kitchen", agent, shapes: vec![] }
}
