//! Arguments of 128 bits: a number that is no integer is a wrong argument, and not its first digits.

use agui_runtime::mcp::McpServer;
use agui_runtime::prelude::*;
use serde_json::{Value, json};

use crate::wired::{block_on, call, lifecycles, rmcp_client, said};

/// Pays.
#[tool]
async fn pay(amount: u128, change: Option<i128>) -> String {
    format!("{amount} {change:?}")
}

/// Pays what it must.
#[agent(tools = [pay])]
async fn payer(_: &mut Run<Payer>, _: Input<Payer>) -> Result<(), Stop> {
    Ok(())
}

#[test]
fn a_number_that_is_no_integer_is_refused() {
    let largest: Value = serde_json::from_str(&u64::MAX.to_string()).unwrap();
    let rows = [
        (json!({ "amount": 7, "change": -2 }), Some("7 Some(-2)")),
        (json!({ "amount": largest }), Some("18446744073709551615 None")),
        (json!({ "amount": 1e18 }), None),
        (json!({ "amount": 2.5 }), None),
        (json!({ "amount": 1, "change": -2.5 }), None),
    ];
    for lifecycle in lifecycles() {
        block_on(async {
            let client = rmcp_client(McpServer::new(Payer::new()), lifecycle).await;
            for (arguments, paid) in &rows {
                let answer = call(&client, "pay", arguments.clone()).await;
                match (answer.map(|answer| said(&answer)), paid) {
                    (Ok((text, false)), Some(paid)) => assert_eq!(text, *paid),
                    (Ok((_, true)) | Err(_), None) => {}
                    (answer, _) => panic!("{arguments}: {answer:?}"),
                }
            }
        });
    }
}
