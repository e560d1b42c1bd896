//! `/lab/tool_result_parts`: a tool whose result is more than text.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{DataSource, ImagePart, TextPart};
use agui_runtime::tools::ContentParts;

/// Draws something.
#[tool]
pub async fn draw(what: String) -> ContentParts {
    let picture = ImagePart::new(DataSource::new("aGk=", "image/png"));
    ContentParts::from_iter([TextPart::new(what).into(), picture.into()])
}

/// Draws a dot. A legacy client reads its text, and does not see it.
#[agent(tools = [draw])]
pub async fn artist(run: &mut Run<Artist>, _: Input<Artist>) -> Result<(), Stop> {
    run.call(draw { what: "a dot".to_owned() }).await?.run().await; // TOOL_CALL_START … RESULT
    Ok(())
}
