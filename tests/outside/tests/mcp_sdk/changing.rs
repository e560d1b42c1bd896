//! Servers of others whose tool list changes in a run, whose calls report, and which have resources and prompts.

use std::process::{Command, Stdio};
use std::sync::Arc;

use agui_runtime::mcp::{McpClient, McpContentLimits, McpGeneration};
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::testing;
use agui_tests::need;
use agui_tests::outside::{McpPackages, McpPeer};
use serde_json::{Value, json};

use crate::everything::{block_on, call};

/// Has the tools of a server, as they change.
#[agent]
async fn pupil(run: &mut Run<Pupil>, _: Input<Pupil>, model: &Model, server: &McpClient) -> Result<(), Stop> {
    run.chat(model).tools_from(server.tool_list()).max_repeats(9).await
}

/// Runs calls of tools, one a turn; returns the events, and the tools that the model could call in each turn.
async fn turns(server: &McpClient, tools: &[&str]) -> (Vec<Event>, Vec<Vec<String>>) {
    let calls = tools.iter().map(|&tool| Reply::call(tool, json!({})));
    let model = Arc::new(ScriptedModel::new(calls.chain([Reply::text("Done.")]).collect::<Vec<_>>()));
    let pupil = Pupil::new(Arc::clone(&model).into(), server.clone());
    let events = testing::run(pupil, testing::input("Teach me.")).await;
    assert!(testing::lines(&events).contains("RUN_FINISHED"), "{}", testing::lines(&events));
    let offers = model.prompts().into_iter().map(|prompt| {
        let mut names: Vec<_> = prompt.tools.iter().map(|tool| tool.name.clone()).collect();
        names.sort();
        names
    });
    (events, offers.collect())
}

/// The progress on the page, without the id of the call.
fn reports(events: &[Event]) -> Vec<Value> {
    let report = |event: &Event| match event {
        Event::Custom(custom) if custom.name == "agui-rust.tool_progress" => {
            let mut value = custom.value.clone();
            value.as_object_mut().unwrap().remove("toolCallId");
            Some(value)
        }
        _ => None,
    };
    events.iter().filter_map(report).collect()
}

async fn spawned(mut command: Command, generation: McpGeneration) -> McpClient {
    command.stderr(Stdio::null());
    McpClient::command(command.into()).generation(generation).await.unwrap().log_messages()
}

/// A server may tell of a change just after the result of the call, so the turn after the next one has it at the latest.
async fn converse(server: &McpClient, logs: bool) {
    let (events, offers) = turns(server, &["learn", "learn", "juggle", "forget", "forget", "forget"]).await;
    let with = ["forget", "juggle", "learn"];
    assert_eq!(offers[0], ["forget", "learn"]);
    assert_eq!(offers[2], with, "{}", testing::lines(&events));
    assert_eq!(offers.last().unwrap(), &["forget", "learn"], "{}", testing::lines(&events));
    assert!(testing::lines(&events).contains("o o o"), "{}", testing::lines(&events));
    let ball = json!({ "progress": 1.0, "total": 2.0, "message": "one ball" });
    let text = json!({ "progress": 1.0, "total": 2.0, "message": "The second ball is difficult." });
    let expected = if logs { vec![ball, text] } else { vec![ball] };
    assert_eq!(reports(&events)[..expected.len()], expected);

    let limits = McpContentLimits::default();
    let server = server.clone().resources(limits).prompts(limits);
    let (templates, failed) = call(&server, "list_resource_templates", json!({})).await;
    assert!(!failed && templates.text().contains("ball://{number}"), "{templates:?}");
    let (ball, failed) = call(&server, "read_resource", json!({ "uri": "ball://7" })).await;
    assert!(!failed && ball.text().contains("ball 7"), "{ball:?}");
    let (prompts, failed) = call(&server, "list_prompts", json!({})).await;
    assert!(!failed && prompts.text().contains("cheer"), "{prompts:?}");
    let (prompt, failed) = call(&server, "get_prompt", json!({ "name": "cheer" })).await;
    assert_eq!((prompt.text().as_ref(), failed), ("user: Cheer!", false));
}

#[test]
fn typescript_changes_its_list_and_reports() {
    let packages = need!(McpPackages::ready());
    block_on(async {
        for generation in [McpGeneration::Discover, McpGeneration::Handshake] {
            let server = spawned(packages.changing(), generation).await;
            converse(&server, true).await;
            server.close().await;
        }
    });
}

#[test]
fn python_changes_its_list_and_reports() {
    need!(McpPeer::changing_python());
    block_on(async {
        for generation in [McpGeneration::Discover, McpGeneration::Handshake] {
            let server = spawned(McpPeer::changing_python().unwrap(), generation).await;
            converse(&server, false).await;
            server.close().await;
        }
    });
}

/// The long operation reports each step, and logs at its own pace are no reports of another call.
async fn converse_with_everything(server: &McpClient) {
    let model = ScriptedModel::new([
        Reply::call("trigger-long-running-operation", json!({ "duration": 0.4, "steps": 4 })),
        Reply::text("Done."),
    ]);
    let pupil = Pupil::new(model.into(), server.clone());
    let events = testing::run(pupil, testing::input("Go.")).await;
    let step = |at: u32| json!({ "progress": f64::from(at), "total": 4.0 });
    assert_eq!(reports(&events), [step(1), step(2), step(3), step(4)], "{}", testing::lines(&events));

    let limits = McpContentLimits::default();
    let server = server.clone().prefix("e_").resources(limits.text(200)).prompts(limits);
    let (list, failed) = call(&server, "e_list_resources", json!({})).await;
    assert!(failed && list.text().contains("sent a list of"), "{list:?}");
    let (text, failed) =
        call(&server, "e_read_resource", json!({ "uri": "demo://resource/dynamic/text/7" })).await;
    assert!(!failed && text.text().starts_with("Resource 7: This is a plaintext resource"), "{text:?}");
    let (unknown, failed) = call(&server, "e_read_resource", json!({ "uri": "demo://nowhere" })).await;
    assert!(failed && unknown.text().contains("refused the request"), "{unknown:?}");
    let server = server.resources(limits.binary(10));
    let (list, failed) = call(&server, "e_list_resources", json!({})).await;
    assert!(!failed && list.text().contains("demo://resource/static/document"), "{list:?}");
    let (templates, _) = call(&server, "e_list_resource_templates", json!({})).await;
    assert!(templates.text().contains("demo://resource/dynamic/blob/{resourceId}"), "{templates:?}");
    let (blob, failed) =
        call(&server, "e_read_resource", json!({ "uri": "demo://resource/dynamic/blob/7" })).await;
    assert!(failed && blob.text().contains("and at most 10 bytes are read"), "{blob:?}");

    let (prompts, _) = call(&server, "e_list_prompts", json!({})).await;
    assert!(prompts.text().contains("args-prompt") && prompts.text().contains("required"), "{prompts:?}");
    let arguments = json!({ "name": "args-prompt", "arguments": { "city": "Lisbon" } });
    let (prompt, failed) = call(&server, "e_get_prompt", arguments).await;
    assert_eq!((prompt.text().as_ref(), failed), ("user: What's weather in Lisbon?", false));
}

#[test]
fn everything_reports_and_has_resources_and_prompts() {
    let packages = need!(McpPackages::ready());
    block_on(async {
        let server = spawned(packages.everything(), McpGeneration::Handshake).await;
        converse_with_everything(&server).await;
        server.close().await;
        let everything = packages.everything_over_http();
        let server = McpClient::http(everything.url()).await.unwrap();
        converse_with_everything(&server).await;
    });
}
