//! An agent that asks: questions of every kind of payload and response, beside tools of both sides.

use agui_runtime::manifest::{AgentSource, InterruptSource, ToolSide, ToolSource, TypeSource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Case;

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "look")]
#[allow(dead_code)]
struct LookArguments {}

/// What is about to be deleted.
#[derive(Serialize, Deserialize, JsonSchema)]
struct ConfirmDelete {
    path: String,
    entries: Vec<Entry>,
}

/// What was found at a path.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Entry {
    name: String,
    /// Without it, somewhere.
    #[serde(default)]
    tags: Vec<String>,
}

/// What the person says to it.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Approval {
    approved: bool,
    /// What to leave alone.
    #[serde(default)]
    but_not: Vec<Entry>,
}

/// Where the rest goes.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Destination {
    /// Anywhere.
    Any,
    OneOf {
        names: Vec<String>,
    },
}

pub(super) fn case() -> Case {
    let interrupt = |reason, message, description, payload, response| InterruptSource {
        reason,
        message,
        description,
        payload,
        response,
    };
    let agent = AgentSource {
        description: "Tidies up.",
        version: "0.1.0",
        rust_path: "keeper::Keeper",
        tools: vec![ToolSource {
            name: "look",
            description: "Lets the person look.",
            side: ToolSide::Frontend,
            arguments: TypeSource::of::<LookArguments>(),
            result: Some(TypeSource::of::<bool>()),
        }],
        interrupts: vec![
            interrupt(
                "confirm_delete",
                Some("Delete it for good?"),
                "Asks before something is deleted.",
                TypeSource::of::<ConfirmDelete>(),
                TypeSource::of::<Approval>(),
            ),
            interrupt(
                "acme.destination",
                None,
                "Asks where the rest goes.\n\nNo answer means nowhere.",
                TypeSource::of::<Destination>(),
                TypeSource::of::<Option<String>>(),
            ),
            interrupt(
                "input-required",
                None,
                "",
                TypeSource::of::<Vec<u8>>(),
                TypeSource::of::<Result<u8, String>>(),
            ),
        ],
        ..AgentSource::new("keeper")
    };
    Case { name: "keeper", agent, shapes: vec![] }
}
