//! A member that serde writes with a module of functions, and a schema for its output.

use agui_runtime::DynAgent as _;
use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod cents {
    pub fn serialize<S: serde::Serializer>(cents: &u32, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(cents)
    }
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
        let text: String = serde::Deserialize::deserialize(input)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Recipe {
    #[serde(with = "cents")]
    #[schemars(with = "String")]
    price: u32,
}

#[agent(state = Recipe)]
async fn counted(_: &mut Run<Counted>, _: Input<Counted>) -> Result<(), Stop> {
    Ok(())
}

#[test]
fn the_state_is_what_the_module_writes() {
    let written = serde_json::to_value(Recipe { price: 180 }).unwrap();
    assert_eq!(written, serde_json::json!({ "price": "180" }));
    assert_eq!(serde_json::from_value::<Recipe>(written).unwrap().price, 180);
    let schema = Counted::new().describe().state.unwrap().root_schema().to_value();
    assert_eq!(schema["properties"]["price"]["type"], "string");
}
