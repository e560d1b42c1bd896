//! `/lab/steps`: the named parts of the work.

use agui_runtime::prelude::*;

/// Plans, then acts.
#[agent]
pub async fn steps(run: &mut Run<Steps>, _: Input<Steps>) -> Result<(), Stop> {
    let plan = run.step("plan").await; // STEP_STARTED
    run.say("First I think of something.").await;
    plan.finish(); // STEP_FINISHED
    let act = run.step("act").await;
    run.say("Then I do it.").await;
    act.finish();
    Ok(())
}
