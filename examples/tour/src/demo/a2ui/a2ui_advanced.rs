//! `/a2ui_advanced`: a surface that grows while it is written, and buttons that the page answers before the agent does.

use agui_runtime::a2ui::{A2uiProps, Surface};
use agui_runtime::prelude::*;
use serde_json::json;

use super::cards::{CATALOG, member_card, row, team};
use crate::pace::Pace;

/// Shows a team, one after the other.
#[agent(activities = [Surface], forwarded = A2uiProps)]
pub async fn a2ui_advanced(
    run: &mut Run<A2uiAdvanced>,
    input: Input<A2uiAdvanced>,
    pace: &Pace,
) -> Result<(), Stop> {
    if let Some(action) = input.forwarded::<A2uiProps>()?.and_then(|props| props.user_action()) {
        run.say(action.to_string()).await;
        return Ok(());
    }
    let mut shown = run.activity(Surface::building()).deltas().await?; // ACTIVITY_SNAPSHOT
    let mut here = Vec::new();
    let roster = Surface::new("team-roster", CATALOG, [row("/items"), member_card()]);
    for member in team() {
        pace.pause(0.5).await;
        here.push(member);
        let roster = roster.clone().with_data(&json!({ "items": here }))?;
        shown.update(|shown| *shown = roster).await?; // ACTIVITY_DELTA
    }
    run.say("Here's your team directory.").await;
    Ok(())
}
