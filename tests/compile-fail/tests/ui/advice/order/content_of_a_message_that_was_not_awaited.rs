//! Content of a message that was not awaited.
//!
//! error: TEXT_MESSAGE_CONTENT before TEXT_MESSAGE_START
//! write: await it first: `let mut text = run.message().await;`, then `text.push(..).await`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let text = run.message();
    text.push("hi").await?;
    Ok(())
}
