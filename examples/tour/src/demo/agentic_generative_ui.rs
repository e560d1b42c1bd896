//! `/agentic_generative_ui`: shared state that the page renders while the agent works.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pace::Pace;

/// The steps to do, and those that are done.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
#[state(exact)] // the page expects `replace`
pub struct Work {
    steps: Vec<WorkStep>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct WorkStep {
    description: String,
    status: WorkStatus,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
#[serde(rename_all = "snake_case")]
enum WorkStatus {
    Pending,
    Completed,
}

/// Does ten things, one each second.
#[agent(state = Work)]
pub async fn agentic_generative_ui(
    run: &mut Run<AgenticGenerativeUi>,
    _: Input<AgenticGenerativeUi>,
    pace: &Pace,
) -> Result<(), Stop> {
    let step = |n| WorkStep { description: format!("Step {n}"), status: WorkStatus::Pending };
    let work = run.state().snapshot(&Work { steps: (1..=10).map(step).collect() }).await?; // STATE_SNAPSHOT
    for at in 0..10 {
        pace.pause(1.0).await;
        work.update(|work| {
            if let Some(step) = work.steps.get_mut(at) {
                step.status = WorkStatus::Completed;
            }
        })
        .await?; // STATE_DELTA, with what changed
    }
    work.resend().await?; // STATE_SNAPSHOT
    Ok(())
}
