//! `/lab/messages_snapshot`: the conversation, restated by the agent that keeps it.

use agui_runtime::prelude::*;
use agui_runtime::protocol::AssistantMessage;

use crate::past::answered_call;

/// Looks up a word.
#[tool]
pub async fn lookup(word: String) -> String {
    if word == "tour" { "a journey that ends where it began".to_owned() } else { "nothing".to_owned() }
}

/// Restates the conversation with what it has found meanwhile.
#[agent(tools = [lookup])]
pub async fn messages_snapshot(
    run: &mut Run<MessagesSnapshot>,
    input: Input<MessagesSnapshot>,
) -> Result<(), Stop> {
    let asked = lookup { word: "tour".to_owned() };
    let found = lookup(asked.word.clone()).await;
    let mut history = input.messages.clone();
    history.extend(answered_call(&input, Some("Let me look it up."), &asked, &found)?);
    history.push(AssistantMessage::new(format!("{}-found", input.run_id)).with_content("Found it.").into());
    run.messages_snapshot(history).await; // MESSAGES_SNAPSHOT
    Ok(())
}
