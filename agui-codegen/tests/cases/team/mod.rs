//! An agent whose model calls other agents, which ask: a tool with approval, a question of their own, and one that the agent
//! asks too. One of them calls the first again. Clients address only the first, so no other agent has files.

use agui_runtime::manifest::hook::entry_agents;
use agui_runtime::manifest::{AgentSource, InterruptSource, ToolSource, TypeSource};
use agui_runtime::protocol::{ToolAnnotations, ToolSide};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Case;

/// The task, as the runtime describes it.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SubagentTask", description = "")]
struct Task {
    /// The task, with everything that the agent must know: it does not see this conversation.
    task: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "publish", description = "")]
struct PublishArguments {
    text: String,
}

/// The sources that a researcher found.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Findings {
    sources: Vec<String>,
}

/// Asks for a colour.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Colour {
    of: String,
}

/// Asks whether that is all.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Enough {}

fn tool(name: &'static str, arguments: TypeSource, result: TypeSource, approval: bool) -> ToolSource {
    ToolSource {
        name,
        description: "Does a part.",
        side: ToolSide::Backend,
        approval,
        annotations: ToolAnnotations::NONE,
        arguments,
        result: Some(result),
    }
}

fn asks(reason: &'static str, payload: TypeSource, response: TypeSource) -> InterruptSource {
    InterruptSource { reason, message: None, description: "Asks.", payload, response }
}

fn enough() -> InterruptSource {
    asks("enough", TypeSource::of::<Enough>(), TypeSource::of::<bool>())
}

fn researcher() -> AgentSource {
    AgentSource {
        rust_path: "team::Researcher",
        tools: vec![tool("publish", TypeSource::of::<PublishArguments>(), TypeSource::of::<u32>(), true)],
        interrupts: vec![enough()],
        subagents: vec![painter],
        ..AgentSource::new("researcher")
    }
}

fn painter() -> AgentSource {
    AgentSource {
        rust_path: "team::Painter",
        interrupts: vec![asks("colour", TypeSource::of::<Colour>(), TypeSource::of::<String>())],
        subagents: vec![researcher, team],
        ..AgentSource::new("painter")
    }
}

fn team() -> AgentSource {
    AgentSource {
        description: "Writes articles.",
        version: "0.1.0",
        rust_path: "team::Team",
        tools: vec![tool("researcher", TypeSource::of::<Task>(), TypeSource::of::<Findings>(), false)],
        interrupts: vec![enough()],
        subagents: vec![researcher],
        served: true,
        ..AgentSource::new("team")
    }
}

pub(super) fn case() -> Case {
    let [agent] = entry_agents(vec![painter(), researcher(), team()]).try_into().unwrap();
    Case { name: "team", agent, shapes: vec![] }
}
