//! Private called with events.
//!
//! error: a private tool has no call that clients see
//! write: call the function itself, whose value stays in the agent; or leave `private` out, and clients see call and result

use crate::kit::*;

/// Reads a file.
#[tool(private)]
async fn file(name: String) -> String {
    name
}

/// Reads files.
#[agent(tools = [file])]
async fn reader(run: &mut Run<Reader>, input: Input<Reader>) -> Result<(), Stop> {
    run.call(file { name: "ada".to_owned() }).await?;
    Ok(())
}
