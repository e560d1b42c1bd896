//! A function that the catalog does not list.

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

#[derive(Serialize, JsonSchema)]
struct OpenCart;

fn main() {
    let _ = Shop::call(OpenCart);
}
