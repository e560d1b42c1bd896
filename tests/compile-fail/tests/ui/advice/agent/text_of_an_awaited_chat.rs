//! Text of an awaited chat.
//!
//! error: a chat that is awaited returns no value: write `.text().await` for the text of the model, or `.output::<Plan>().await` for a value
//! write: write `.text().await` for the text of the model

use agui_runtime::model::Model;

use crate::kit::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, model: &Model) -> Result<String, Stop> {
    let text: String = run.chat(model).await?;
    Ok(text)
}
