//! `/lab/unicode`: text that breaks careless framing and escaping.

use agui_runtime::prelude::*;

/// Characters of one to four bytes, a line separator that does not end a line of SSE, quotes, line ends, control
/// characters.
const TEXT: &str = "naïve 日本語 🦀 \u{2028} \"quotes\" \\ back\nnew\r\nline \t\u{1} end";

/// Sends difficult characters, four at a time.
#[agent]
pub async fn unicode(run: &mut Run<Unicode>, _: Input<Unicode>) -> Result<(), Stop> {
    let mut message = run.message().await;
    for piece in TEXT.chars().collect::<Vec<_>>().chunks(4) {
        message.push(piece.iter().collect::<String>()).await;
    }
    Ok(()) // dropping the message ends it
}
