//! MCP Apps by their official packages: a server, CopilotKit's reading of the activity, the bridge between page and app, and the official
//! middleware beside an agent of ours.

use std::sync::Arc;

use agui_runtime::Server;
use agui_runtime::mcp::{AppRight, McpApp, McpApps, McpAppsProps, McpClient};
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_tests::need;
use agui_tests::outside::CopilotKit;
use serde_json::{Value, json};

use crate::errors::serve;

/// The address of the server.
struct Address(String);

/// Shows the weather.
#[agent(activities = [McpApp], forwarded = McpAppsProps)]
async fn meteorologist(
    run: &mut Run<Meteorologist>,
    input: Input<Meteorologist>,
    model: &Model,
    address: &Address,
) -> Result<Option<Value>, Stop> {
    // A connection belongs to the executor of the server.
    let client = McpClient::http(address.0.as_str()).with_apps().await?;
    let apps = McpApps::new().server("weather", client, [AppRight::ReadPages, AppRight::CallTools]);
    if let Some(request) = input.forwarded::<McpAppsProps>()?.and_then(|props| props.request) {
        return Ok(Some(apps.answer(&request).await));
    }
    let tools = apps.tools(run).await?;
    run.chat(model).tools(tools).await?;
    Ok(None)
}

#[test]
fn an_app_is_shown_loaded_and_answered_as_by_the_official_middleware() {
    let kit = need!(CopilotKit::ready());
    let weather = kit.mcp_apps_server();
    let script = [Reply::call("show_weather", json!({ "city": "Lisbon" })), Reply::text("See for yourself.")];
    let agent = Meteorologist::new(ScriptedModel::new(script).into(), Address(weather.url().to_owned()));
    let url = serve(Server::new().agent("/", agent), Arc::default());
    let report =
        kit.mcp_apps(&json!({ "server": weather.url(), "agent": format!("{url}/"), "says": "Rain?" }));
    let (own, official) = (&report["own"], &report["official"]);

    for side in [own, official] {
        assert_eq!(side["rejected"], json!([]));
        assert_eq!(side["contents"].as_array().unwrap().len(), 1, "{side:#}");
        assert_eq!(side["page"], "<p>Rain</p>");
        assert_eq!(side["told"]["content"], json!([{ "type": "text", "text": "It rains again." }]));
        assert!(side["refused"]["error"].is_string(), "{side:#}");
    }
    let content = |side: &Value| {
        let mut content = side["contents"][0].clone();
        // It is made of the address there, and of the name here.
        content.as_object_mut().unwrap().remove("serverHash").unwrap();
        content
    };
    assert_eq!(content(own), content(official));
    // The server was told that apps are shown, of the official type.
    let told = &own["contents"][0]["result"]["structuredContent"]["ui"];
    assert_eq!(*told, json!({ "mimeTypes": ["text/html;profile=mcp-app"] }));
}
