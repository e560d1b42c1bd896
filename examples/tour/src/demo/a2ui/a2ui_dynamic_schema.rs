//! `/a2ui_dynamic_schema`: a model writes the layout, and a tool checks it against the catalog and shows it.

use agui_runtime::PublicError;
use agui_runtime::a2ui::{A2uiProps, Catalog, InvalidComponents, Surface, SurfaceComponent, SurfaceError};
use agui_runtime::events::ActivityError;
use agui_runtime::prelude::*;
use agui_runtime::protocol::JsonObject;
use serde::Deserialize;
use serde_json::json;

use super::cards::{hotel_card, hotels, row};
use crate::lab::a2ui::Cards;

/// The reasons why a surface is not shown, for the model to read.
#[derive(Debug, thiserror::Error)]
pub enum NotShown {
    #[error(transparent)]
    Components(#[from] InvalidComponents),
    #[error(transparent)]
    Data(#[from] SurfaceError),
    #[error(transparent)]
    Activity(#[from] ActivityError),
}

impl PublicError for NotShown {}

/// Shows an interface to the user.
#[tool]
pub async fn generate_a2ui(
    emit: &Emit,
    /// a name for the interface
    surface_id: String,
    /// components of the catalog, one of which has the id `root`
    components: Vec<SurfaceComponent>,
    /// the data that the components are bound to
    data: JsonObject,
) -> Result<String, NotShown> {
    let catalog = Cards::definition();
    let surface = Surface::new(surface_id, &catalog.catalog_id, components).with_data(&data)?;
    surface.check(&[&catalog])?;
    drop(surface.show(emit).await?); // ACTIVITY_SNAPSHOT
    Ok("The user sees it.".to_owned())
}

/// The values that the button of a card sends.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Choice {
    hotel_name: String,
}

/// Compares hotels on a surface that a model has written.
#[agent(tools = [generate_a2ui], activities = [Surface], forwarded = A2uiProps)]
pub async fn a2ui_dynamic_schema(
    run: &mut Run<A2uiDynamicSchema>,
    input: Input<A2uiDynamicSchema>,
) -> Result<(), Stop> {
    if let Some(action) = input.forwarded::<A2uiProps>()?.and_then(|props| props.user_action()) {
        let Choice { hotel_name } = action.read_context()?;
        run.say(format!("You chose {hotel_name}.")).await;
        return Ok(());
    }
    // A model would write these arguments.
    let written = generate_a2ui {
        surface_id: "hotel-comparison".to_owned(),
        components: vec![row("/items"), hotel_card()],
        data: JsonObject::from_iter([("items".to_owned(), json!(hotels()))]),
    };
    run.call(written).await?.run().await?;
    run.say("Here's a comparison of three hotels.").await;
    Ok(())
}
