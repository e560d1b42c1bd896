//! A public agent whose tools, events, questions and dependencies are private, and a dependency that only a tool uses.

#![deny(unused, private_interfaces, private_bounds)]

/// The kitchen, of which the agent alone can be seen.
mod kitchen {
    use agui_runtime::prelude::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    struct Cents(u32);

    /// A dish on the menu.
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Dish {
        name: String,
    }

    /// Looks up a price.
    #[tool]
    async fn price(most: &Cents, dishes: Vec<Dish>) -> Option<u32> {
        dishes.iter().any(|dish| dish.name == "rice").then_some(most.0)
    }

    /// Asks the user if that is all.
    #[tool(frontend)]
    async fn checkout(dish: Dish) -> bool;

    /// Something is in the pan.
    #[derive(CustomEvent, Serialize, JsonSchema)]
    struct Sizzle;

    /// Asks for permission.
    #[derive(Interrupt, Serialize, JsonSchema)]
    #[interrupt(reason = "allow", response = bool)]
    struct Allow;

    /// Cooks with you.
    #[agent(tools = [price, checkout], events = [Sizzle], interrupts = [Allow])]
    #[allow(private_interfaces, reason = "the agent is made here")]
    pub async fn cook(run: &mut Run<Cook>, input: Input<Cook>, most: &Cents) -> Result<Option<u32>, Stop> {
        if input.resumed::<Allow>()?.is_none() {
            run.custom(Sizzle).await?;
        }
        let mut call = run.open_call("price").await?;
        call.push(r#"{"dishes":[{"name":"rice"}]}"#).await;
        match call.end()? {
            CookReadyCall::price(call) => Ok(call.run().await),
            CookReadyCall::checkout(call) => Err(Stop::await_frontend([call])),
        }
    }

    pub fn opened() -> Cook {
        Cook::new(Cents(180))
    }
}

#[test]
fn a_public_agent_runs_private_tools() {
    assert_eq!(super::tools_of(&kitchen::opened()), ["price", "checkout"]);
    let input = agui_runtime::protocol::RunAgentInput::new("thread", "run", vec![]);
    let events = futures::executor::block_on(agui_runtime::testing::run(kitchen::opened(), input));
    let last = serde_json::to_value(events.last()).unwrap();
    assert_eq!((&last["type"], &last["result"]), (&"RUN_FINISHED".into(), &180.into()));
}
