//! The wishes of the user, as the scripts in place of models read them.

use agui_runtime::model::{Prompt, PromptMessage};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Content;

use crate::demo::agentic_chat::change_background;

/// The last message of the user.
pub fn last_message(prompt: &Prompt) -> Content {
    let messages = prompt.messages.iter().rev().find_map(|message| match message {
        PromptMessage::User(parts) => Some(parts.clone()),
        _ => None,
    });
    Content::Parts(messages.unwrap_or_default())
}

/// True if the user wants another background, and the page can change it.
pub fn asks_for_background(prompt: &Prompt, asked: &str) -> bool {
    let is_offered = prompt.tools.iter().any(|tool| tool.name == change_background::NAME);
    is_offered && asked.contains("background")
}
