//! Written by a macro: types, names and arguments come from elsewhere.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

struct Shop;

macro_rules! question {
    ($Question:ident, $reason:literal, $response:ty) => {
        #[derive(Interrupt, Serialize, JsonSchema)]
        #[interrupt(reason = $reason, response = $response)]
        struct $Question;
    };
}

question!(Portions, "portions", Option<u32>);

macro_rules! cook {
    ($tool:ident($shop:ty, $argument:ty) -> $result:ty, $agent:ident: $Agent:ident) => {
        /// Counts.
        #[tool]
        async fn $tool(shop: $shop, name: $argument) -> $result {
            let _ = shop;
            name.len()
        }

        #[agent(tools = [$tool], interrupts = [Portions])]
        async fn $agent(run: &mut Run<$Agent>, _: Input<$Agent>, shop: $shop) -> Result<(), Stop> {
            let _ = shop;
            run.call($tool { name: "rice".into() }).await?.run().await;
            Ok(())
        }
    };
}

cook!(price(&Shop, String) -> usize, written: Written);

#[test]
fn it_is_an_agent_with_its_tool() {
    assert_eq!(super::tools_of(&Written::new(Shop)), ["price"]);
    assert_eq!(Portions::REASON, "portions");
    assert_eq!(Written::source().interrupts.len(), 1);
}
