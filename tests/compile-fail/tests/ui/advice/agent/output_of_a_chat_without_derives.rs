//! Output of a chat without derives.
//!
//! error: `Plan` cannot be the output of a model
//! write: needs `#[derive(Deserialize, JsonSchema)]`

use agui_runtime::model::Model;

use crate::kit::*;

struct Plan {
    steps: Vec<String>,
}

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, model: &Model) -> Result<(), Stop> {
    let plan = run.chat(model).output::<Plan>().await?;
    Ok(())
}
