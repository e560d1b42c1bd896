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

/// The wishes of the page.
#[derive(Deserialize, JsonSchema)]
struct Wishes {
    /// The steps after the first.
    then: Vec<String>,
}

/// Shows a plan, and changes it.
#[agent(activities = [Plan], forwarded = Wishes)]
pub async fn plan_maker(run: &mut Run<PlanMaker>, input: Input<PlanMaker>) -> Result<(), Stop> {
    let step = |name: &str| Step { name: name.to_owned(), done: false };
    let wishes = input.forwarded::<Wishes>()?.unwrap_or(Wishes { then: vec!["write".to_owned()] });
    let plan = Plan { steps: vec![step("fetch")] };
    let mut plan = run.activity(plan).deltas().await?; // ACTIVITY_SNAPSHOT
    plan.update(|plan| plan.steps.iter_mut().for_each(|step| step.done = true)).await?; // ACTIVITY_DELTA
    plan.update(|plan| plan.steps.extend(wishes.then.iter().map(|name| step(name)))).await?;
    run.say("That is the plan.").await;
    Ok(())
}
