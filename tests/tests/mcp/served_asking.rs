//! Approvals of an agent's tools, asked over MCP.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use agui_runtime::mcp::{McpClient, McpServer};
use agui_runtime::model::{Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{AssistantMessage, FunctionCall, NonNull, ResumeEntry, ResumeStatus, ToolCall};
use agui_runtime::testing::{self, RunEnd};
use agui_runtime::{InterruptKey, RunOptions};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitationCapability, FormElicitationCapability,
    InputRequiredResult, ProtocolVersion,
};
use rmcp::transport::IntoTransport;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};

use crate::wired::{Clerk, Client, block_on, client_config, said};

pub(crate) type Till = Arc<AtomicU32>;

/// Pays an order back.
#[tool(approval)]
async fn refund(till: &Till, cents: u32) -> u32 {
    till.fetch_add(cents, Ordering::SeqCst) + cents
}

/// Looks up a price.
#[tool]
async fn cost() -> u32 {
    180
}

/// Sells things.
#[agent(tools = [refund, cost])]
pub(crate) async fn cashier(_: &mut Run<Cashier>, _: Input<Cashier>, _till: &Till) -> Result<(), Stop> {
    Ok(())
}

fn server(till: &Till) -> McpServer {
    let key = InterruptKey::new([9; 32]).unwrap();
    McpServer::new(Cashier::new(Arc::clone(till)))
        .client_asks_user()
        .options(RunOptions::default().interrupt_key(key))
}

async fn client(server: McpServer, shows_forms: bool) -> Client {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(server.serve(there));
    connected(here, shows_forms).await
}

pub(crate) async fn connected<T, E, A>(here: T, shows_forms: bool) -> Client
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let mut config = client_config();
    let forms = ElicitationCapability::new().with_form(FormElicitationCapability::default());
    config.capabilities.elicitation = shows_forms.then_some(forms);
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    config.serve_with_lifecycle(here, ClientLifecycleMode::Discover { preferred_versions }).await.unwrap()
}

fn request(cents: u32) -> CallToolRequestParams {
    let Value::Object(arguments) = json!({ "cents": cents }) else { unreachable!() };
    CallToolRequestParams::new("refund").with_arguments(arguments)
}

pub(crate) async fn asked(client: &Client, cents: u32) -> InputRequiredResult {
    match client.call_tool_once(request(cents)).await.unwrap() {
        CallToolResponse::InputRequired(required) => required,
        other => panic!("{other:?}"),
    }
}

/// Makes the call again, and returns the text, and true for a failure.
pub(crate) async fn again(client: &Client, cents: u32, state: &str, response: Value) -> (String, bool) {
    let mut params = request(cents).with_request_state(state);
    params.input_responses = Some([("question-0".to_owned(), response)].into());
    match client.call_tool_once(params).await.unwrap() {
        CallToolResponse::Complete(result) => said(&result),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn accepted(approved: bool) -> Value {
    json!({ "action": "accept", "content": { "approved": approved } })
}

#[test]
fn an_approval_is_asked_and_the_call_runs_once() {
    block_on(async {
        let till = Till::default();
        let first = client(server(&till), true).await;
        let required = asked(&first, 500).await;
        let requests = json!(required.input_requests);
        let question = &requests["question-0"];
        assert_eq!(question["method"], "elicitation/create");
        assert!(question["params"]["message"].as_str().unwrap().starts_with("Run `refund`?"), "{question}");
        assert_eq!(question["params"]["requestedSchema"]["required"], json!(["approved"]));
        let state = required.request_state.unwrap();
        assert_eq!(till.load(Ordering::SeqCst), 0, "nothing ran");

        // Another connection, to a server in the same process.
        let second = client(server(&till), true).await;
        assert_eq!(again(&second, 500, &state, accepted(true)).await, ("500".to_owned(), false));
        let (text, failed) = again(&second, 500, &state, accepted(true)).await;
        assert!(failed && text.contains("was resumed already"), "{text}");
        assert_eq!(till.load(Ordering::SeqCst), 500);
    });
}

#[test]
fn only_consent_to_the_same_call_runs_it() {
    block_on(async {
        let till = Till::default();
        let client = client(server(&till), true).await;
        for response in [
            accepted(false),
            json!({ "action": "decline" }),
            json!({ "action": "cancel" }),
            json!({ "action": "decline", "content": { "approved": true } }),
        ] {
            let state = asked(&client, 500).await.request_state.unwrap();
            let (text, failed) = again(&client, 500, &state, response.clone()).await;
            assert!(failed && text.contains("the user refused"), "{response}: {text}");
        }
        let state = asked(&client, 500).await.request_state.unwrap();
        let (text, failed) = again(&client, 900, &state, accepted(true)).await;
        assert!(failed && text.contains("has another tool or other arguments"), "{text}");
        let forged = state.replacen('A', "B", 1);
        assert!(again(&client, 500, &forged, accepted(true)).await.1, "{forged}");
        let mut params = request(500).with_request_state("mine");
        params.input_responses = Some([("question-0".to_owned(), accepted(true))].into());
        client.call_tool_once(params).await.unwrap_err();
        assert_eq!(till.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn a_client_whose_user_cannot_be_asked_sees_no_tool_that_asks() {
    block_on(async {
        let till = Till::default();
        for (shows_forms, expected) in [(true, vec!["refund", "cost"]), (false, vec!["cost"])] {
            let client = client(server(&till), shows_forms).await;
            let tools = client.list_tools(None).await.unwrap().tools;
            assert_eq!(tools.iter().map(|tool| &*tool.name).collect::<Vec<_>>(), expected);
            assert_eq!(client.call_tool_once(request(1)).await.is_ok(), shows_forms);
        }
        assert_eq!(till.load(Ordering::SeqCst), 0);
    });
}

/// An approval goes through two agents: from the agent behind the server to the page of the agent before it.
#[test]
fn an_approval_reaches_the_page_of_another_agent() {
    block_on(async {
        let till = Till::default();
        let (here, there) = tokio::io::duplex(64 * 1024);
        tokio::spawn(server(&till).serve(there));
        let shop = McpClient::connect("shop", here).await.unwrap();
        let model =
            ScriptedModel::new([Reply::call("refund", json!({ "cents": 500 })), Reply::text("Done.")]);
        let model = Arc::new(model);
        let clerk = || Clerk::new(Arc::clone(&model).into(), shop.clone());
        let events = testing::run(clerk(), testing::input("Pay Ada.")).await;
        let RunEnd::Interrupt([question]) = testing::end(&events) else { panic!("{events:?}") };
        assert!(question.message.as_ref().unwrap().contains("Run `refund`?"), "{question:?}");

        let call = ToolCall::new(
            question.tool_call_id.clone().unwrap(),
            FunctionCall::new("refund", r#"{"cents":500}"#),
        );
        let entry = ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved);
        let entry = entry.with_payload(NonNull::new(json!({ "approved": true })).unwrap());
        let mut input = testing::input("Pay Ada.").with_resume([entry]);
        input.messages.push(AssistantMessage::new("turn-1").with_tool_calls([call]).into());
        input.run_id = "run-2".into();
        let events = testing::run(clerk(), input).await;
        assert!(testing::lines(&events).contains("500"), "{}", testing::lines(&events));
        assert_eq!(till.load(Ordering::SeqCst), 500);
    });
}
