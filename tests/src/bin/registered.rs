//! A program that prints its agents before `main` runs, and then serves none.

use std::sync::Arc;

use agui_runtime::prelude::*;

/// Goes up. Only another agent calls it, so it is not printed.
#[agent]
async fn lift(_run: &mut Run<Lift>, _input: Input<Lift>) -> Result<(), Stop> {
    Ok(())
}

/// Carries.
#[agent(tools = [Lift])]
async fn porter(run: &mut Run<Porter>, _input: Input<Porter>, _lift: &Arc<Lift>) -> Result<(), Stop> {
    run.say("Mind your head.").await;
    Ok(())
}

#[agui_runtime::main]
async fn main() {
    println!("main ran");
}
