//! From agents to the manifest: two schemars passes over the same types.

use std::collections::BTreeMap;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::canonical::canonical_schema;
use super::collision::check_type_names;
use super::schema::references;
use super::{
    AgentDef, AgentSource, CrateDef, EventDef, FORMAT, HashDef, InterruptDef, InterruptSource, Manifest,
    ManifestError, ResultDef, SchemaPair, ToolDef, ToolSide, ToolSource, TypeSource, TypesDef, hash,
};

/// Which way a value travels, seen from the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Out,
    In,
}

impl Direction {
    /// A fresh generator: one contract, definitions where the manifest keeps them.
    pub(super) fn generator(self) -> SchemaGenerator {
        let settings = SchemaSettings::draft2020_12();
        let (mut settings, path) = match self {
            Self::Out => (settings.for_serialize(), "/types/out"),
            Self::In => (settings.for_deserialize(), "/types/in"),
        };
        settings.definitions_path = path.into();
        settings.into_generator()
    }
}

/// A type an agent names, and where: what an error message calls it.
pub(super) struct Root {
    pub(super) place: String,
    pub(super) source: TypeSource,
}

impl Manifest {
    /// Describes `agents`, in any order, as the package `crate_name` of version `crate_version` offers them.
    ///
    /// # Errors
    ///
    /// [`ManifestError::NoAgents`] when there are none; [`ManifestError::DuplicateAgent`],
    /// [`DuplicateTool`](ManifestError::DuplicateTool), [`DuplicateEvent`](ManifestError::DuplicateEvent) and
    /// [`DuplicateInterrupt`](ManifestError::DuplicateInterrupt) when a name is taken twice; [`ManifestError::TypeNameCollision`] when two Rust types share a schema name.
    pub fn build(
        crate_name: &str,
        crate_version: &str,
        agents: &[AgentSource],
    ) -> Result<Self, ManifestError> {
        let mut agents: Vec<&AgentSource> = agents.iter().collect();
        agents.sort_by(|a, b| (a.name, a.rust_path).cmp(&(b.name, b.rust_path)));
        check_agent_names(crate_name, &agents)?;

        let roots: Vec<Root> = agents.iter().flat_map(|agent| roots(agent)).collect();
        check_type_names(Direction::Out, &roots)?;
        check_type_names(Direction::In, &roots)?;

        let mut pass = Pass { out: Direction::Out.generator(), input: Direction::In.generator() };
        let agents: Vec<AgentDef> = agents.into_iter().map(|agent| pass.agent(agent)).collect();
        let types = pass.into_types(&agents);
        let mut manifest = Self {
            agui_manifest: FORMAT,
            generator: concat!("agui-runtime ", env!("CARGO_PKG_VERSION")).into(),
            krate: CrateDef { name: crate_name.into(), version: crate_version.into() },
            agents,
            types,
            hash: HashDef { wire: String::new(), full: String::new() },
        };
        manifest.hash = hash::hash(&manifest);
        Ok(manifest)
    }
}

/// The two generators, and what they are asked for.
struct Pass {
    out: SchemaGenerator,
    input: SchemaGenerator,
}

impl Pass {
    fn agent(&mut self, agent: &AgentSource) -> AgentDef {
        AgentDef {
            name: agent.name.into(),
            description: agent.description.into(),
            version: agent.version.into(),
            rust: agent.rust_path.into(),
            state: agent.state.as_ref().map(|state| self.pair(state)),
            tools: agent.tools.iter().map(|tool| self.tool(tool)).collect(),
            events: agent
                .events
                .iter()
                .map(|event| EventDef {
                    name: event.name.into(),
                    description: event.description.into(),
                    value: self.out(&event.value),
                })
                .collect(),
            interrupts: agent.interrupts.iter().map(|interrupt| self.interrupt(interrupt)).collect(),
        }
    }

    fn interrupt(&mut self, interrupt: &InterruptSource) -> InterruptDef {
        InterruptDef {
            reason: interrupt.reason.into(),
            message: interrupt.message.map(Into::into),
            description: interrupt.description.into(),
            payload: self.out(&interrupt.payload),
            response: self.input(&interrupt.response),
        }
    }

    fn tool(&mut self, tool: &ToolSource) -> ToolDef {
        ToolDef {
            name: tool.name.into(),
            side: tool.side,
            description: tool.description.into(),
            params: self.pair(&tool.arguments),
            result: tool.result.as_ref().map(|result| match tool.side {
                ToolSide::Backend => ResultDef::Out(self.out(result)),
                ToolSide::Frontend => ResultDef::In(self.input(result)),
            }),
        }
    }

    fn pair(&mut self, source: &TypeSource) -> SchemaPair {
        SchemaPair { out: self.out(source), input: self.input(source) }
    }

    fn out(&mut self, source: &TypeSource) -> Value {
        canonical_schema(source.schema(&mut self.out).to_value())
    }

    fn input(&mut self, source: &TypeSource) -> Value {
        canonical_schema(source.schema(&mut self.input).to_value())
    }

    /// The definitions, sorted. Each generator was asked only for what travels its way, but a type that is inlined
    /// can leave a definition behind that nothing refers to.
    fn into_types(mut self, agents: &[AgentDef]) -> TypesDef {
        let (mut out, mut input) = (Vec::new(), Vec::new());
        for agent in agents {
            if let Some(state) = &agent.state {
                out.push(&state.out);
                input.push(&state.input);
            }
            for tool in &agent.tools {
                out.push(&tool.params.out);
                input.push(&tool.params.input);
                match &tool.result {
                    Some(ResultDef::Out(schema)) => out.push(schema),
                    Some(ResultDef::In(schema)) => input.push(schema),
                    None => {}
                }
            }
            out.extend(agent.events.iter().map(|event| &event.value));
            out.extend(agent.interrupts.iter().map(|interrupt| &interrupt.payload));
            input.extend(agent.interrupts.iter().map(|interrupt| &interrupt.response));
        }
        TypesDef {
            out: reachable(&self.out.take_definitions(true), &out),
            input: reachable(&self.input.take_definitions(true), &input),
        }
    }
}

fn reachable(definitions: &Map<String, Value>, roots: &[&Value]) -> Map<String, Value> {
    let mut kept: BTreeMap<String, Value> = BTreeMap::new();
    let mut due: Vec<String> = roots.iter().flat_map(|root| references(root)).map(|(name, _)| name).collect();
    while let Some(name) = due.pop() {
        if let (false, Some(schema)) = (kept.contains_key(&name), definitions.get(&name)) {
            due.extend(references(schema).into_iter().map(|(name, _)| name));
            kept.insert(name, canonical_schema(schema.clone()));
        }
    }
    kept.into_iter().collect()
}

fn roots(agent: &AgentSource) -> Vec<Root> {
    let place = |what: &str, name: &str| match name {
        "" => format!("the {what} of agent `{}`", agent.name),
        name => format!("the {what} of `{name}` in agent `{}`", agent.name),
    };
    let mut roots = Vec::new();
    if let Some(source) = agent.state {
        roots.push(Root { place: place("state", ""), source });
    }
    for tool in &agent.tools {
        roots.push(Root { place: place("arguments", tool.name), source: tool.arguments });
        if let Some(source) = tool.result {
            roots.push(Root { place: place("result", tool.name), source });
        }
    }
    for event in &agent.events {
        roots.push(Root { place: place("value", event.name), source: event.value });
    }
    for interrupt in &agent.interrupts {
        roots.push(Root { place: place("payload", interrupt.reason), source: interrupt.payload });
        roots.push(Root { place: place("response", interrupt.reason), source: interrupt.response });
    }
    roots
}

fn check_agent_names(crate_name: &str, sorted: &[&AgentSource]) -> Result<(), ManifestError> {
    if sorted.is_empty() {
        return Err(ManifestError::NoAgents { krate: crate_name.into() });
    }
    if let Some((first, second)) = neighbours(sorted, |a, b| a.name == b.name) {
        return Err(ManifestError::DuplicateAgent {
            name: first.name.into(),
            first: first.rust_path.into(),
            second: second.rust_path.into(),
        });
    }
    for agent in sorted {
        if let Some(name) = first_twice(agent.tools.iter().map(|tool| tool.name)) {
            return Err(ManifestError::DuplicateTool { agent: agent.name.into(), name: name.into() });
        }
        if let Some(name) = first_twice(agent.events.iter().map(|event| event.name)) {
            return Err(ManifestError::DuplicateEvent { agent: agent.name.into(), name: name.into() });
        }
        if let Some(reason) = first_twice(agent.interrupts.iter().map(|interrupt| interrupt.reason)) {
            return Err(ManifestError::DuplicateInterrupt {
                agent: agent.name.into(),
                reason: reason.into(),
            });
        }
    }
    Ok(())
}

fn neighbours<'a, T>(sorted: &'a [&'a T], same: impl Fn(&T, &T) -> bool) -> Option<(&'a T, &'a T)> {
    sorted.iter().zip(sorted.iter().skip(1)).find(|(a, b)| same(a, b)).map(|(a, b)| (*a, *b))
}

fn first_twice<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.iter().zip(names.iter().skip(1)).find(|(a, b)| a == b).map(|(name, _)| *name)
}
