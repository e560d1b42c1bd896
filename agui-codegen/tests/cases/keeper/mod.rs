//! An agent with interrupts of every kind of payload and response, and tools of both sides.

use agui_runtime::manifest::{AgentSource, InterruptSource, ToolSource, TypeSource};
use agui_runtime::protocol::ToolSide;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Case;

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "look")]
#[allow(dead_code)]
struct LookArguments {}

/// The file to be deleted.
#[derive(Serialize, Deserialize, JsonSchema)]
struct ConfirmDelete {
    path: String,
    entries: Vec<Entry>,
}

/// An entry at a path.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Entry {
    name: String,
    /// Without it, anywhere.
    #[serde(default)]
    tags: Vec<String>,
}

/// The response of the user.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Approval {
    approved: bool,
    /// The entries to keep.
    #[serde(default)]
    but_not: Vec<Entry>,
}

/// The place of the rest.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Destination {
    /// Anywhere.
    Any,
    OneOf {
        names: Vec<String>,
    },
}

/// The place that the user looks at.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Looking {
    at: Entry,
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
            approval: false,
            annotations: agui_runtime::protocol::ToolAnnotations::NONE,
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
        forwarded: Some(TypeSource::of::<Looking>()),
        ..AgentSource::new("keeper")
    };
    Case { name: "keeper", agent, shapes: vec![] }
}
