//! `/background_agents`: a task beside the conversation, which the page shows as an activity while it goes on.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pace::Pace;

/// A task in the background, in the form in which the showcase's page draws it.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[activity(type = "mastra-background-task")]
#[serde(rename_all = "camelCase")]
pub struct BackgroundTask {
    task_id: String,
    tool_name: String,
    status: TaskProgress,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Research>,
    outputs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Report>,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
#[serde(rename_all = "snake_case")]
enum TaskProgress {
    Started,
    Running,
    Completed,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Research {
    topic: String,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Report {
    topic: String,
    summary: String,
    sources: u32,
}

/// Researches in the background, and talks meanwhile.
#[agent(activities = [BackgroundTask])]
pub async fn background_agents(
    run: &mut Run<BackgroundAgents>,
    input: Input<BackgroundAgents>,
    pace: &Pace,
) -> Result<(), Stop> {
    let topic = topic(&input.user_text().unwrap_or_default());
    let mut task = run.activity(started(&format!("task-{}", input.run_id))).deltas().await?; // ACTIVITY_SNAPSHOT
    run.say(format!("I look into {topic} in the background.")).await;
    task.update(|task| {
        task.status = TaskProgress::Running;
        task.args = Some(Research { topic: topic.clone() });
    })
    .await?; // ACTIVITY_DELTA
    for (number, found) in ["an overview", "a discussion", "a paper"].into_iter().enumerate() {
        pace.pause(0.5).await;
        task.update(|task| task.outputs.push(format!("{}: {found} of {topic}", number + 1))).await?;
    }
    task.update(|task| {
        let sources = u32::try_from(task.outputs.len()).unwrap_or(u32::MAX);
        let summary = format!("All sources agree that {topic} is worth a closer look.");
        task.status = TaskProgress::Completed;
        task.result = Some(Report { topic: topic.clone(), summary, sources });
    })
    .await?;
    run.say("The research is done.").await;
    Ok(())
}

fn started(id: &str) -> BackgroundTask {
    BackgroundTask {
        task_id: id.to_owned(),
        tool_name: "run_deep_research".to_owned(),
        status: TaskProgress::Started,
        args: None,
        outputs: Vec::new(),
        result: None,
    }
}

/// The topic of sentences like "Research the Solana ecosystem for me."
fn topic(text: &str) -> String {
    let text = text.trim().trim_end_matches('.').trim_end_matches(" for me");
    text.split_once(' ').map_or(text, |(_, topic)| topic).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_topic_stands_behind_the_verb() {
        for (text, found) in [
            ("Research the Solana ecosystem for me.", "the Solana ecosystem"),
            ("Investigate best practices for retrieval.", "best practices for retrieval"),
            ("rice", "rice"),
        ] {
            assert_eq!(topic(text), found);
        }
    }
}
