//! Builds a manifest from agents: schemars runs over the same types twice, once per direction.

use std::collections::BTreeMap;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::canonical::canonical_schema;
use super::identity::{keys, type_names};
use super::object_schemas::without_boolean_schemas;
use super::rekey::{last_part, rekey_agent, rekeyed};
use super::schema::references;
use super::{
    ActivityDef, AgentDef, AgentSource, CrateDef, EventDef, FORMAT, HashDef, InterruptDef, InterruptSource,
    Manifest, ManifestError, ResultDef, SchemaPair, ToolDef, ToolSource, TypeSource, TypesDef, approval,
    catalog, hash, subagents, unwritable_default,
};
use crate::protocol::{ToolSide, object};

/// A value's direction, seen from the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Out,
    In,
}

impl Direction {
    /// Creates a generator for this direction, with definitions under the manifest's path.
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

/// A type that an agent names, and the location for error messages.
pub(super) struct Root {
    pub(super) place: String,
    pub(super) source: TypeSource,
}

impl Manifest {
    /// Describes `agents`, in any order, as agents of the package `crate_name`, version `crate_version`.
    ///
    /// # Errors
    ///
    /// [`ManifestError::NoAgents`] without agents; [`ManifestError::DuplicateAgent`],
    /// [`DuplicateTool`](ManifestError::DuplicateTool), [`DuplicateEvent`](ManifestError::DuplicateEvent),
    /// [`DuplicateInterrupt`](ManifestError::DuplicateInterrupt) and [`DuplicateActivity`](ManifestError::DuplicateActivity) for a
    /// name that is used twice; [`ManifestError::TypeNameCollision`] if two Rust types share a name and a module, so that schemars
    /// takes them for one; [`ManifestError::ContradictingCatalogs`] and [`ManifestError::RecursiveCatalogType`] for a catalog that
    /// no page can know by its id, or describe.
    ///
    /// ```
    /// use agui_runtime::manifest::{AgentSource, Manifest};
    ///
    /// let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
    /// assert_eq!(manifest.agents[0].name, "chef");
    /// # Ok::<(), agui_runtime::manifest::ManifestError>(())
    /// ```
    pub fn build(
        crate_name: &str,
        crate_version: &str,
        agents: &[AgentSource],
    ) -> Result<Self, ManifestError> {
        let mut agents: Vec<&AgentSource> = agents.iter().collect();
        agents.sort_by_key(|agent| (agent.name, agent.rust_path));
        check_agent_names(crate_name, &agents)?;

        let roots: Vec<Root> = agents.iter().flat_map(|agent| roots(agent)).collect();
        let mut names = type_names(Direction::Out, &roots)?;
        names.extend(type_names(Direction::In, &roots)?);

        let mut pass = Pass { out: Direction::Out.generator(), input: Direction::In.generator() };
        let mut agents =
            agents.into_iter().map(|agent| pass.agent(agent)).collect::<Result<Vec<AgentDef>, _>>()?;
        catalog::contradiction(&agents)?;
        let mut types = pass.into_types(&mut agents, names);
        unwritable_default::remove_from_manifest(&mut agents, &mut types);
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

/// One build's schema generators.
struct Pass {
    out: SchemaGenerator,
    input: SchemaGenerator,
}

impl Pass {
    fn agent(&mut self, agent: &AgentSource) -> Result<AgentDef, ManifestError> {
        Ok(AgentDef {
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
            interrupts: self.interrupts(agent),
            activities: agent
                .activities
                .iter()
                .map(|activity| ActivityDef {
                    activity_type: activity.activity_type.into(),
                    description: activity.description.into(),
                    content: self.out(&activity.content),
                })
                .collect(),
            output: agent.output.as_ref().map(|output| self.out(output)),
            forwarded: agent.forwarded.as_ref().map(|props| self.input(props)),
            catalogs: catalog::catalogs(agent)?,
        })
    }

    fn interrupts(&mut self, agent: &AgentSource) -> Vec<InterruptDef> {
        let mut interrupts: Vec<_> =
            subagents::interrupts(agent).iter().map(|interrupt| self.interrupt(interrupt)).collect();
        let asking: Vec<_> = subagents::asking(agent)
            .into_iter()
            .map(|tool| (tool.name, self.out(&tool.arguments), self.input(&tool.arguments)))
            .collect();
        if !asking.is_empty() {
            let mut asked = approval::interrupt(asking);
            asked.payload = normal(asked.payload);
            asked.response = normal(asked.response);
            interrupts.push(asked);
        }
        interrupts
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
            annotations: tool.annotations.clone(),
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
        normal(source.schema(&mut self.out).to_value())
    }

    fn input(&mut self, source: &TypeSource) -> Value {
        normal(source.schema(&mut self.input).to_value())
    }

    /// Converts the references in `agents` to keys, and returns the definitions sorted by key. Definitions without a reference,
    /// which inlined types leave behind, are dropped.
    fn into_types(mut self, agents: &mut [AgentDef], mut names: BTreeMap<String, String>) -> TypesDef {
        let (out, input) = (self.out.take_definitions(true), self.input.take_definitions(true));
        let (out_keys, input_keys) = (keys(&mut self.out, &out), keys(&mut self.input, &input));
        let key_in = |keys: &BTreeMap<String, String>, name: &str| {
            keys.get(name).cloned().unwrap_or_else(|| name.to_owned())
        };
        let out_key = |name: &str| key_in(&out_keys, name);
        let input_key = |name: &str| key_in(&input_keys, name);
        agents.iter_mut().for_each(|agent| rekey_agent(agent, &out_key, &input_key));
        let (mut out_roots, mut input_roots) = (Vec::new(), Vec::new());
        for agent in agents {
            if let Some(state) = &agent.state {
                out_roots.push(&state.out);
                input_roots.push(&state.input);
            }
            for tool in &agent.tools {
                out_roots.push(&tool.params.out);
                input_roots.push(&tool.params.input);
                match &tool.result {
                    Some(ResultDef::Out(schema)) => out_roots.push(schema),
                    Some(ResultDef::In(schema)) => input_roots.push(schema),
                    None => {}
                }
            }
            out_roots.extend(agent.events.iter().map(|event| &event.value));
            out_roots.extend(agent.interrupts.iter().map(|interrupt| &interrupt.payload));
            input_roots.extend(agent.interrupts.iter().map(|interrupt| &interrupt.response));
            out_roots.extend(agent.activities.iter().map(|activity| &activity.content));
            out_roots.extend(&agent.output);
            input_roots.extend(&agent.forwarded);
        }
        let out = reachable(&by_key(&out, &out_key), &out_roots);
        let input = reachable(&by_key(&input, &input_key), &input_roots);
        let is_needed = |key: &String| out.contains_key(key) || input.contains_key(key);
        names.retain(|key, name| is_needed(key) && last_part(key) != name);
        TypesDef { out, input, names }
    }
}

/// Normalizes a schema to the one form that every manifest reader knows.
pub(super) fn normal(mut schema: Value) -> Value {
    without_boolean_schemas(&mut schema);
    canonical_schema(schema)
}

fn by_key(definitions: &Map<String, Value>, key: &dyn Fn(&str) -> String) -> Map<String, Value> {
    object(definitions.iter().map(|(name, schema)| (key(name), rekeyed(schema, key))))
}

fn reachable(definitions: &Map<String, Value>, roots: &[&Value]) -> Map<String, Value> {
    let mut kept: BTreeMap<String, Value> = BTreeMap::new();
    let mut due: Vec<String> = roots.iter().flat_map(|root| references(root)).map(|(name, _)| name).collect();
    while let Some(name) = due.pop() {
        if let (false, Some(schema)) = (kept.contains_key(&name), definitions.get(&name)) {
            due.extend(references(schema).into_iter().map(|(name, _)| name));
            kept.insert(name, normal(schema.clone()));
        }
    }
    object(kept)
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
    for tool in subagents::asking(agent) {
        roots.push(Root { place: place("arguments", tool.name), source: tool.arguments });
    }
    for interrupt in subagents::interrupts(agent) {
        roots.push(Root { place: place("payload", interrupt.reason), source: interrupt.payload });
        roots.push(Root { place: place("response", interrupt.reason), source: interrupt.response });
    }
    for activity in &agent.activities {
        roots.push(Root { place: place("content", activity.activity_type), source: activity.content });
    }
    roots.extend(agent.output.map(|source| Root { place: place("result", ""), source }));
    roots.extend(agent.forwarded.map(|source| Root { place: place("forwarded props", ""), source }));
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
        if let Some(name) = first_twice(agent.tools.iter().map(|tool| tool.name).collect()) {
            return Err(ManifestError::DuplicateTool { agent: agent.name.into(), name: name.into() });
        }
        if let Some(name) = first_twice(agent.events.iter().map(|event| event.name).collect()) {
            return Err(ManifestError::DuplicateEvent { agent: agent.name.into(), name: name.into() });
        }
        let asking = subagents::asking(agent);
        if let Some(name) = first_twice(asking.iter().map(|tool| tool.name).collect()) {
            return Err(ManifestError::DuplicateTool { agent: agent.name.into(), name: name.into() });
        }
        let interrupts = subagents::interrupts(agent);
        let mut reasons: Vec<_> = interrupts.iter().map(|interrupt| interrupt.reason).collect();
        reasons.extend((!asking.is_empty()).then_some(approval::REASON));
        if let Some(reason) = first_twice(reasons) {
            return Err(ManifestError::DuplicateInterrupt {
                agent: agent.name.into(),
                reason: reason.into(),
            });
        }
        if let Some(twice) =
            first_twice(agent.activities.iter().map(|activity| activity.activity_type).collect())
        {
            return Err(ManifestError::DuplicateActivity {
                agent: agent.name.into(),
                activity_type: twice.into(),
            });
        }
    }
    Ok(())
}

fn neighbours<'a, T>(sorted: &'a [&'a T], same: impl Fn(&T, &T) -> bool) -> Option<(&'a T, &'a T)> {
    sorted.iter().zip(sorted.iter().skip(1)).find(|(a, b)| same(a, b)).map(|(a, b)| (*a, *b))
}

fn first_twice(mut names: Vec<&str>) -> Option<&str> {
    names.sort_unstable();
    names.iter().zip(names.iter().skip(1)).find(|(a, b)| a == b).map(|(name, _)| *name)
}
