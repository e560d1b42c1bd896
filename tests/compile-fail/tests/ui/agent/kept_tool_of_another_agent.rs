use agui_runtime::model::{Model, ToolSearch};
use agui_runtime::prelude::*;

/// Counts.
#[tool]
async fn price(name: String) -> u32 {
    name.len() as u32
}

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, model: &Model) -> Result<(), Stop> {
    run.chat(model).search_tools(ToolSearch::new().keep::<price>()).await
}

fn main() {}
