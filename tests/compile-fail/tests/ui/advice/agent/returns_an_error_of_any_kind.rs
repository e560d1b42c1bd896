//! Error that holds any error, in the place of `Stop`.
//!
//! error: the error of an agent is `Stop`, which `?` makes from any other error, this one too: write `Result<(), Stop>`
//! write: write `Result<(), Stop>`

use agui_runtime::model::Model;

use crate::kit::*;

mod anyhow {
    pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;
}

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, model: &Model) -> anyhow::Result<()> {
    let text = std::fs::read_to_string("recipe.txt")?;
    run.chat(model).instructions(text).await?;
    Ok(())
}
