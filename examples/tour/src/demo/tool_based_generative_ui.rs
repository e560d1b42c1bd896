//! `/tool_based_generative_ui`: a call whose arguments are what the page shows.

use agui_runtime::prelude::*;
use agui_runtime::protocol::AssistantMessage;
use serde_json::json;

use crate::past::answered_call;

/// Writes a haiku.
#[agent]
pub async fn tool_based_generative_ui(
    run: &mut Run<ToolBasedGenerativeUi>,
    input: Input<ToolBasedGenerativeUi>,
) -> Result<(), Stop> {
    let mut history = input.messages.clone();
    if input.user_text().as_deref() == Some("thanks") {
        let answer = AssistantMessage::new(format!("{}-answer", input.run_id)).with_content("Haiku created");
        history.push(answer.into());
    } else {
        let haiku = json!({
            "japanese": ["エーアイの", "橋渡す日々", "コード舞う"],
            "english": ["From AI's realm", "A bridge-day linking us all—", "Code dances softly"],
        });
        history.extend(answered_call(&input, None, "generate_haiku", &haiku.to_string(), "Haiku created"));
    }
    run.messages_snapshot(history).await;
    Ok(())
}
