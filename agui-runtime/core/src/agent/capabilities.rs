//! Capabilities that an agent declares, from its source.

use crate::manifest::{AgentSource, ToolSource, asks};
use crate::protocol::{
    AgentCapabilities, FrontendTool, HumanInTheLoopCapabilities, IdentityCapabilities, NonNull,
    StateCapabilities, Tool, ToolSide, ToolsCapabilities, TransportCapabilities,
};

/// Derives an agent's capabilities (AG-UI 1.0, section "`AgentCapabilities`") from its source, so they are always up to date.
///
/// Only known facts are declared: an absent field means unknown, not unsupported. The server serves them; call this function if
/// you serve agents without the server.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Cooks with you.
/// #[agent]
/// async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
///     Ok(())
/// }
///
/// let declared = agui_runtime::capabilities(&Chef::source());
/// assert_eq!(declared.identity.and_then(|identity| identity.name).as_deref(), Some("chef"));
/// ```
#[must_use]
pub fn capabilities(source: &AgentSource) -> AgentCapabilities {
    let mut identity = IdentityCapabilities::new();
    identity.name = Some(source.name.to_owned());
    identity.version = Some(source.version.to_owned());
    identity.description = (!source.description.is_empty()).then(|| source.description.to_owned());

    let mut transport = TransportCapabilities::new();
    transport.streaming = Some(true);

    let mut tools = ToolsCapabilities::new();
    tools.supported = Some(!source.tools.is_empty());
    tools.client_provided = Some(source.tools.iter().any(|tool| tool.side == ToolSide::Frontend));
    let own = source.tools.iter().filter(|tool| tool.side == ToolSide::Backend);
    tools.items = Some(own.map(described).collect());

    let mut state = StateCapabilities::new();
    state.snapshots = Some(source.state.is_some());
    state.deltas = Some(source.state.is_some());

    let mut capabilities = AgentCapabilities::new();
    capabilities.identity = Some(identity);
    capabilities.transport = Some(transport);
    capabilities.tools = Some(tools);
    capabilities.state = Some(state);
    if asks(source) {
        let mut people = HumanInTheLoopCapabilities::new();
        people.supported = Some(true);
        people.interrupts = Some(true);
        capabilities.human_in_the_loop = Some(people);
    }
    let of_page = source.tools.iter().filter(|tool| tool.side == ToolSide::Frontend);
    capabilities.with_frontend_tools(of_page.map(|tool| {
        FrontendTool::new(described(tool), tool.result.map(|result| result.root_schema().to_value()))
    }))
}

fn described(tool: &ToolSource) -> Tool {
    let mut described = Tool::new(tool.name, tool.description);
    described.parameters = NonNull::new(tool.arguments.root_schema().to_value());
    described.metadata = tool.annotations.to_metadata();
    described
}
