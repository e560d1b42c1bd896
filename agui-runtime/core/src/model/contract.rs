//! Frontend tools that an agent declares, compared with the client's tools.

use serde_json::Value;

use crate::manifest::narrower::{Narrower, narrower};
use crate::protocol::Tool as ClientTool;

/// The treatment when a client does not offer a frontend tool as the agent declares it, set with
/// [`Chat::frontend_contract`](super::Chat::frontend_contract), whose example names a policy.
///
/// `#[tool(frontend)]` declares a contract: tool name and argument schema. The client's tool list decides which tools a run has. A
/// tool is *missing* if the list lacks the name, and *narrower* if the client's schema refuses arguments that the contract allows:
/// a further required member, for example, or a smaller range. `format`, `not`, `if` and the like are not compared.
///
/// | policy | missing tool | narrower tool |
/// |---|---|---|
/// | `Ignore` | the model may call it | the model may call it |
/// | `Warn` | the model does not see it, and the log has a warning | the model may call it, and the log has the path |
/// | `Refuse` | RUN_ERROR with the code `tool_not_offered` | RUN_ERROR with the code `tool_narrower` |
///
/// While a pending call waits for an agent, the client cannot settle that agent's calls. An agent with frontend tools therefore
/// cannot be a tool for another agent: that does not compile. A handoff to such an agent while a call waits is still possible: the
/// agent's model then sees no frontend tools under any policy, and `Refuse` fails the waiting call with the code
/// `tool_not_offered`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrontendContract {
    /// For clients that do not send their tools.
    Ignore,
    /// The default.
    #[default]
    Warn,
    /// For agents that cannot work without their frontend tools.
    Refuse,
}

/// Returns the first path at which the client's tool refuses arguments that the contract allows. A tool without a schema accepts
/// all.
pub(super) fn differs(declared: &Value, offered: &ClientTool) -> Option<Narrower> {
    let schema = serde_json::to_value(offered.parameters.as_ref()?).ok()?;
    narrower(declared, &schema)
}
