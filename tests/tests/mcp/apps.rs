//! MCP Apps: the activity of a tool with a page, and the requests of the page, which have no right by default.

use std::sync::{Arc, Mutex};

use agui_runtime::mcp::{AppRight, McpApp, McpAppError, McpAppRequest, McpApps, McpAppsProps, McpClient};
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::NonNull;
use agui_runtime::testing;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    MetaObject, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ResourceContents, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

use crate::wired::block_on;

/// A server with a tool for all, one with a page, and those for one side only.
#[derive(Clone, Default)]
struct Weather {
    calls: Arc<Mutex<Vec<String>>>,
}

fn tool(name: &str, meta: Value) -> Tool {
    let Value::Object(schema) = json!({ "type": "object" }) else { unreachable!() };
    let mut tool = Tool::new(name.to_owned(), "Does.", Arc::new(schema));
    let Value::Object(meta) = meta else { unreachable!() };
    tool.meta = (!meta.is_empty()).then_some(MetaObject(meta));
    tool
}

impl ServerHandler for Weather {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_resources().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let page = "ui://weather/page.html";
        Ok(ListToolsResult::with_all_items(vec![
            tool("plain", json!({})),
            tool("show", json!({ "ui": { "resourceUri": page } })),
            tool("show_older", json!({ "ui/resourceUri": page })),
            tool("refresh", json!({ "ui": { "resourceUri": page, "visibility": ["app"] } })),
            tool("advise", json!({ "ui": { "resourceUri": page, "visibility": ["model"] } })),
            tool("odd", json!({ "ui": { "resourceUri": 7, "visibility": "everybody" } })),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.calls.lock().unwrap().push(request.name.to_string());
        let text = ContentBlock::text(json!(request.arguments).to_string());
        Ok(if request.name == "show_older" {
            CallToolResult::error(vec![text]).into()
        } else {
            CallToolResult::success(vec![text]).into()
        })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.calls.lock().unwrap().push(request.uri.clone());
        Ok(ReadResourceResult::new(vec![ResourceContents::text("<p>Rain</p>", request.uri)]).into())
    }
}

async fn client(weather: &Weather) -> McpClient {
    let (here, there) = tokio::io::duplex(64 * 1024);
    let weather = weather.clone();
    tokio::spawn(async move { weather.serve(there).await.unwrap().waiting().await });
    McpClient::connect("weather", here).with_apps().await.unwrap()
}

async fn apps(weather: &Weather, rights: &[AppRight]) -> McpApps {
    McpApps::new().server("weather", client(weather).await, rights.to_vec())
}

/// Shows the weather.
#[agent(activities = [McpApp], forwarded = McpAppsProps)]
async fn meteorologist(
    run: &mut Run<Meteorologist>,
    input: Input<Meteorologist>,
    model: &Model,
    apps: &McpApps,
) -> Result<Option<Value>, Stop> {
    if let Some(request) = input.forwarded::<McpAppsProps>()?.and_then(|props| props.request) {
        return Ok(Some(apps.answer(&request).await));
    }
    let tools = apps.tools(run).await?;
    run.chat(model).tools(tools).await?;
    Ok(None)
}

async fn events(apps: McpApps, script: Vec<Reply>, props: Option<Value>) -> (Vec<Value>, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::new(script));
    let mut input = testing::input("Rain?");
    input.forwarded_props = props.and_then(NonNull::new);
    let agent = Meteorologist::new(Arc::clone(&model).into(), apps);
    let events = testing::run(agent, input).await;
    (events.iter().map(|event| serde_json::to_value(event).unwrap()).collect(), model)
}

#[test]
fn a_call_with_a_page_is_shown_and_the_model_reads_it() {
    block_on(async {
        let script = vec![
            Reply::call("show", json!({ "city": "Lisbon" })),
            Reply::call("show_older", json!({})),
            Reply::call("plain", json!({})),
            Reply::call("odd", json!({})),
            Reply::text("It rains."),
        ];
        let (events, model) = events(apps(&Weather::default(), &[]).await, script, None).await;
        let shown: Vec<_> = events.iter().filter(|event| event["type"] == "ACTIVITY_SNAPSHOT").collect();
        assert_eq!(shown.len(), 2, "{events:#?}");
        assert_eq!(shown[0]["activityType"], "mcp-apps");
        let content = &shown[0]["content"];
        assert_eq!(content["resourceUri"], "ui://weather/page.html");
        assert_eq!(content["serverId"], "weather");
        assert_eq!(content["toolInput"], json!({ "city": "Lisbon" }));
        assert_eq!(content["result"]["content"], json!([{ "type": "text", "text": r#"{"city":"Lisbon"}"# }]));
        assert_eq!(shown[1]["content"]["result"]["isError"], true);
        let hash = content["serverHash"].as_str().unwrap();
        assert!(hash.len() == 64 && !hash.contains("weather"), "{hash}");

        let prompts = model.prompts();
        let names: Vec<_> = prompts[0].tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["plain", "show", "show_older", "advise"], "not those for apps alone");
    });
}

fn request(method: &str, params: &Value) -> McpAppRequest {
    let request = json!({ "serverHash": "none", "serverId": "weather", "method": method, "params": params });
    serde_json::from_value(request).unwrap()
}

/// Every request of an app, and the one right that it needs.
fn requests() -> Vec<(McpAppRequest, Option<AppRight>)> {
    vec![
        (request("resources/read", &json!({ "uri": "ui://weather/page.html" })), Some(AppRight::ReadPages)),
        (request("resources/read", &json!({ "uri": "file:///etc/passwd" })), Some(AppRight::ReadResources)),
        (request("resources/read", &json!({ "uri": " ui://weather" })), Some(AppRight::ReadResources)),
        (
            request("tools/call", &json!({ "name": "refresh", "arguments": { "n": 1 } })),
            Some(AppRight::CallTools),
        ),
        (request("tools/call", &json!({ "name": "plain" })), Some(AppRight::CallTools)),
        (request("tools/call", &json!({ "name": "advise" })), None),
        (request("tools/call", &json!({ "name": "odd" })), None),
        (request("tools/call", &json!({ "name": "no such tool" })), None),
        (request("tools/call", &json!({})), None),
        (request("tools/call", &json!({ "name": 7 })), None),
        (request("resources/read", &json!({})), None),
        (request("tools/list", &json!({})), None),
        (request("ping", &json!({})), None),
        (request("resources/READ", &json!({ "uri": "ui://weather/page.html" })), None),
        (request("completion/complete", &json!({ "uri": "ui://x", "name": "plain" })), None),
    ]
}

#[test]
fn an_app_has_the_rights_that_it_was_given_and_no_others() {
    const ALL: [AppRight; 3] = [AppRight::ReadPages, AppRight::ReadResources, AppRight::CallTools];
    block_on(async {
        for (request, needed) in requests() {
            for given in ALL.map(Some).into_iter().chain([None]) {
                let weather = Weather::default();
                let apps = apps(&weather, &Vec::from_iter(given)).await;
                let answer = apps.call(&request).await;
                // All resources include the pages.
                let suffices = needed.is_some()
                    && (given == needed
                        || needed == Some(AppRight::ReadPages) && given == Some(AppRight::ReadResources));
                assert_eq!(answer.is_ok(), suffices, "{request:?} {given:?}: {answer:?}");
                let calls = weather.calls.lock().unwrap().len();
                assert_eq!(calls, usize::from(suffices), "a refused request reaches no server");
                if let Err(error) = answer {
                    let is_refused =
                        matches!(error, McpAppError::NotAllowed { .. } | McpAppError::NoSuchTool { .. });
                    assert!(is_refused, "{error:?}");
                }
            }
        }
    });
}

#[test]
fn a_request_finishes_the_run_with_its_answer() {
    block_on(async {
        let apps = apps(&Weather::default(), &[AppRight::ReadPages, AppRight::CallTools]).await;
        let ask = async |request: Value| {
            let props = json!({ "theme": "dark", "__proxiedMCPRequest": request });
            let (events, model) = events(apps.clone(), vec![], Some(props)).await;
            let [_, finished] = events.as_slice() else { panic!("{events:#?}") };
            assert!(finished["type"] == "RUN_FINISHED" && model.prompts().is_empty(), "{finished}");
            finished["result"].clone()
        };
        let uri = "ui://weather/page.html";
        let page =
            ask(json!({ "serverId": "weather", "method": "resources/read", "params": { "uri": uri } })).await;
        assert_eq!(
            page["contents"],
            json!([{ "uri": uri, "mimeType": "text/plain", "text": "<p>Rain</p>" }]),
            "{page}"
        );
        let call = json!({ "name": "refresh", "arguments": { "n": 1 } });
        let called = ask(json!({ "serverId": "weather", "method": "tools/call", "params": call })).await;
        assert_eq!(called["content"][0]["text"], r#"{"n":1}"#);
        let other = ask(json!({ "serverId": "other", "serverHash": "5d", "method": "ping" })).await;
        assert_eq!(other, json!({ "error": "there is no server `other`" }));
        let refused = ask(json!({ "serverId": "weather", "method": "tools/list" })).await;
        assert_eq!(refused, json!({ "error": "the app may not use `tools/list` like this" }));
    });
}

/// The page may know the server by its hash alone.
#[test]
fn a_server_is_found_by_its_hash() {
    block_on(async {
        let weather = Weather::default();
        let apps = apps(&weather, &[AppRight::ReadPages]).await;
        let script = vec![Reply::call("show", json!({})), Reply::text("Done.")];
        let (events, _) = events(apps.clone(), script, None).await;
        let shown = events.iter().find(|event| event["type"] == "ACTIVITY_SNAPSHOT").unwrap();
        let request = json!({
            "serverHash": shown["content"]["serverHash"], "method": "resources/read",
            "params": { "uri": shown["content"]["resourceUri"] },
        });
        let answer = apps.answer(&serde_json::from_value(request).unwrap()).await;
        assert_eq!(answer["contents"][0]["text"], "<p>Rain</p>");
    });
}
