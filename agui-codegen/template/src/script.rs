//! The answers without a model: two rules, so that the project runs without a key.

use agui_runtime::model::{Prompt, PromptMessage, Reply, ScriptedModel};
use agui_runtime::protocol::Content;

use crate::agent::{add, remove};

/// Returns a model that adds what the user says to the list, and understands `remove …`.
pub fn model() -> ScriptedModel {
    ScriptedModel::from_fn(reply).pieces(12)
}

fn reply(prompt: &Prompt) -> Reply {
    if let [answer, ..] = prompt.last_results() {
        return Reply::text(match answer.content.text().as_ref() {
            _ if answer.failed => "The list stays as it is.".to_owned(),
            "" => "Your list is empty.".to_owned(),
            list => format!("On your list: {list}."),
        });
    }
    let wish = match prompt.messages.last() {
        Some(PromptMessage::User(parts)) => Content::Parts(parts.clone()).text().into_owned(),
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
