//! Part of an output of a chat without derives.
//!
//! error: `Draft` cannot be a part of a model's output
//! write: `#[derive(Deserialize, Default)]` and `#[serde(default)]`

use agui_runtime::model::Model;

use crate::kit::*;

struct Draft {
    steps: Vec<String>,
}

#[agent(state = Vec<String>)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, model: &Model) -> Result<Vec<String>, Stop> {
    let steps = run.state().adopt_or_snapshot(&input).await?;
    run.chat(model).stream_output(steps, |steps, draft: Draft| *steps = draft.steps).await
}
