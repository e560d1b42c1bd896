//! `/a2ui_recovery`: a model writes an invalid layout, and tries again with the problems in its prompt.

use agui_runtime::a2ui::{InvalidComponents, Surface, SurfaceComponent, validate};
use agui_runtime::events::ActivityError;
use agui_runtime::prelude::*;
use agui_runtime::protocol::JsonObject;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::cards::{CATALOG, hotel_card, hotels, row};
use crate::pace::Pace;

/// The number of times that a layout is written.
const ATTEMPTS: u32 = 3;

#[derive(Serialize, JsonSchema)]
pub struct Attempts {
    attempts: u32,
    is_shown: bool,
}

/// Shows an interface to the user.
#[tool]
pub async fn generate_a2ui(emit: &Emit, pace: &Pace, request: String) -> Result<Attempts, ActivityError> {
    let data = JsonObject::from_iter([("items".to_owned(), hotels())]);
    let mut shown = Surface::building().show(emit).await?; // ACTIVITY_SNAPSHOT
    let mut problems = None;
    for attempts in 1..=ATTEMPTS {
        pace.pause(0.5).await;
        let components = write_components(&request, problems.as_ref());
        let Err(invalid) = validate(&components, &data, None) else {
            let drawn = Surface::new("hotel-comparison", CATALOG, components);
            let drawn =
                drawn.with_data(&json!(data)).unwrap_or_else(|error| Surface::failed(error.to_string()));
            shown.update(|shown| *shown = drawn).await?; // the surface takes the place of its state
            return Ok(Attempts { attempts, is_shown: true });
        };
        if attempts < ATTEMPTS {
            shown.update(|shown| *shown = Surface::retrying(attempts + 1, ATTEMPTS, &invalid)).await?;
        }
        problems = Some(invalid);
    }
    shown
        .update(|shown| *shown = Surface::failed(format!("no valid layout after {ATTEMPTS} attempts")))
        .await?;
    Ok(Attempts { attempts: ATTEMPTS, is_shown: false })
}

/// A model would write these: at first it forgets the card that the row repeats, and if it is asked for something broken, always.
fn write_components(request: &str, problems: Option<&InvalidComponents>) -> Vec<SurfaceComponent> {
    let mut components = vec![row("/items")];
    if problems.is_some() && !request.contains("broken") {
        components.push(hotel_card());
    }
    components
}

/// Compares hotels, on a surface that is written again until it is valid.
#[agent(tools = [generate_a2ui], activities = [Surface])]
pub async fn a2ui_recovery(
    run: &mut Run<A2uiRecovery>,
    input: Input<A2uiRecovery>,
    _pace: &Pace,
) -> Result<(), Stop> {
    let request = input.user_text().unwrap_or_default();
    if request.contains("hanks") {
        run.say("You're welcome.").await;
        return Ok(());
    }
    let done = run.call(generate_a2ui { request }).await?.run().await?;
    let text = match done {
        Attempts { is_shown: true, attempts: 1 } => "Here are three hotels.".to_owned(),
        Attempts { is_shown: true, attempts } => {
            format!("Attempt {attempts} was right: here are three hotels.")
        }
        Attempts { is_shown: false, .. } => "Sorry, I couldn't generate that UI.".to_owned(),
    };
    run.say(text).await;
    Ok(())
}
