//! Schema of an older schemars.
//!
//! error: `Order` cannot be an argument of a tool
//! write: `JsonSchema` is the trait of schemars 1: with `schemars = "0.8"` in `Cargo.toml`, the derive implements another one

use crate::kit::*;

#[derive(Serialize, Deserialize)]
pub struct Order {
    id: u32,
}

// As the derive of schemars 0.8 writes it.
impl schemars08::JsonSchema for Order {
    fn schema_name() -> String {
        "Order".to_owned()
    }

    fn json_schema(types: &mut schemars08::r#gen::SchemaGenerator) -> schemars08::schema::Schema {
        types.subschema_for::<u32>()
    }
}

/// Looks up an order.
#[tool]
async fn look_up(order: Order) -> u32 {
    1
}

#[agent(tools = [look_up])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
