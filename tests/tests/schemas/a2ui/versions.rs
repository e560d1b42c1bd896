//! The version that a shown surface gets: what the client says, then the run's setting, then the version as written.

use agui_runtime::a2ui::{
    CallRendererFunction, ComponentCatalog, FunctionCall, Surface, SurfaceComponent, SurfaceMessage,
    SurfaceVersion, UpdateComponents,
};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{NonNull, RunAgentInput};
use agui_runtime::testing;
use futures::executor::block_on;
use serde_json::{Value, json};

use super::schemas::assert_published;
use crate::agent::json as to_json;

const V0_9: SurfaceVersion = SurfaceVersion::V0_9;
const V1_0: SurfaceVersion = SurfaceVersion::V1_0;

/// Shows a surface, changes the data, and says the version for other surfaces.
#[agent(activities = [Surface])]
async fn shower(run: &mut Run<Shower>, _: Input<Shower>, surface: &Surface) -> Result<(), Stop> {
    let version = SurfaceVersion::of_run(run);
    let mut shown = surface.clone().show(run).await?;
    shown.update(|shown| shown.set_data(&json!({ "name": "Inn" }))).await??;
    drop(shown);
    run.say(version.as_str()).await;
    Ok(())
}

fn greeting() -> Surface {
    let text = SurfaceComponent::new("root", "Text").bind("text", "/name");
    Surface::new("greeting", ComponentCatalog::BASIC, [text]).with_data(&json!({ "name": "Ritz" })).unwrap()
}

fn from_client(props: &Value) -> RunAgentInput {
    let mut input = testing::input("?");
    input.forwarded_props = NonNull::new(props.clone());
    input
}

fn draws(versions: &[&str]) -> Value {
    let versions =
        versions.iter().map(|version| ((*version).to_owned(), json!({ "supportedCatalogIds": [] })));
    json!({ "a2uiRendererCapabilities": Value::Object(versions.collect()) })
}

/// The run's events, as JSON.
fn events(surface: &Surface, props: &Value, setting: Option<SurfaceVersion>) -> Vec<Value> {
    let options = match setting {
        Some(version) => testing::options().surface_version(version),
        None => testing::options(),
    };
    let events = block_on(testing::run_with(Shower::new(surface.clone()), from_client(props), options));
    events.iter().map(to_json).collect()
}

#[test]
fn the_client_decides_then_the_setting_then_the_agent() {
    let newer = || greeting().in_version(V1_0).unwrap();
    let acted = |version: &str| json!({ "a2uiAction": { "version": version, "userAction": {} } });
    let rows = [
        // (as written, by the client, the setting, shown, of the run)
        (greeting(), json!({}), None, "v0.9", "v0.9"),
        (newer(), json!({}), None, "v1.0", "v0.9"),
        (greeting(), json!({}), Some(V1_0), "v1.0", "v1.0"),
        (newer(), json!({}), Some(V0_9), "v0.9", "v0.9"),
        (greeting(), draws(&["v1.0"]), None, "v1.0", "v1.0"),
        (greeting(), draws(&["v1.0"]), Some(V0_9), "v1.0", "v1.0"),
        (newer(), draws(&["v0.9.1"]), Some(V1_0), "v0.9", "v0.9"),
        (greeting(), draws(&["v0.9", "v1.0"]), None, "v0.9", "v1.0"),
        (newer(), draws(&["v0.9", "v1.0"]), None, "v1.0", "v1.0"),
        (greeting(), draws(&["v7"]), Some(V1_0), "v1.0", "v1.0"),
        (greeting(), acted("v1.0"), None, "v1.0", "v1.0"),
        (newer(), acted("v0.9"), None, "v0.9", "v0.9"),
    ];
    for (written, props, setting, shown, of_run) in rows {
        let events = events(&written, &props, setting);
        let what = format!("{props} {setting:?} {events:#?}");
        let content = events[1]["content"].clone();
        assert_eq!(content["a2ui_operations"][0]["version"], shown, "{what}");
        let surface: Surface = serde_json::from_value(content).unwrap();
        assert!(surface.messages().iter().all(|message| message.version() == Some(shown)), "{what}");
        assert_published(surface.messages());
        // The change writes the same version: only the name differs.
        assert_eq!(events[2]["patch"].as_array().unwrap().len(), 1, "{what}");
        assert!(events[2]["patch"][0]["path"].as_str().unwrap().ends_with("/name"), "{what}");
        assert!(events.iter().any(|event| event["delta"] == of_run), "{what}");
    }
}

#[test]
fn a_surface_that_the_clients_version_cannot_write_is_refused() {
    let chart = SurfaceComponent::new("root", "Chart").from_catalog("https://charts.example/catalog.json");
    let mixed = Surface::new("mixed", ComponentCatalog::BASIC, [chart]).in_version(V1_0).unwrap();
    let events = events(&mixed, &draws(&["v0.9"]), None);
    assert!(events.iter().all(|event| event["type"] != "ACTIVITY_SNAPSHOT"), "{events:#?}");
    assert_eq!(events.last().unwrap()["type"], "RUN_ERROR", "{events:#?}");
    assert!(mixed.in_version(V0_9).unwrap_err().to_string().contains("`root` names another one"));
}

#[test]
fn an_unread_message_leaves_the_surface_as_written() {
    let Value::Object(later) = json!({ "version": "v7", "morphSurface": { "surfaceId": "greeting" } }) else {
        unreachable!()
    };
    let text = SurfaceComponent::new("root", "Text").with("text", "Hi");
    let known = SurfaceMessage::new(UpdateComponents::new("greeting", [text]));
    let written = Surface::from_messages([known, SurfaceMessage::from(later)]);
    let events = events(&written, &draws(&["v1.0"]), Some(V1_0));
    let messages = &events[1]["content"]["a2ui_operations"];
    assert_eq!((&messages[0]["version"], &messages[1]["version"]), (&json!("v0.9"), &json!("v7")));
}

/// A page that draws v0.9 has functions by generated code.
#[test]
fn function_calls_stay_as_written() {
    let none: [(String, Value); 0] = [];
    let count = FunctionCall::new("https://shop.example/catalog.json", "countNights", none);
    let call = CallRendererFunction::new("c-1", count);
    for (surface, shown) in [(greeting(), "v0.9"), (greeting().in_version(V1_0).unwrap(), "v0.9")] {
        let mut surface = surface;
        surface.push(call.clone());
        let events = events(&surface, &draws(&["v0.9"]), None);
        let messages = events[1]["content"]["a2ui_operations"].as_array().unwrap();
        let (last, drawn) = messages.split_last().unwrap();
        assert!(drawn.iter().all(|message| message["version"] == shown), "{messages:#?}");
        assert_eq!(last["version"], "v1.0", "{messages:#?}");
        assert!(surface.in_version(V0_9).is_err());
    }
}
