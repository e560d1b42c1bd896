//! The tools that an agent leaves to its user interface. This program offers them, and its user answers their calls.

use std::time::Duration;

use agui_runtime::client::{HttpAgent, Upstream as _};
use agui_runtime::protocol::{FrontendTool, Tool};

use crate::fields::Form;

/// A conversation does not wait longer for the declaration.
const PATIENCE: Duration = Duration::from_secs(2);

/// The declared tools.
#[derive(Debug, Default)]
pub struct FrontendTools(Vec<FrontendTool>);

impl FrontendTools {
    /// Asks an agent for them. There are none if it declares none, and if it does not say: a server need not have
    /// capabilities.
    pub async fn of(agent: &HttpAgent) -> Self {
        match tokio::time::timeout(PATIENCE, agent.capabilities()).await {
            Ok(Ok(Some(declared))) => Self(declared.frontend_tools()),
            _ => Self::default(),
        }
    }

    /// The tools as runs offer them.
    pub fn offered(&self) -> impl Iterator<Item = Tool> + '_ {
        self.0.iter().map(|declared| declared.tool.clone())
    }

    /// The form of the results of a tool, if the agent declares it.
    pub fn form(&self, name: &str) -> Option<Form> {
        let declared = self.0.iter().find(|declared| declared.tool.name == name)?;
        declared.result.as_ref().map(Form::of)
    }
}
