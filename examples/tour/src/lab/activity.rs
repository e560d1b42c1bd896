//! `/lab/activity`: an activity beside the text, kept up to date.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The next steps of the agent.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[activity(type = "PLAN")]
struct Plan {
    steps: Vec<Step>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Step {
    name: String,
    done: bool,
}

/// Shows a plan, and changes it.
#[agent(activities = [Plan])]
pub async fn plan_maker(run: &mut Run<PlanMaker>, _: Input<PlanMaker>) -> Result<(), Stop> {
    let step = |name: &str| Step { name: name.to_owned(), done: false };
    let plan = Plan { steps: vec![step("fetch")] };
    let mut plan = run.activity(plan).deltas().await?; // ACTIVITY_SNAPSHOT
    plan.update(|plan| plan.steps.iter_mut().for_each(|step| step.done = true)).await?; // ACTIVITY_DELTA
    plan.update(|plan| plan.steps.push(step("write"))).await?;
    run.say("That is the plan.").await;
    Ok(())
}
