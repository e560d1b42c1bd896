//! An agent that deletes files, and asks the user about each of them first.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Deletes a file for good.
#[tool]
async fn delete(path: String) -> String {
    format!("deleted {path}") // as far as this example goes
}

/// Asks before a file is deleted for good.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm_delete", message = "Delete it for good?", response = Approval)]
struct ConfirmDelete {
    path: String,
    backups: u32,
}

/// The answer of the user.
#[derive(Deserialize, JsonSchema)]
struct Approval {
    approved: bool,
    /// Another file to delete instead.
    #[serde(default)]
    instead: Option<String>,
}

/// Deletes the files you name, and asks about each of them first.
#[agent(tools = [delete], interrupts = [ConfirmDelete])]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<Vec<String>, Stop> {
    let mut deleted = Vec::new();
    for asked in input.resumed_all::<ConfirmDelete>()? {
        let Some(call) = &asked.tool_call_id else { continue };
        match asked.response {
            Some(Approval { approved: true, instead: Some(path) }) => {
                deleted.push(run.resume_call_with(&input, call, delete { path })?.run().await);
            }
            Some(Approval { approved: true, .. }) => {
                deleted.push(run.resume_call::<delete>(&input, call)?.run().await);
            }
            _ => run.resume_call::<delete>(&input, call)?.fail("the person said no").await,
        }
    }
    let mut questions = Vec::new();
    for path in input.user_text().unwrap_or_default().split_whitespace() {
        let call = run.call(delete { path: path.to_owned() }).await?; // TOOL_CALL_START … END
        questions.push(call.ask(ConfirmDelete { path: path.to_owned(), backups: 0 }));
    }
    match questions.into_iter().reduce(Stop::and) {
        Some(stop) => Err(stop), // RUN_FINISHED, with all the questions
        None => Ok(deleted),
    }
}

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    agui_runtime::serve(Keeper::new()).await
}
