//! The tools of an agent as its model reads them.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::json;

use super::prompt::ToolSpec;
use crate::agent::Agent;
use crate::manifest::TypeSource;
use crate::protocol::{RunAgentInput, Tool as ClientTool, ToolSide};

/// The declared tools of an agent, made once: schemars takes longer than a turn of the loop.
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) specs: Vec<ToolSpec>,
    arguments: Vec<TypeSource>,
}

impl Declared {
    pub(super) fn of<A: Agent>() -> Arc<Self> {
        static KNOWN: OnceLock<Mutex<HashMap<TypeId, Arc<Declared>>>> = OnceLock::new();
        let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(TypeId::of::<A>()).or_insert_with(|| Arc::new(Self::describe::<A>())))
    }

    fn describe<A: Agent>() -> Self {
        let tools = A::source().tools;
        let specs = tools.iter().map(ToolSpec::declared).collect();
        Self { specs, arguments: tools.into_iter().map(|tool| tool.arguments).collect() }
    }

    /// Checks the arguments of a declared tool.
    pub(super) fn check(&self, tool: &str, arguments: &str) -> Result<(), String> {
        let at = self.specs.iter().position(|spec| spec.name == tool);
        at.and_then(|at| self.arguments.get(at)).map_or(Ok(()), |source| source.check_arguments(arguments))
    }
}

/// The answer to a declared frontend tool that the client does not offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingTools {
    /// The model does not see the tool, and the log has a warning. The default.
    #[default]
    LeaveOut,
    /// The model may call it all the same: for clients that do not send the tools that they have.
    Call,
    /// The run ends in RUN_ERROR with the code `tool_not_offered`.
    Refuse,
}

/// A tool that a model may call.
#[derive(Clone, Debug)]
pub(super) enum Known {
    Backend,
    Frontend,
    /// A tool that only the client declares.
    OfClient(ClientTool),
}

/// The tools of one run: the declared ones, and those that only the client offers.
#[derive(Debug)]
pub(super) struct Offer {
    pub(super) declared: Arc<Declared>,
    known: HashMap<String, Known>,
    pub(super) specs: Arc<[ToolSpec]>,
}

impl Offer {
    /// Compares the declared tools with those that the client offers.
    ///
    /// # Errors
    /// The name of the first frontend tool that the client does not offer, if such a run is refused.
    pub(super) fn of<A: Agent>(
        input: &RunAgentInput,
        missing: MissingTools,
        with_client_tools: bool,
    ) -> Result<Self, String> {
        let declared = Declared::of::<A>();
        let mut known = HashMap::new();
        let mut specs = Vec::new();
        let is_offered = |name: &str| input.tools().iter().any(|tool| tool.name == name);
        for spec in &declared.specs {
            if spec.side == ToolSide::Frontend && missing != MissingTools::Call && !is_offered(&spec.name) {
                if missing == MissingTools::Refuse {
                    return Err(spec.name.clone());
                }
                tracing::warn!(
                    tool = spec.name,
                    "the client does not offer this tool: the model does not see it"
                );
                continue;
            }
            let side = if spec.side == ToolSide::Backend { Known::Backend } else { Known::Frontend };
            known.insert(spec.name.clone(), side);
            specs.push(spec.clone());
        }
        let is_declared = |name: &str| declared.specs.iter().any(|spec| spec.name == name);
        let more = input.tools().iter().filter(|tool| with_client_tools && !is_declared(&tool.name));
        for tool in more {
            if known.insert(tool.name.clone(), Known::OfClient(tool.clone())).is_none() {
                specs.push(spec_of(tool));
            }
        }
        Ok(Self { declared, known, specs: specs.into() })
    }

    pub(super) fn get(&self, tool: &str) -> Option<&Known> {
        self.known.get(tool)
    }

    /// Returns the error for a tool that does not exist.
    pub(super) fn unknown(&self, tool: &str) -> String {
        let names: Vec<_> = self.specs.iter().map(|spec| format!("`{}`", spec.name)).collect();
        let tool = crate::quoted::quoted(tool);
        match names.is_empty() {
            true => format!("there is no tool `{tool}`; there is none"),
            false => format!("there is no tool `{tool}`; there is: {}", names.join(", ")),
        }
    }
}

fn spec_of(tool: &ClientTool) -> ToolSpec {
    let parameters = tool.parameters.as_ref().map(|schema| serde_json::to_value(schema).unwrap_or_default());
    let parameters = parameters.filter(serde_json::Value::is_object);
    ToolSpec {
        name: tool.name.clone(),
        description: tool.description.clone(),
        parameters: parameters.unwrap_or_else(|| json!({ "type": "object" })),
        side: ToolSide::Frontend,
    }
}
