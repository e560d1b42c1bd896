//! The answers without a model: two rules, so that the project runs without a key.

use agui_runtime::model::{Prompt, PromptMessage, Reply, ScriptedModel};
use agui_runtime::protocol::Content;

use crate::agent::{add, remove};

/// Returns a model that adds what the user says to the list, and understands `remove …`.
pub fn model() -> ScriptedModel {
    ScriptedModel::from_fn(reply).pieces(12)
}

fn reply(prompt: &Prompt) -> Reply {
    if let [answer, ..] = prompt.last_answers() {
        return Reply::text(match answer.content.text().as_str() {
            "0" => "The list is empty.".to_owned(),
            count if !answer.failed => format!("Tasks on your list: {count}."),
            _ => "Then I leave the list as it is.".to_owned(),
        });
    }
    let wish = match prompt.messages.last() {
        Some(PromptMessage::User(parts)) => Content::Parts(parts.clone()).text(),
        _ => return Reply::text("Name a task."),
    };
    match wish.strip_prefix("remove ") {
        Some(task) => Reply::call(
            "remove",
            remove {
                task: task.to_owned(),
            },
        ),
        None => Reply::call("add", add { task: wish }),
    }
}
