//! An agent's capabilities (AG-UI 1.0, section "`AgentCapabilities`"), as the agent's server returns the
//! capabilities.

use agui_runtime::manifest::without_number_formats;
use agui_runtime::protocol::{
    AgentCapabilities, FrontendTool, HumanInTheLoopCapabilities, IdentityCapabilities, NonNull,
    StateCapabilities, Tool, ToolsCapabilities, TransportCapabilities,
};
use serde_json::Value;

use super::definitions;
use super::document::SchemaDocument;
use crate::ir::{AgentDecl, ToolDecl};

pub(super) fn capabilities(agent: &AgentDecl) -> Value {
    let mut identity = IdentityCapabilities::new();
    identity.name = Some(agent.name.clone());
    identity.version = Some(agent.version.clone());
    identity.description = (!agent.description.is_empty()).then(|| agent.description.clone());

    let mut transport = TransportCapabilities::new();
    transport.streaming = Some(true);

    let items = agent.tools.iter().filter(|tool| !tool.frontend).map(described);
    let of_page = agent.tools.iter().filter(|tool| tool.frontend).map(|tool| {
        let result = tool.result.as_ref();
        let result = result.map(|slot| {
            served(SchemaDocument::new(&slot.schema, definitions(agent, slot.direction)).value())
        });
        FrontendTool::new(described(tool), result)
    });
    let mut tools = ToolsCapabilities::new();
    tools.supported = Some(!agent.tools.is_empty());
    tools.client_provided = Some(agent.tools.iter().any(|tool| tool.frontend));
    tools.items = Some(items.collect());

    let mut state = StateCapabilities::new();
    state.snapshots = Some(agent.state.is_some());
    state.deltas = Some(agent.state.is_some());

    let mut capabilities = AgentCapabilities::new().with_frontend_tools(of_page);
    capabilities.identity = Some(identity);
    capabilities.transport = Some(transport);
    capabilities.tools = Some(tools);
    capabilities.state = Some(state);
    if !agent.interrupts.is_empty() {
        let mut people = HumanInTheLoopCapabilities::new();
        people.supported = Some(true);
        people.interrupts = Some(true);
        capabilities.human_in_the_loop = Some(people);
    }
    // Serializing plain data never fails.
    serde_json::to_value(capabilities).unwrap_or_default()
}

fn described(tool: &ToolDecl) -> Tool {
    let mut described = Tool::new(tool.name.as_str(), tool.description.as_str());
    described.parameters = NonNull::new(served(tool.accepts.clone()));
    described.metadata = tool.annotations.to_metadata();
    described
}

/// Returns a schema in the form that a server sends.
fn served(mut schema: Value) -> Value {
    without_number_formats(&mut schema);
    schema
}
