//! The inspector shows what newer protocols bring: the kinds of encrypted values (AG-UI 1.1), surfaces of A2UI with their functions,
//! and the MCP server that asks a question.

use std::fs;
use std::process::Command;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::mcp::{McpClient, McpGeneration};
use agui_runtime::model::{Model, Prompt, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_tests::need;
use agui_tests::outside::{Chromium, ExampleServer, McpPackages, artefact, built};
use serde_json::json;

use crate::served::served;

const LIMIT: Duration = Duration::from_secs(60);

/// Books tables, with the tools of an MCP server.
#[agent]
async fn booker(
    run: &mut Run<Booker>,
    _: Input<Booker>,
    model: &Model,
    server: &McpClient,
) -> Result<(), Stop> {
    run.chat(model).tools(server.tools().await?).await
}

fn reply(prompt: &Prompt) -> Reply {
    match prompt.last_results() {
        [] => Reply::call("book", json!({})),
        [result, ..] => Reply::text(result.content.text().into_owned()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_newer_protocols_bring_is_shown() {
    let (chromium, packages) = (need!(Chromium::ready()), need!(McpPackages::ready()));
    let server = McpClient::command(packages.asking().into());
    let server = server.generation(McpGeneration::Discover).await.unwrap();
    let booker = Booker::new(ScriptedModel::from_fn(reply).into(), server);
    let mcp = served(Server::new().agent("/", booker)).await;
    tokio::task::block_in_place(|| inspect(&chromium, &mcp));
}

fn inspect(chromium: &Chromium, mcp: &str) {
    let tour = ExampleServer::start_with("tour", &[("TOUR_PACE", "0.01")]);
    let at = |route: &str| format!("{}{route}", tour.url());
    let (reasoning, surface) = (at("/lab/reasoning"), at("/lab/a2ui"));
    let mut command = Command::new(built("agui-cli"));
    command.args(["inspect", &reasoning, &surface, mcp]);
    let page = ExampleServer::spawn("agui-cli inspect", command, LIMIT).unwrap();
    let picture = |name: &str| artefact(&format!("inspector-{name}.png"));
    let pictures = [picture("sealed"), picture("surface"), picture("mcp")];
    let job = json!({
        "agents": { "reasoning": reasoning, "surface": surface, "mcp": mcp },
        "pictures": { "sealed": pictures[0], "surface": pictures[1], "mcp": pictures[2] },
    });
    chromium.browse("inspector-shown", "inspector-shown.mjs", page.url(), &job).assert_ok();
    for picture in pictures {
        assert!(fs::read(&picture).unwrap().starts_with(b"\x89PNG"), "{}", picture.display());
    }
}
