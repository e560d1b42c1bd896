//! `/human_in_the_loop`: a plan that the user reviews before anything is done.

use agui_runtime::events::JsonPieces;
use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pace::Pace;

/// Lets the person choose which steps to take.
#[tool(frontend)]
pub async fn generate_task_steps(steps: Vec<TaskStep>) -> String;

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct TaskStep {
    description: String,
    status: TaskStatus,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    Enabled,
    Disabled,
    Executing,
}

/// Proposes ten steps, one after the other.
#[agent(tools = [generate_task_steps])]
pub async fn human_in_the_loop(
    run: &mut Run<HumanInTheLoop>,
    input: Input<HumanInTheLoop>,
    pace: &Pace,
) -> Result<(), Stop> {
    if input.tool_result_text().is_some() {
        run.say("Ok! I'm working on it.").await;
        return Ok(());
    }
    let step = |number| TaskStep { description: format!("Step {number}"), status: TaskStatus::Enabled };
    let plan = generate_task_steps { steps: (1..=10).map(step).collect() };
    let mut call = run.tool::<generate_task_steps>().await; // TOOL_CALL_START
    for step in JsonPieces::items(&plan)? {
        call.push(step).await; // TOOL_CALL_ARGS
        pace.pause(0.2).await;
    }
    Err(Stop::await_frontend(call.end()?)) // the arguments are parsed as those of the tool before TOOL_CALL_END
}
