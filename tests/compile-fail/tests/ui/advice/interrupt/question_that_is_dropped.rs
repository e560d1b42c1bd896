//! Question that is dropped.
//!
//! error: unused `agui_runtime::Stop` that must be used
//! write: return it from the agent: `return Err(stop)`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.ask(Allow { what: "fire".to_owned() });
    Ok(())
}
