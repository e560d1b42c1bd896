//! Written by a macro: types, names and arguments come from elsewhere.

use agui_runtime::prelude::*;

struct Shop;

macro_rules! cook {
    ($tool:ident($shop:ty, $argument:ty) -> $result:ty, $agent:ident: $Agent:ident) => {
        /// Counts.
        #[tool]
        async fn $tool(shop: $shop, name: $argument) -> $result {
            let _ = shop;
            name.len()
        }

        #[agent(tools = [$tool])]
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
}
