//! The arguments of a tool are one object: what a flattened parameter may make of them.

use agui_runtime::prelude::*;
use agui_runtime::{Error, Server, testing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Payment {
    Cash { cents: u32 },
    Card { number: String },
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Page {
    first: u32,
    most: u32,
}

/// Pays.
#[tool]
async fn pay(order: u32, #[serde(flatten)] payment: Payment) -> u32 {
    match payment {
        Payment::Cash { cents } => order + cents,
        Payment::Card { number } => order + u32::try_from(number.len()).unwrap_or_default(),
    }
}

/// Asks the page to pay.
#[tool(frontend)]
async fn pay_there(#[serde(flatten)] payment: Payment) -> bool;

/// Lists orders.
#[tool]
async fn list(#[serde(flatten)] page: Page) -> u32 {
    page.first + page.most
}

/// Takes money.
#[agent(tools = [pay])]
async fn till(run: &mut Run<Till>, _: Input<Till>) -> Result<u32, Stop> {
    let payment = Payment::Cash { cents: 5 };
    Ok(run.call(pay { order: 1, payment }).await?.run().await)
}

/// Sells.
#[agent(tools = [Till])]
async fn shop(_: &mut Run<Shop>, _: Input<Shop>, _till: &std::sync::Arc<Till>) -> Result<(), Stop> {
    Ok(())
}

/// Lists and asks.
#[agent(tools = [list, pay_there])]
async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>) -> Result<u32, Stop> {
    Ok(run.call(list { page: Page { first: 1, most: 2 } }).await?.run().await)
}

fn refused(server: Server) -> String {
    match server.router() {
        Err(error @ Error::ToolArguments { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_server_does_not_start_with_a_tool_whose_arguments_are_alternatives() {
    let said = "the arguments of the tool `pay` of agent `till` are alternatives, which no model provider accepts: take the enum as \
                one argument, without `#[serde(flatten)]`";
    assert_eq!(refused(Server::new().agent("/", Till::new())), said);
    assert_eq!(refused(Server::new().agent("/", Shop::new(Till::new().into()))), said, "as a subagent");
}

#[test]
fn a_flattened_struct_and_the_tools_of_a_page_are_accepted() {
    assert!(Server::new().agent("/", Clerk::new()).router().is_ok());
    let events = futures::executor::block_on(testing::run(Clerk::new(), testing::input("List them.")));
    let lines = testing::lines(&events);
    assert!(lines.contains(r#"{\"first\":1,\"most\":2}"#), "{lines}");
}
