//! Content before start.
//!
//! error: TEXT_MESSAGE_CONTENT before TEXT_MESSAGE_START
//! write: open one: `let mut text = run.message().await;`, then `text.push(..).await`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.push("hi").await?;
    Ok(())
}
