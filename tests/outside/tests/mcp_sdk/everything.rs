//! The tools of `@modelcontextprotocol/server-everything` through whole runs of an agent.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::mcp::McpClient;
use agui_runtime::model::{Model, Prompt, PromptMessage, Reply, SchemaDialect, ScriptedModel, ToolSpec};
use agui_runtime::order::OrderVerifier;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Content, ContentPart};
use agui_runtime::testing;
use agui_tests::need;
use agui_tests::outside::McpPackages;
use serde_json::{Value, json};

/// Has the tools of the server.
#[agent]
pub(crate) async fn clerk(
    run: &mut Run<Clerk>,
    _: Input<Clerk>,
    model: &Model,
    server: &McpClient,
) -> Result<(), Stop> {
    run.chat(model).tools(server.tools().await?).await
}

/// Runs the clerk over a script, and returns what the model read. The stream must be legal, and the run must not fail.
async fn prompts(server: &McpClient, script: Vec<Reply>) -> Vec<Prompt> {
    let model = Arc::new(ScriptedModel::new(script));
    let events =
        testing::run(Clerk::new(Arc::clone(&model).into(), server.clone()), testing::input("Hi")).await;
    let lines = testing::lines(&events);
    let mut verifier = OrderVerifier::new();
    for event in &events {
        verifier.check(event).unwrap_or_else(|violation| panic!("{violation}\n{lines}"));
    }
    assert!(lines.contains("RUN_FINISHED"), "{lines}");
    model.prompts()
}

pub(crate) async fn call(server: &McpClient, tool: &str, arguments: Value) -> (Content, bool) {
    let prompts = prompts(server, vec![Reply::call(tool, arguments), Reply::text("Done.")]).await;
    let Some(PromptMessage::Tools(answers)) = prompts[1].messages.last() else { panic!("{prompts:?}") };
    (answers[0].content.clone(), answers[0].failed)
}

fn text(text: &str) -> (Content, bool) {
    (Content::from(text), false)
}

fn kinds(content: &Content) -> Vec<&'static str> {
    let Content::Parts(parts) = content else { panic!("{content:?}") };
    let kind = |part: &ContentPart| match part {
        ContentPart::Text(_) => "text",
        ContentPart::Image(_) => "image",
        ContentPart::Document(_) => "document",
        _ => "?",
    };
    parts.iter().map(kind).collect()
}

async fn converse(server: &McpClient) {
    let prompts = prompts(server, vec![Reply::text("Hi.")]).await;
    let tools: BTreeMap<&str, &ToolSpec> =
        prompts[0].tools.iter().map(|tool| (tool.name.as_str(), tool)).collect();
    assert!(tools.len() >= 10, "{:?}", tools.keys());
    let echo = tools["echo"];
    assert_eq!(echo.description, "Echoes back the input string");
    assert_eq!(echo.annotations.title.as_deref(), Some("Echo Tool"));
    assert_eq!(echo.annotations.read_only_hint, Some(true));
    for tool in tools.values() {
        for dialect in [SchemaDialect::OpenAi, SchemaDialect::Anthropic, SchemaDialect::Gemini] {
            let translated = dialect.translate(&tool.name, &tool.parameters);
            assert!(translated.is_ok(), "{}: {translated:?}", tool.name);
        }
    }

    assert_eq!(call(server, "echo", json!({ "message": "hi" })).await, text("Echo: hi"));
    assert_eq!(call(server, "get-sum", json!({ "a": 2, "b": 3 })).await, text("The sum of 2 and 3 is 5."));
    let (wrong, failed) = call(server, "get-sum", json!({ "a": "2" })).await;
    assert!(failed && wrong.text().contains("arguments of tool `get-sum`"), "{wrong:?}");
    let (weather, failed) = call(server, "get-structured-content", json!({ "location": "Chicago" })).await;
    let expected = json!({ "temperature": 36, "conditions": "Light rain / drizzle", "humidity": 82 });
    assert!(!failed);
    assert_eq!(serde_json::from_str::<Value>(&weather.text()).unwrap(), expected, "it is shown once");
    let (image, _) = call(server, "get-tiny-image", json!({})).await;
    assert_eq!(kinds(&image), ["text", "image", "text"]);
    let (links, _) = call(server, "get-resource-links", json!({ "count": 2 })).await;
    assert!(links.text().contains("resource_link") && links.text().contains("demo://"), "{links:?}");
    let (reference, _) =
        call(server, "get-resource-reference", json!({ "resourceType": "Text", "resourceId": 1 })).await;
    assert_eq!(kinds(&reference), ["text", "text", "text"]);
    let (blob, _) =
        call(server, "get-resource-reference", json!({ "resourceType": "Blob", "resourceId": 1 })).await;
    assert_eq!(kinds(&blob), ["text", "document", "text"]);

    let hasty = server.clone().timeout(Duration::from_millis(200));
    let (late, failed) =
        call(&hasty, "trigger-long-running-operation", json!({ "duration": 5, "steps": 5 })).await;
    assert!(failed && late.text().contains("did not answer within 200ms"), "{late:?}");
    assert_eq!(call(server, "echo", json!({ "message": "again" })).await, text("Echo: again"));
}

pub(crate) fn block_on<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test)
}

#[test]
fn as_a_process() {
    let packages = need!(McpPackages::ready());
    block_on(async {
        let mut command = tokio::process::Command::from(packages.everything());
        command.stderr(std::process::Stdio::null());
        let server = McpClient::command(command).await.unwrap();
        assert_eq!(server.protocol_version(), "2025-11-25");
        converse(&server).await;
        server.close().await;
    });
}

#[test]
fn over_streamable_http() {
    let packages = need!(McpPackages::ready());
    let everything = packages.everything_over_http();
    block_on(async {
        let server = McpClient::http(everything.url()).await.unwrap();
        assert_eq!(server.protocol_version(), "2025-11-25");
        converse(&server).await;
        server.close().await;
    });
}
