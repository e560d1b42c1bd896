//! A function with an argument of another type, and one that it does not have.

use agui_runtime::a2ui::{Catalog, DynamicValue, SurfaceData, TypedSurface};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Catalog)]
#[catalog(id = "https://shop.example/catalog.json", components = [Label], functions = [CountItems -> u32])]
struct Shop;

#[derive(Serialize, JsonSchema)]
struct Label {
    text: DynamicValue<String>,
}

#[derive(Serialize, JsonSchema)]
struct CountItems {
    cart: DynamicValue<String>,
}

#[derive(Serialize, SurfaceData)]
struct Order {
    cart: String,
    cents: u32,
}

fn main() {
    let _ = Shop::call(CountItems { cart: 3.into() });
    let _ = Shop::call(CountItems { card: "c-1".into() });
}
