//! A program that prints its agents before `main` runs, and then serves none.

use agui_runtime::prelude::*;

/// Carries.
#[agent]
async fn porter(run: &mut Run<Porter>, _input: Input<Porter>) -> Result<(), Stop> {
    run.say("Mind your head.").await;
    Ok(())
}

#[agui_runtime::main]
async fn main() {
    println!("main ran");
}
