//! The agent: the state that it shares with its clients, its tools, and a run of it.

use agui_runtime::model::Model;
use agui_runtime::prelude::*;
use agui_runtime::state::StateError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The list of tasks, shared with the page.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
pub struct Tasks {
    open: Vec<String>,
}

/// Adds a task to the list, and returns the list.
#[tool]
pub async fn add(tasks: &StateHandle<Tasks>, task: String) -> Result<String, StateError> {
    tasks.update(|tasks| tasks.open.push(task)).await?; // clients get the change
    tasks.read(|tasks| tasks.open.join(", "))
}

/// Removes a task from the list, and returns the list.
#[tool(approval)] // the user decides about each call before it runs
pub async fn remove(tasks: &StateHandle<Tasks>, task: String) -> Result<String, StateError> {
    tasks
        .update(|tasks| tasks.open.retain(|open| *open != task))
        .await?;
    tasks.read(|tasks| tasks.open.join(", "))
}

/// Keeps a list of tasks with you.
#[agent(state = Tasks, tools = [add, remove])]
pub async fn assistant(
    run: &mut Run<Assistant>,
    input: Input<Assistant>,
    model: &Model,
) -> Result<(), Stop> {
    run.state().adopt_or_snapshot(&input).await?;
    run.chat(model)
        .instructions("You keep the user's list of tasks. Be brief.")
        .await
}

#[cfg(test)]
mod tests {
    use agui_runtime::model::{Reply, ScriptedModel};
    use agui_runtime::testing::{self, RunEnd};

    use super::*;

    /// A run of the agent, with a model that gives these replies.
    async fn events(replies: [Reply; 2]) -> Vec<agui_runtime::protocol::Event> {
        let model = Model::from(ScriptedModel::new(replies));
        testing::run(Assistant::new(model), testing::input("What the user says")).await
    }

    #[tokio::test]
    async fn a_task_is_added() {
        let add = Reply::call(
            "add",
            add {
                task: "Buy rice".to_owned(),
            },
        );
        let events = events([add, Reply::text("It is on the list.")]).await;
        assert!(testing::lines(&events).contains("Buy rice"));
        assert_eq!(testing::texts(&events), ["It is on the list."]);
        assert!(matches!(testing::end(&events), RunEnd::Success { .. }));
    }

    #[tokio::test]
    async fn the_user_decides_about_a_removal() {
        let remove = Reply::call(
            "remove",
            remove {
                task: "Buy rice".to_owned(),
            },
        );
        let events = events([remove, Reply::text("The model waits for the user.")]).await;
        assert!(
            matches!(testing::end(&events), RunEnd::Interrupt([question]) if question.reason == "tool_call")
        );
        assert_eq!(testing::texts(&events), [""; 0]);
    }
}
