//! Calls a tool.
//!
//! error: an `Emit` calls no tools, because it does not know its agent
//! write: take the run, `run: &Run<Chef>`; a helper for every agent with this tool is `async fn helper<A: Agent>(run: &Run<A>) where price: ToolOf<A>`, with `agui_runtime::tools::ToolOf`

use crate::kit::*;

async fn mistake(run: &Emit) -> Result<(), Stop> {
    let cents = run.call(price { name: "rice".to_owned() }).await?.run().await;
    Ok(())
}
