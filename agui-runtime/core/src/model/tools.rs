//! An agent's tools, as its model reads them.

use std::any::TypeId;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};

use super::chat::{OutputTool, warn_taken};
use super::chat_model::Model;
use super::contract::{FrontendContract, differs};
use super::dynamic::DynTool;
use super::name::is_name;
use super::output_spec::OutputSpec;
use super::prompt::ToolSpec;
use super::schema::UnsupportedSchema;
use super::tool_search::{FIND_TOOLS, FoundTools, ToolCatalog};
use crate::agent::ToolSet;
use crate::agent::tool::{NoTool, is_reserved, private_tool_of};
use crate::manifest::TypeSource;
use crate::manifest::narrower::Narrower;
use crate::protocol::{RunAgentInput, Tool as ClientTool, ToolAnnotations, ToolSide};
use crate::quoted::quoted;

/// An agent's declared tools, built once: schemars takes longer than a turn.
#[derive(Debug)]
pub(super) struct DeclaredTools {
    pub(super) specs: Vec<ToolSpec>,
    arguments: Vec<TypeSource>,
    /// Argument schemas for frontend tools, with integer ranges.
    contracts: HashMap<&'static str, Value>,
}

impl DeclaredTools {
    pub(super) fn from_agent<A: ToolSet>() -> Arc<Self> {
        static KNOWN: OnceLock<Mutex<HashMap<TypeId, Arc<DeclaredTools>>>> = OnceLock::new();
        let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(TypeId::of::<A>()).or_insert_with(|| Arc::new(Self::describe::<A>())))
    }

    fn describe<A: ToolSet>() -> Self {
        // Clients do not learn of private tools, so the agent's description lacks them.
        let private = A::ENTRIES.iter().filter_map(|entry| entry.private.map(|tool| (tool.source)()));
        let mut tools = A::source().tools;
        tools.extend(private);
        let specs = tools.iter().map(ToolSpec::declared).collect();
        let of_client = tools.iter().filter(|tool| tool.side == ToolSide::Frontend);
        let contracts = of_client.map(|tool| (tool.name, tool.arguments.formatted_schema())).collect();
        Self { contracts, specs, arguments: tools.into_iter().map(|tool| tool.arguments).collect() }
    }

    /// True if the model may call the declared frontend tool.
    fn meets_contract(
        &self,
        tool: &str,
        offered: Option<&ClientTool>,
        contract: FrontendContract,
    ) -> Result<bool, ToolOfferError> {
        match (contract, offered) {
            (FrontendContract::Ignore, _) => Ok(true),
            (FrontendContract::Refuse, None) => Err(ToolOfferError::Missing(tool.to_owned())),
            (FrontendContract::Warn, None) => {
                tracing::warn!(tool, "the client does not offer this tool: the model does not see it");
                Ok(false)
            }
            (_, Some(offered)) => {
                let differs = self.contracts.get(tool).and_then(|declared| differs(declared, offered));
                match differs {
                    None => Ok(true),
                    Some(narrower) if contract == FrontendContract::Refuse => {
                        Err(ToolOfferError::Narrower { tool: tool.to_owned(), narrower })
                    }
                    Some(Narrower { path, reason }) => {
                        tracing::warn!(
                            tool,
                            path,
                            reason,
                            "the client's tool refuses arguments that the declared one allows"
                        );
                        Ok(true)
                    }
                }
            }
        }
    }

    /// Validates a declared tool's arguments.
    fn check(&self, tool: &str, arguments: &str) -> Result<(), String> {
        let at = self.specs.iter().position(|spec| spec.name == tool);
        at.and_then(|at| self.arguments.get(at)).map_or(Ok(()), |source| source.check_arguments(arguments))
    }
}

/// The client tools that a model may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClientToolAccess {
    /// Frontend tools that the agent declares, and tools that only the client declares.
    Open,
    /// Only frontend tools that the agent declares.
    Declared,
    /// None: a pending call waits for the agent, and meanwhile the client cannot settle calls.
    Absent,
}

/// A tool that a model may call.
#[derive(Clone, Debug)]
pub(super) enum OfferedTool<'w> {
    Backend,
    /// A backend tool whose calls are the model's alone.
    Private,
    Frontend,
    /// A dynamic tool, which exists only in this run.
    Dynamic(DynTool<'w>),
    /// The tool whose arguments are the chat's output.
    Output,
    /// The tool that finds tools.
    Search,
    /// A tool that only the client declares.
    OfClient(ClientTool),
}

/// The reason why a run cannot begin with its tools.
#[derive(Debug)]
pub(super) enum ToolOfferError {
    /// The client does not offer this frontend tool.
    Missing(String),
    /// The client cannot settle calls to this frontend tool, because a pending call waits for the agent.
    NoPage(String),
    /// The client's tool refuses arguments that the declared tool allows.
    Narrower { tool: String, narrower: Narrower },
    /// Another tool has this dynamic tool's name.
    Taken { tool: String, by: &'static str },
    /// The model's provider cannot express a tool's schema.
    Schema(UnsupportedSchema),
}

/// A run's tools: declared, dynamic, and client-only.
#[derive(Clone, Debug)]
pub(super) struct ToolOffer<'w> {
    declared: Arc<DeclaredTools>,
    pub(super) output: Option<Arc<OutputTool>>,
    /// The output, if the provider's own form asks for it.
    pub(super) native_output: Option<Arc<OutputSpec>>,
    pub(super) known: HashMap<String, OfferedTool<'w>>,
    pub(super) specs: Arc<[ToolSpec]>,
    /// The tools that the model can find, if the chat has a search.
    pub(super) catalog: Option<Arc<ToolCatalog>>,
    /// The tools that a provider may load later.
    pub(super) deferred: Arc<[ToolSpec]>,
}

impl<'w> ToolOffer<'w> {
    /// Leaves out all tools but one, which a client requested. A client cannot request a private tool.
    pub(super) fn keep_only(&mut self, tool: &str) {
        self.known.retain(|name, known| name == tool && !matches!(known, OfferedTool::Private));
        self.specs = self.specs.iter().filter(|spec| self.known.contains_key(&spec.name)).cloned().collect();
    }

    /// Returns the names of the tools that a turn may lack. The chat's output is always there.
    pub(super) fn names_for_turn(&self) -> impl Iterator<Item = &str> {
        let names = self.specs.iter().map(|spec| spec.name.as_str());
        names.filter(|name| !matches!(self.known.get(*name), Some(OfferedTool::Output)))
    }

    /// Returns the offer without some tools, except for the chat's output.
    pub(super) fn without(&self, hidden: &BTreeSet<String>) -> Self {
        let mut offer = self.clone();
        offer.known.retain(|name, tool| matches!(tool, OfferedTool::Output) || !hidden.contains(name));
        offer.specs =
            self.specs.iter().filter(|spec| offer.known.contains_key(&spec.name)).cloned().collect();
        offer
    }

    /// Compares the declared tools with the tools that the client offers.
    ///
    /// # Errors
    /// The first frontend tool that the client does not offer as declared, under a policy that refuses such runs; a dynamic tool
    /// whose name is taken; a tool whose schema the model's dialect cannot express.
    pub(super) fn from_input<A: ToolSet>(
        input: &RunAgentInput,
        contract: FrontendContract,
        page: ClientToolAccess,
        model: &Model,
        (output, takes_native): (Option<Arc<OutputTool>>, bool),
        (dynamic, is_later): (&[DynTool<'w>], bool),
    ) -> Result<Self, ToolOfferError> {
        let declared = DeclaredTools::from_agent::<A>();
        let mut known = HashMap::new();
        let mut specs = Vec::new();
        let offered = |name: &str| input.tools().iter().find(|tool| tool.name == name);
        let is_offered = |name: &str| offered(name).is_some();
        for spec in &declared.specs {
            if spec.side == ToolSide::Frontend && page == ClientToolAccess::Absent {
                if contract == FrontendContract::Refuse {
                    return Err(ToolOfferError::NoPage(spec.name.clone()));
                }
                tracing::warn!(
                    tool = spec.name,
                    "a call waits for this agent, so its model does not see the frontend tool"
                );
                continue;
            }
            if spec.side == ToolSide::Frontend
                && !declared.meets_contract(&spec.name, offered(&spec.name), contract)?
            {
                continue;
            }
            let is_private = private_tool_of::<A>(&spec.name).is_some();
            if spec.side == ToolSide::Backend && !is_private && is_offered(&spec.name) {
                // The client runs every call of a tool that it declares, so that the agent cannot send one of its own.
                tracing::warn!(
                    tool = spec.name,
                    "the client declares this tool of the agent: the model sees neither"
                );
                continue;
            }
            model.check_tool(spec).map_err(ToolOfferError::Schema)?;
            let offered = match spec.side {
                // Also beside a tool of the client with this name, which the model does not see.
                ToolSide::Backend if is_private => OfferedTool::Private,
                ToolSide::Backend => OfferedTool::Backend,
                ToolSide::Frontend => OfferedTool::Frontend,
            };
            known.insert(spec.name.clone(), offered);
            specs.push(spec.clone());
        }
        if let Some(output) = &output {
            known.insert(output.spec.name.clone(), OfferedTool::Output);
        }
        for tool in dynamic {
            let spec = &tool.spec;
            let by = if declared.specs.iter().any(|declared| declared.name == spec.name) {
                Some("a tool of the agent")
            } else if is_offered(&spec.name) {
                // The client runs every call of a tool that it declares.
                Some("a tool of the client")
            } else {
                known.contains_key(&spec.name).then_some("another tool of the chat")
            };
            if let Some(by) = by {
                // A list that changes does not end a run that has begun.
                if is_later {
                    warn_taken(&spec.name, by);
                    continue;
                }
                return Err(ToolOfferError::Taken { tool: spec.name.clone(), by });
            }
            match model.check_tool(spec) {
                Ok(()) => {}
                Err(why) if tool.is_foreign() || is_later => {
                    let name = quoted(&spec.name);
                    tracing::warn!(tool = %name, %why, "the provider cannot take the schema of a tool, which is left out");
                    continue;
                }
                Err(why) => return Err(ToolOfferError::Schema(why)),
            }
            known.insert(spec.name.clone(), OfferedTool::Dynamic(tool.clone()));
            specs.push(ToolSpec::clone(spec));
        }
        let is_declared = |name: &str| declared.specs.iter().any(|spec| spec.name == name);
        let more =
            input.tools().iter().filter(|tool| page == ClientToolAccess::Open && !is_declared(&tool.name));
        for tool in more {
            let spec = match usable(tool, model) {
                Ok(spec) => spec,
                Err(why) => {
                    let tool = quoted(&tool.name);
                    tracing::warn!(%tool, %why, "the client's tool cannot be shown to the model");
                    continue;
                }
            };
            if let Entry::Vacant(new) = known.entry(tool.name.clone()) {
                new.insert(OfferedTool::OfClient(tool.clone()));
                specs.push(spec);
            }
        }
        let mut offer = Self {
            declared,
            output,
            native_output: None,
            known,
            specs: specs.into(),
            catalog: None,
            deferred: Arc::default(),
        };
        offer.add_output(model, takes_native)?;
        Ok(offer)
    }

    pub(super) fn get(&self, tool: &str) -> Option<&OfferedTool<'w>> {
        self.known.get(tool)
    }

    /// Validates arguments for an agent tool or a dynamic tool.
    pub(super) fn check(&self, tool: &str, arguments: &str) -> Result<(), String> {
        match self.get(tool) {
            Some(OfferedTool::Dynamic(tool)) => tool.parse_arguments(arguments).map(drop),
            _ => self.declared.check(tool, arguments),
        }
    }

    /// Validates a private call: the turn must offer the tool.
    pub(super) fn check_private(&self, tool: &str, arguments: &str) -> Result<(), String> {
        match self.get(tool) {
            Some(OfferedTool::Private) => self.declared.check(tool, arguments),
            _ => Err(self.unknown(tool)),
        }
    }

    /// Validates the chat's output.
    pub(super) fn check_output(&self, arguments: &str) -> Result<(), String> {
        self.output.as_ref().map_or(Ok(()), |output| output.check(arguments))
    }

    /// Returns the tools that a search finds.
    pub(super) fn search(&self, arguments: &str) -> Result<FoundTools, String> {
        match &self.catalog {
            Some(catalog) => catalog.search(arguments),
            None => Err(self.unknown(FIND_TOOLS)),
        }
    }

    /// Returns the error for an unknown tool.
    pub(super) fn unknown(&self, tool: &str) -> String {
        if self.catalog.as_ref().is_some_and(|catalog| catalog.has(tool)) {
            return format!("the tool `{tool}` is not loaded: call `{FIND_TOOLS}` first");
        }
        NoTool::new(quoted(tool), self.specs.iter().map(|spec| &*spec.name)).to_string()
    }
}

/// Returns a client tool as the model reads it. A single invalid tool would make the provider refuse all tools.
fn usable(tool: &ClientTool, model: &Model) -> Result<ToolSpec, String> {
    if !is_name(&tool.name) {
        return Err(
            "a name has up to 64 letters, digits, `_` and `-`, and begins with a letter or `_`".to_owned()
        );
    }
    if is_reserved(&tool.name) {
        return Err("the name is reserved for the runtime's own tools".to_owned());
    }
    let spec = spec_of(tool);
    model.check_tool(&spec).map_err(|unsupported| unsupported.to_string())?;
    Ok(spec)
}

fn spec_of(tool: &ClientTool) -> ToolSpec {
    let parameters = tool.parameters.as_ref().map(|schema| serde_json::to_value(schema).unwrap_or_default());
    let parameters = parameters.filter(Value::is_object);
    ToolSpec {
        name: tool.name.clone(),
        description: tool.description.clone(),
        parameters: parameters.unwrap_or_else(|| json!({ "type": "object" })),
        side: ToolSide::Frontend,
        annotations: ToolAnnotations::NONE,
    }
}
