//! Calls of an agent's tools by rmcp's client.

use std::sync::Arc;

use agui_runtime::RunOptions;
use agui_runtime::mcp::McpServer;
use agui_runtime::prelude::*;
use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::ServiceError;
use serde_json::{Value, json};

use crate::shop::{Customer, Shop, Waiting, refund};
use crate::wired::{Client, block_on, call, lifecycles, rmcp_client, said, until};

fn shop() -> McpServer {
    McpServer::new(Shop::new(Waiting::default()))
}

/// Calls a tool over each version of the protocol, and returns the text, which must be the same.
fn called(server: impl Fn() -> McpServer, tool: &str, arguments: &Value) -> (String, bool) {
    let mut texts = lifecycles().map(|lifecycle| {
        block_on(async {
            let client = rmcp_client(server(), lifecycle).await;
            said(&call(&client, tool, arguments.clone()).await.unwrap())
        })
    });
    assert_eq!(texts[0], texts[1]);
    std::mem::take(&mut texts[0])
}

fn ok(text: &str) -> (String, bool) {
    (text.to_owned(), false)
}

fn failed(text: &str) -> (String, bool) {
    (text.to_owned(), true)
}

#[test]
fn a_call_returns_what_the_tool_returns() {
    assert_eq!(called(shop, "price", &json!({ "name": "rice" })), ok("180"));
    assert_eq!(called(shop, "long", &json!({ "characters": 3 })), ok("xxx"));
    assert_eq!(
        called(shop, "note", &json!({ "text": "hi" })),
        ok("1"),
        "each call begins with the default state"
    );
}

#[test]
fn an_object_is_structured_content_and_parts_are_blocks() {
    block_on(async {
        for lifecycle in lifecycles() {
            let client = rmcp_client(shop(), lifecycle).await;
            let order = call(&client, "order", json!({ "lines": [{ "item": "rice" }] })).await.unwrap();
            let expected = json!({ "number": 7, "lines": [{ "item": "rice", "count": 0 }] });
            assert_eq!(order.structured_content, Some(expected.clone()));
            assert_eq!(serde_json::from_str::<Value>(&said(&order).0).unwrap(), expected);
            let picture = call(&client, "picture", json!({})).await.unwrap();
            assert_eq!(
                serde_json::to_value(&picture.content).unwrap(),
                json!([
                    { "type": "text", "text": "A bag of rice." },
                    { "type": "image", "data": "aW1hZ2U=", "mimeType": "image/png" },
                ])
            );
            assert_eq!(picture.structured_content, None);
        }
    });
}

#[test]
fn failures_are_results_with_the_texts_that_a_model_may_read() {
    let none = json!({});
    let rows = [
        ("price", json!({ "name": "gold" }), "there is no gold"),
        (
            "price",
            json!({ "name": 7 }),
            "arguments of tool `price` at `name`: invalid type: integer `7`, expected a string",
        ),
        ("price", none.clone(), "arguments of tool `price` at `.`: missing field `name`"),
        (
            "order",
            json!({ "lines": [] }),
            "arguments of tool `order` at `lines`: expected at least 1 items, and 0 came",
        ),
        ("slow", none.clone(), "the tool `slow` took longer than 50ms, and was stopped"),
        ("bug", none.clone(), "the tool `bug` failed"),
        ("hidden", none.clone(), "the tool `hidden` failed"),
        ("fatal", none, "the shop burns"),
        (
            "long",
            json!({ "characters": 2000 }),
            "the result of the tool `long` has 2000 bytes, more than its limit of 1000: ask for less",
        ),
    ];
    for (tool, arguments, text) in rows {
        let (said, is_error) = called(shop, tool, &arguments);
        assert!(is_error && said.starts_with(text), "{tool}: {said}");
        assert!(!said.contains("42"), "{said}");
    }
}

fn refused(error: ServiceError) -> ErrorData {
    match error {
        ServiceError::McpError(error) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_unknown_tool_is_an_error_of_the_protocol() {
    block_on(async {
        for lifecycle in lifecycles() {
            let client = rmcp_client(shop(), lifecycle).await;
            for tool in ["prize", "refund", "checkout", ""] {
                let error = refused(call(&client, tool, json!({})).await.unwrap_err());
                assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
                assert!(
                    error.message.starts_with(&format!("there is no tool `{tool}`")),
                    "{}",
                    error.message
                );
            }
        }
    });
}

#[test]
fn a_tool_with_approval_runs_only_if_the_client_approves() {
    let open = || shop().client_approves();
    assert_eq!(called(open, "refund", &json!({ "number": 7 })), ok("7 is paid back"));
    assert_eq!(called(open, "price", &json!({ "name": "rice" })), ok("180"));
}

#[test]
fn a_tool_finds_the_value_of_the_request_and_one_thread_for_the_connection() {
    let server = || shop().options(RunOptions::default().request(Customer("Ada".to_owned())));
    block_on(async {
        let [_, modern] = lifecycles();
        let client = rmcp_client(server(), modern).await;
        let first = said(&call(&client, "whoami", json!({})).await.unwrap());
        assert_eq!(first, said(&call(&client, "whoami", json!({})).await.unwrap()));
        assert!(first.0.starts_with("Ada in mcp-thread-") && first.0.ends_with("calls whoami"), "{first:?}");
        let [_, modern] = lifecycles();
        let other = rmcp_client(server(), modern).await;
        assert_ne!(first, said(&call(&other, "whoami", json!({})).await.unwrap()));
    });
}

/// Serves customers alone.
#[agent(tools = [secret])]
async fn club(_: &mut Run<Club>, _: Input<Club>, #[request] who: &Customer) -> Result<(), Stop> {
    Ok(())
}

/// Tells a secret.
#[tool]
async fn secret(who: &Customer) -> String {
    format!("for {}", who.0)
}

#[test]
fn a_call_without_the_value_that_the_agent_needs_is_refused() {
    block_on(async {
        for lifecycle in lifecycles() {
            let client = rmcp_client(McpServer::new(Club::new()), lifecycle).await;
            let error = refused(call(&client, "secret", json!({})).await.unwrap_err());
            assert_eq!(error.code, ErrorCode::INVALID_REQUEST);
            assert!(
                error.message.contains("the request lacks a value") && !error.message.contains("Customer")
            );
        }
    });
    let known =
        || McpServer::new(Club::new()).options(RunOptions::default().request(Customer("Ada".to_owned())));
    assert_eq!(called(known, "secret", &json!({})), ok("for Ada"));
}

/// Asks the user in the middle of a tool.
#[tool]
async fn ask() -> Result<u32, Stop> {
    Err(Stop::interrupt(agui_runtime::protocol::Interrupt::new("question", "sure")))
}

/// Asks.
#[agent(tools = [ask])]
async fn asker(_: &mut Run<Asker>, _: Input<Asker>) -> Result<(), Stop> {
    Ok(())
}

#[test]
fn a_tool_that_asks_the_user_of_a_page_fails() {
    let text = "the tool asked the user of a page, who is not here: it cannot be called over MCP";
    assert_eq!(called(|| McpServer::new(Asker::new()), "ask", &json!({})), failed(text));
}

/// Pays back, and asks before.
#[agent(tools = [refund])]
async fn refunder(run: &mut Run<Refunder>, _: Input<Refunder>) -> Result<(), Stop> {
    run.call(refund { number: 7 }).await?.approved().await?.run().await;
    Ok(())
}

/// Pays back by another agent.
#[tool]
async fn delegated(run: &Emit, other: &Arc<Refunder>) -> Result<(), Stop> {
    run.delegate("refunder", other, []).await
}

/// Has another agent.
#[agent(tools = [delegated])]
async fn office(_: &mut Run<Office>, _: Input<Office>, other: &Arc<Refunder>) -> Result<(), Stop> {
    Ok(())
}

#[test]
fn a_client_does_not_approve_the_calls_of_subagents() {
    let server = || McpServer::new(Office::new(Arc::new(Refunder::new()))).client_approves();
    let text = "the tool asked the user of a page, who is not here: it cannot be called over MCP";
    assert_eq!(called(server, "delegated", &json!({})), failed(text));
}

async fn waiting_call(client: &Arc<Client>, waiting: &Waiting) -> tokio::task::JoinHandle<()> {
    let calling = Arc::clone(client);
    let began = waiting.began();
    let task = tokio::spawn(async move { drop(call(&calling, "wait", json!({})).await) });
    until(|| waiting.began() > began).await;
    task
}

#[test]
fn a_client_that_cancels_or_leaves_drops_the_tool() {
    block_on(async {
        for lifecycle in lifecycles() {
            let waiting = Waiting::default();
            let client = rmcp_client(McpServer::new(Shop::new(waiting.clone())), lifecycle).await;
            let client = Arc::new(client);
            let task = waiting_call(&client, &waiting).await;
            assert_eq!(waiting.cancelled(), 0);
            task.abort(); // rmcp's client sends `notifications/cancelled`
            until(|| waiting.cancelled() == 1).await;
            let second = waiting_call(&client, &waiting).await;
            drop(task.await);
            second.abort();
            drop(second.await);
            let Ok(client) = Arc::try_unwrap(client) else { panic!("the tasks have ended") };
            client.cancel().await.unwrap();
            until(|| waiting.cancelled() == 2).await;
        }
    });
}

#[test]
fn calls_run_side_by_side() {
    block_on(async {
        for lifecycle in lifecycles() {
            let waiting = Waiting::default();
            let client = Arc::new(rmcp_client(McpServer::new(Shop::new(waiting.clone())), lifecycle).await);
            let task = waiting_call(&client, &waiting).await;
            assert_eq!(said(&call(&client, "price", json!({ "name": "salt" })).await.unwrap()), ok("90"));
            task.abort();
        }
    });
}

#[test]
fn a_client_that_says_nothing_is_no_error() {
    block_on(async {
        let (here, there) = tokio::io::duplex(64);
        drop(here);
        shop().serve(there).await.unwrap();
    });
}
