use agui_runtime::model::Model;
use agui_runtime::prelude::*;

#[agent(state = Vec<String>)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, model: &Model) -> Result<Vec<String>, Stop> {
    let steps = run.state().adopt_or_snapshot(&input).await?;
    run.chat(model).stream_output(steps, |count: &mut u32, steps: Vec<String>| *count = steps.len() as u32).await
}

fn main() {}
