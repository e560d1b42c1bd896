//! A tool whose arguments are no plain object.

use agui_runtime::mcp::{McpError, McpServer};
use agui_runtime::prelude::*;
use agui_runtime::{Error, Server};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wired::block_on;

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Payment {
    Cash { cents: u32 },
    Card { number: String },
}

/// Pays.
#[tool]
async fn pay(#[serde(flatten)] payment: Payment) -> u32 {
    match payment {
        Payment::Cash { cents } => cents,
        Payment::Card { number } => u32::try_from(number.len()).unwrap_or_default(),
    }
}

/// Takes money.
#[agent(tools = [pay])]
async fn till(_: &mut Run<Till>, _: Input<Till>) -> Result<(), Stop> {
    Ok(())
}

#[test]
fn an_mcp_server_does_not_serve_a_tool_whose_arguments_are_alternatives() {
    let Err(error) = Server::new().mcp("/mcp", McpServer::new(Till::new())).router() else {
        panic!("the server starts");
    };
    assert!(matches!(error, Error::ToolArguments { .. }), "{error:?}");
    assert!(error.to_string().contains("the tool `pay` of agent `till`"), "{error}");
    let (_client, pipe) = tokio::io::duplex(64);
    let error = block_on(McpServer::new(Till::new()).serve(pipe)).unwrap_err();
    assert!(matches!(error, McpError::ToolArguments { tool: "pay" }), "{error}");
}
