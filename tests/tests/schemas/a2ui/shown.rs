//! Surfaces in the activities of a run.

use agui_runtime::a2ui::{DeleteSurface, Surface, SurfaceComponent, SurfaceError, validate};
use agui_runtime::prelude::*;
use agui_runtime::testing;
use serde_json::{Value, json};

use super::schemas::assert_published;
use crate::agent::{inside, json as to_json, judge, stream, types};

const CATALOG: &str = "https://shop.example/catalog.json";

fn hotels() -> Surface {
    let layout = [
        SurfaceComponent::new("root", "List").for_each("/hotels", "hotel"),
        SurfaceComponent::new("hotel", "Text").bind("text", "name"),
    ];
    Surface::new("hotels", CATALOG, layout)
}

fn data(names: &[&str]) -> Value {
    let hotels: Vec<_> =
        names.iter().map(|name| json!({ "name": name, "about": "a quiet house by the sea" })).collect();
    json!({ "hotels": hotels, "note": "All prices are those of today, and may change tomorrow." })
}

/// The content of the activity after each event, by the same operations as a client applies.
fn contents(events: &[Value]) -> Vec<Value> {
    let mut content = Value::Null;
    let mut contents = Vec::new();
    for event in events {
        assert_eq!(event["activityType"], "a2ui-surface");
        if event["type"] == "ACTIVITY_SNAPSHOT" {
            content = event["content"].clone();
        } else {
            let patch: json_patch::Patch = serde_json::from_value(event["patch"].clone()).unwrap();
            json_patch::patch(&mut content, &patch).unwrap();
        }
        contents.push(content.clone());
    }
    contents
}

#[test]
fn a_change_of_one_surface_leaves_the_others_of_the_content() -> Result<(), SurfaceError> {
    let hall = SurfaceComponent::new("root", "Text").bind("text", "/hall");
    let hall = Surface::new("hall", CATALOG, [hall]).with_data(&json!({ "hall": "A" }))?;
    let both = [hotels().with_data(&data(&["Ritz"]))?, hall];
    let mut both = Surface::from_messages(both.iter().flat_map(|surface| surface.messages().to_vec()));
    let before = both.messages().to_vec();
    both.set_data(&data(&["Inn"]))?;
    let differs: Vec<_> = before.iter().zip(both.messages()).map(|(old, new)| old != new).collect();
    assert_eq!(differs, [false, false, true, false, false, false], "{:?}", both.messages());
    Ok(())
}

#[test]
fn a_message_of_another_version_names_no_surface() {
    let message = json!({ "version": "v7", "createSurface": { "surfaceId": "hotels" } });
    let mut surface: Surface = serde_json::from_value(json!({ "a2ui_operations": [message] })).unwrap();
    assert!(matches!(surface.set_data(&json!({})), Err(SurfaceError::NoSurface)));
    assert_eq!(surface.messages().len(), 1);
}

#[test]
fn a_change_of_the_data_is_the_change_of_one_message() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut shown = hotels().with_data(&data(&["Ritz", "Inn", "Loft"]))?.show(run).await?;
            shown.update(|shown| shown.set_data(&data(&["Ritz", "Inn", "Grand"]))).await??;
            shown.update(|shown| shown.set_data(&data(&["Ritz", "Inn", "Grand"]))).await??;
            shown.update(|shown| shown.set_data(&data(&["New", "Ritz", "Inn", "Grand"]))).await??;
            let closed = SurfaceComponent::new("root", "Text").with("text", "Closed");
            shown.update(|shown| shown.set_components([closed])).await??;
            shown.update(|shown| shown.push(DeleteSurface::new("hotels"))).await?;
            Ok(())
        })
    });
    let events = inside(&events);
    let deltas = ["ACTIVITY_DELTA"; 4];
    assert_eq!(types(events), [["ACTIVITY_SNAPSHOT"].as_slice(), &deltas].concat());
    let name = "/a2ui_operations/2/updateDataModel/value/hotels/2/name";
    assert_eq!(events[1]["patch"], json!([{ "op": "add", "path": name, "value": "Grand" }]));
    assert_eq!(events[2]["patch"][0]["path"], "/a2ui_operations/2/updateDataModel/value/hotels/0");
    let contents = contents(events);
    for content in &contents {
        let surface: Surface = serde_json::from_value(content.clone()).unwrap();
        assert_published(surface.messages());
    }
    let value = |at: usize| &contents[at]["a2ui_operations"][2]["updateDataModel"]["value"];
    assert_eq!(*value(0), data(&["Ritz", "Inn", "Loft"]));
    assert_eq!(*value(2), data(&["New", "Ritz", "Inn", "Grand"]));
    let last = contents[4]["a2ui_operations"].as_array().unwrap();
    assert_eq!(last.len(), 4, "create, components, data, delete: {last:?}");
    assert_eq!(last[1]["updateComponents"]["components"].as_array().unwrap().len(), 1);
}

#[test]
fn a_surface_takes_the_place_of_the_state_of_its_generation() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut shown = Surface::building().show(run).await?;
            let problems = validate(&[], &serde_json::Map::new(), None).unwrap_err();
            shown.update(|shown| *shown = Surface::retrying(2, 3, &problems)).await?;
            let drawn = hotels().with_data(&data(&["Ritz"]))?;
            shown.update(|shown| *shown = drawn).await?;
            shown.update(|shown| *shown = Surface::failed("the model is gone")).await?;
            Ok(())
        })
    });
    let contents = contents(inside(&events));
    assert_eq!(contents[0], json!({ "status": "building" }));
    let problem = json!({
        "code": "empty_components", "path": "components", "message": "A2UI components must be a non-empty array",
    });
    assert_eq!(
        contents[1],
        json!({ "status": "retrying", "attempt": 2, "maxAttempts": 3, "errors": [problem] })
    );
    assert_eq!(contents[2].as_object().unwrap().len(), 1, "only messages: {}", contents[2]);
    assert_eq!(contents[3], json!({ "status": "failed", "error": "the model is gone" }));
}

#[test]
fn data_that_is_no_object_changes_nothing() {
    let mut surface = hotels();
    let before = surface.clone();
    assert!(matches!(surface.set_data(&[1]), Err(SurfaceError::NotAnObject)));
    let keys = std::collections::HashMap::from([((1, 2), 3)]);
    assert!(matches!(surface.set_data(&keys), Err(SurfaceError::Json(_))));
    assert_eq!(surface, before);
    assert!(matches!(Surface::building().set_data(&json!({})), Err(SurfaceError::NoSurface)));
    assert!(matches!(Surface::building().set_components([]), Err(SurfaceError::NoSurface)));
}

/// Draws hotels.
#[tool]
async fn draw(names: Vec<String>) -> Result<Surface, SurfaceError> {
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    hotels().with_data(&data(&names))
}

/// Has a tool that returns a surface, and one that shows it.
#[agent(tools = [draw, show_hotels])]
async fn drawer(run: &mut Run<Drawer>, _: Input<Drawer>) -> Result<(), Stop> {
    let names = vec!["Ritz".to_owned()];
    run.call(draw { names: names.clone() }).await?.run().await?;
    run.call(show_hotels { names }).await?.run().await?;
    Ok(())
}

/// Shows hotels.
#[tool]
async fn show_hotels(emit: &Emit, names: Vec<String>) -> Result<(), agui_runtime::events::ActivityError> {
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let mut surface = hotels();
    if surface.set_data(&data(&names)).is_ok() {
        drop(surface.show(emit).await?);
    }
    Ok(())
}

/// The result of the one is the envelope for which the official middleware looks; the other shows it in the middle of its call.
#[test]
fn tools_return_and_show_surfaces() {
    let events = futures::executor::block_on(testing::run(Drawer::new(), testing::input("?")));
    let events: Vec<_> = events.iter().map(to_json).collect();
    judge(&events);
    let result = events.iter().find(|event| event["type"] == "TOOL_CALL_RESULT").unwrap();
    let returned: Value = serde_json::from_str(result["content"].as_str().unwrap()).unwrap();
    assert_eq!(returned.as_object().unwrap().keys().collect::<Vec<_>>(), ["a2ui_operations"]);
    let activity = events.iter().position(|event| event["type"] == "ACTIVITY_SNAPSHOT").unwrap();
    assert_eq!(events[activity]["content"], returned);
    assert_eq!(events[activity + 1]["type"], "TOOL_CALL_RESULT");
}
