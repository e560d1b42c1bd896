//! A text that shows the number of a function.

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
    let mut order = TypedSurface::<Shop, Order>::new("order");
    let count = Shop::call(CountItems { cart: "c-1".into() }).unwrap();
    order.add(Label { text: count.bind() });
}
