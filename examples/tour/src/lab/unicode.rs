//! `/lab/unicode`: text that trips over careless framing and escaping.

use agui_runtime::prelude::*;

/// Characters of one to four bytes, a line separator that is none in SSE, quotes, line ends, control characters.
const TEXT: &str = "naïve 日本語 🦀 \u{2028} \"quotes\" \\ back\nnew\r\nline \t\u{1} end";

/// Says something that is hard to carry, four characters at a time.
#[agent]
pub async fn unicode(run: &mut Run<Unicode>, _: Input<Unicode>) -> Result<(), Stop> {
    let mut message = run.message().await;
    for piece in TEXT.chars().collect::<Vec<_>>().chunks(4) {
        message.push(piece.iter().collect::<String>()).await;
    }
    Ok(()) // dropping the message ends it
}
