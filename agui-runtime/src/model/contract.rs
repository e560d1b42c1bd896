//! The frontend tools that an agent declares, beside those that the client offers.

use serde_json::Value;

use crate::manifest::narrower::{Narrower, narrower};
use crate::protocol::Tool as ClientTool;

/// The treatment of a client that does not offer a frontend tool as the agent declares it, set with
/// [`Chat::frontend_contract`](super::Chat::frontend_contract), whose example names it.
///
/// `#[tool(frontend)]` declares a contract: the name and the schema of the arguments. The client's list of tools decides
/// which of them there are in a run. A tool is *missing* if the list does not have it, and *narrower* if its schema refuses
/// arguments that the contract allows: it requires another member, or has a smaller range. `format`, `not`, `if` and the
/// like are not compared.
///
/// | policy | a missing tool | a narrower tool |
/// |---|---|---|
/// | `Ignore` | the model may call it | the model may call it |
/// | `Warn` | the model does not see it, and the log has a warning | the model may call it, and the log has the place |
/// | `Refuse` | RUN_ERROR with the code `tool_not_offered` | RUN_ERROR with the code `tool_narrower` |
///
/// While a call waits for an agent, the client cannot answer it. An agent with frontend tools is therefore no tool of
/// another, and does not compile as one. It may still take over from an agent that a call waits for: then its model does
/// not see its frontend tools under any policy, and `Refuse` fails that call with the code `tool_not_offered`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrontendContract {
    /// For clients that do not send the tools that they have.
    Ignore,
    /// The default.
    #[default]
    Warn,
    /// For agents that cannot work without their frontend tools.
    Refuse,
}

/// Returns the first place at which the client's tool refuses arguments of the contract. A tool without a schema takes all.
pub(super) fn differs(declared: &Value, offered: &ClientTool) -> Option<Narrower> {
    let schema = serde_json::to_value(offered.parameters.as_ref()?).ok()?;
    narrower(declared, &schema)
}
