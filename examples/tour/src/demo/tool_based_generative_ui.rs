//! `/tool_based_generative_ui`: a call whose arguments the page shows.

use agui_runtime::prelude::*;
use agui_runtime::protocol::AssistantMessage;

use crate::past::answered_call;

/// Shows a haiku.
#[tool(frontend)]
pub async fn generate_haiku(japanese: [String; 3], english: [String; 3]) -> String;

/// Writes a haiku.
#[agent(tools = [generate_haiku])]
pub async fn tool_based_generative_ui(
    run: &mut Run<ToolBasedGenerativeUi>,
    input: Input<ToolBasedGenerativeUi>,
) -> Result<(), Stop> {
    let mut history = input.messages.clone();
    if input.user_text().as_deref() == Some("thanks") {
        let answer = AssistantMessage::new(format!("{}-answer", input.run_id)).with_content("Haiku created");
        history.push(answer.into());
    } else {
        let haiku = generate_haiku {
            japanese: ["エーアイの", "橋渡す日々", "コード舞う"].map(str::to_owned),
            english: ["From AI's realm", "A bridge-day linking us all—", "Code dances softly"]
                .map(str::to_owned),
        };
        history.extend(answered_call(&input, None, &haiku, "Haiku created")?);
    }
    run.messages_snapshot(history).await;
    Ok(())
}
