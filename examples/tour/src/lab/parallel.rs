//! `/lab/parallel`: messages and calls that are open at the same time.
//!
//! Each is a value of its own that borrows the run by `&`, so any number may be open, and they cannot be confused.

use agui_runtime::events::JsonPieces;
use agui_runtime::prelude::*;

/// Does nothing, in the user interface.
#[tool(frontend)]
pub async fn noop(n: u32);

/// Sends two messages at a time, then two calls at a time.
#[agent(tools = [noop])]
pub async fn parallel(run: &mut Run<Parallel>, _: Input<Parallel>) -> Result<(), Stop> {
    let (mut a, mut b) = (run.message().await, run.message().await);
    a.push("A1").await;
    b.push("B1").await;
    a.push("A2").await;
    b.end();
    let a = a.end();

    let (mut one, mut two) = (run.tool::<noop>().parent(&a).await, run.tool::<noop>().parent(&a).await);
    for (first, second) in JsonPieces::tokens(&noop { n: 1 })?.zip(JsonPieces::tokens(&noop { n: 2 })?) {
        one.push(first).await;
        two.push(second).await;
    }
    Err(Stop::await_frontend([one.end()?, two.end()?]))
}
