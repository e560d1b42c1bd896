//! `/lab/text`: a text message, piece by piece.

use agui_runtime::prelude::*;

/// Says hello in three pieces.
#[agent]
pub async fn text(run: &mut Run<Text>, _: Input<Text>) -> Result<(), Stop> {
    let mut message = run.message().await; // TEXT_MESSAGE_START
    for piece in ["Hello ", "from ", "the lab!"] {
        message.push(piece).await; // TEXT_MESSAGE_CONTENT
    }
    message.end(); // TEXT_MESSAGE_END
    Ok(())
}
