//! A model that writes surfaces by a tool: a surface that does not fit the catalog goes back with paths and reasons, and the model writes
//! the right one.

use std::sync::Arc;

use agui_runtime::PublicError;
use agui_runtime::a2ui::{ComponentCatalog, InvalidComponents, Surface, SurfaceComponent, SurfaceError};
use agui_runtime::events::ActivityError;
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::JsonObject;
use agui_runtime::testing;
use serde_json::{Value, json};

use crate::agent::{json as to_json, judge};

fn catalog() -> ComponentCatalog {
    let dish = json!({
        "properties": { "name": { "type": ["string", "object"] }, "cents": { "type": "integer" } },
        "required": ["name", "cents"],
        "additionalProperties": false,
    });
    ComponentCatalog::new("https://cafe.example/catalog.json").with("Dish", dish)
}

/// The reasons why a surface is not shown, for the model to read.
#[derive(Debug, thiserror::Error)]
enum NotShown {
    #[error(transparent)]
    Components(#[from] InvalidComponents),
    #[error(transparent)]
    Data(#[from] SurfaceError),
    #[error(transparent)]
    Activity(#[from] ActivityError),
}

impl PublicError for NotShown {}

/// Shows components with data.
#[tool]
async fn draw(emit: &Emit, components: Vec<SurfaceComponent>, data: JsonObject) -> Result<String, NotShown> {
    let catalog = catalog();
    let surface = Surface::new("menu", &catalog.catalog_id, components).with_data(&data)?;
    surface.check(&[&catalog])?;
    drop(surface.show(emit).await?);
    Ok("The user sees it.".to_owned())
}

/// Shows the menu.
#[agent(tools = [draw], activities = [Surface])]
async fn host(run: &mut Run<Host>, _: Input<Host>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

#[test]
fn a_model_reads_paths_and_reasons_and_writes_the_right_surface() {
    let wrong = json!({
        "components": [
            { "id": "root", "component": "Dish", "name": { "path": "/nmae" }, "cents": "three", "colour": "red" },
        ],
        "data": { "name": "Rice" },
    });
    let right = json!({
        "components": [{ "id": "root", "component": "Dish", "name": { "path": "/name" }, "cents": 300 }],
        "data": { "name": "Rice" },
    });
    let model = Arc::new(ScriptedModel::from_fn(move |prompt| match prompt.last_results().last() {
        None => Reply::call("draw", wrong.clone()),
        Some(result) if result.failed => Reply::call("draw", right.clone()),
        Some(_) => Reply::text("Here it is."),
    }));
    let run = testing::run(Host::new(Arc::clone(&model).into()), testing::input("The menu?"));
    let events: Vec<_> = futures::executor::block_on(run).iter().map(to_json).collect();
    judge(&events);

    let prompts = model.prompts();
    assert_eq!(prompts.len(), 3, "{events:#?}");
    let read = prompts[1].last_results()[0].content.text().into_owned();
    for problem in [
        "[wrong_property] components[0].cents: Expected integer, and found a string",
        "[unknown_property] components[0].colour: Component 'Dish' has no property 'colour'; it has: ",
        "[unresolved_binding] components[0]: Binding path '/nmae' does not resolve in the data model",
    ] {
        assert!(read.contains(problem), "{problem}\n{read}");
    }
    assert!(!prompts[2].last_results()[0].failed);

    let of_type = |kind: &'static str| events.iter().filter(move |event| event["type"] == kind);
    let shown: Vec<_> = of_type("ACTIVITY_SNAPSHOT").collect();
    assert_eq!(shown.len(), 1, "the wrong one was not shown: {events:#?}");
    let surface: Surface = serde_json::from_value(shown[0]["content"].clone()).unwrap();
    surface.check(&[&catalog()]).unwrap();
    let said: Vec<&Value> = of_type("TEXT_MESSAGE_CONTENT").map(|event| &event["delta"]).collect();
    assert_eq!(said, ["Here it is."]);
}
