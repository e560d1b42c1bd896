//! `/lab/result`: all parts of the end of a run.

use agui_runtime::prelude::*;
use agui_runtime::protocol::TokenUsage;
use schemars::JsonSchema;
use serde::Serialize;

/// Asks the user something.
#[tool(frontend)]
pub async fn ask_user(question: String) -> String;

/// The result of the run.
#[derive(Serialize, JsonSchema)]
pub struct Survey {
    score: f64,
    tags: Vec<&'static str>,
}

/// Returns a result, and leaves a call to the user interface.
#[agent(tools = [ask_user])]
pub async fn survey(run: &mut Run<Surveyor>, _: Input<Surveyor>) -> Result<Survey, Stop> {
    // `Stop::await_frontend` has no result, so the run finishes with the call open: RUN_FINISHED names it as pending.
    let _pending =
        run.call(ask_user { question: "Was it good?".to_owned() }).provider_id("pending-1").await?;
    let spent = TokenUsage::new().with_provider("lab").with_model("script-1");
    run.report_usage(spent.with_input_tokens(10_u32).with_output_tokens(5_u32).with_total_tokens(15_u32));
    Ok(Survey { score: 0.5, tags: vec!["a"] })
}
