//! Tool descriptions in MCP's form.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::Schema;
use serde_json::Value;

use agui_runtime_core::__leaf::check_plain_object;
use agui_runtime_core::manifest::{AgentSource, ToolSource};
use agui_runtime_core::protocol::ToolSide;

/// The approval of calls to tools with `approval`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum McpApproval {
    /// Such tools are not exported.
    Hidden,
    /// The client approves before the call.
    Client,
    /// The call asks the client's user.
    User,
}

impl McpApproval {
    /// True if calls to the tool ask the client's user.
    pub(super) fn asks(self, tool: &ToolSource) -> bool {
        self == Self::User && tool.approval
    }
}

/// Returns the tools that clients see.
pub(super) fn exported(source: &AgentSource, approval: McpApproval) -> impl Iterator<Item = &ToolSource> {
    let is_exported = move |tool: &&ToolSource| {
        tool.side == ToolSide::Backend && (approval != McpApproval::Hidden || !tool.approval)
    };
    source.tools.iter().filter(is_exported)
}

/// Returns the first exported tool whose arguments are no plain object.
pub(super) fn without_object(source: &AgentSource, approval: McpApproval) -> Option<&'static str> {
    let is_object = |tool: &ToolSource| check_plain_object(&tool.arguments.root_schema().to_value()).is_ok();
    exported(source, approval).find(|tool| !is_object(tool)).map(|tool| tool.name)
}

/// Describes a tool in JSON Schema 2020-12, without boolean schemas: some clients cannot read them, and would hide all tools.
pub(super) fn describe(source: &ToolSource) -> Tool {
    let mut tool = Tool::new(source.name, source.description, object(source.arguments.root_schema()));
    let given = &source.annotations;
    let title = given.title.as_deref().map(str::to_owned);
    tool.title.clone_from(&title);
    if !given.is_empty() {
        tool.annotations = Some(ToolAnnotations::from_raw(
            title,
            given.read_only_hint,
            given.destructive_hint,
            given.idempotent_hint,
            given.open_world_hint,
        ));
    }
    // Only the newest version of the protocol knows results that are no objects.
    let output = source.result.map(|result| object(result.written_schema()));
    tool.output_schema = output.filter(|schema| schema.get("type").and_then(Value::as_str) == Some("object"));
    tool
}

fn object(schema: Schema) -> Arc<JsonObject> {
    match schema.to_value() {
        Value::Object(members) => Arc::new(members),
        _ => Arc::default(),
    }
}
