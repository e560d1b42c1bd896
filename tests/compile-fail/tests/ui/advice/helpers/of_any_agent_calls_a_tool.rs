//! A helper for any agent calls a tool.
//!
//! error: `price` is not a tool of `A`
//! write: consider introducing a `where` clause

use crate::kit::*;

async fn mistake<A: Agent>(run: &Run<A>) -> Result<(), Stop> {
    run.call(price { name: "rice".to_owned() }).await?.run().await;
    Ok(())
}
