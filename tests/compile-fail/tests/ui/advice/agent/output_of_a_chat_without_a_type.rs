//! Output of a chat without a type.
//!
//! error: `!` cannot be the output of a model
//! write: none was written: write `.output::<Plan>()`

use agui_runtime::model::Model;

use crate::kit::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, model: &Model) -> Result<(), Stop> {
    let plan = run.chat(model).output().await?;
    Ok(())
}
