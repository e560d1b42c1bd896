//! Converts the manifest to the [`ir`](crate::ir): names are resolved and sorted, directions decided, collisions
//! reported.
//!
//! Nothing is guessed: a schema without an exact representation is a [`SchemaProblem`] with a type name and a path.
//!
//! | file | content |
//! |---|---|
//! | `agent` | one agent: `slots`, where values travel; `needed_types`; `names`; `declarations`; `assembly` |
//! | `schema` `scalar` `container` `union` `conjunction` | one schema as one type, by its form |
//! | `keyword` `dialect` `definitions` | keywords of JSON Schema: known, translated, and the definitions that files keep |
//! | `split` `cycle` `short_names` | types with two directions, recursive types, names of types |
//! | `problem` | schemas without a representation, and names that collide |
//! | `several` | packages that generate into one folder |

mod agent;
mod catalog;
mod conjunction;
mod container;
mod cycle;
mod definitions;
mod dialect;
mod keyword;
mod problem;
mod scalar;
mod schema;
mod several;
mod short_names;
mod split;
mod union;

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::manifest::Manifest;
use indexmap::IndexSet;
use serde_json::{Map, Value};

pub use problem::{LowerError, SchemaProblem};
pub(crate) use scalar::is_wide;
pub use several::together;

use crate::file_names::{FileNames, is_device};
use crate::ir::{AgentDecl, ApiDecl, FileOrigin, OutputOptions, ValueDirection};
use crate::names::{compatible, identifier, snake};
use schema::SchemaLowering;
use short_names::short_names;
use split::LoweredTypes;

/// Lowers a manifest.
///
/// ```
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest};
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
///
/// let api = lower(&manifest)?;
/// assert_eq!((api.origin.krate.as_str(), api.agents[0].name.as_str()), ("kitchen", "chef"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`LowerError`] with every schema that has no representation and every pair of types whose names collide.
pub fn lower(manifest: &Manifest) -> Result<ApiDecl, LowerError> {
    let (names, problems) = short_names(manifest);
    let mut named = manifest.rekeyed(&|key| names.get(key).unwrap_or(&key.to_owned()).clone());
    dialect::translate(&mut named);
    let paths = names.into_iter().map(|(key, name)| (name, key)).collect();
    let manifest = &named;
    let directions = LoweredDirections {
        out: LoweredDirection::new(&manifest.types.out),
        input: LoweredDirection::new(&manifest.types.input),
        manifest,
        paths,
    };
    let mut report = LoweringReport { problems, ..LoweringReport::default() };
    let agents = manifest.agents.iter();
    let agents = agents.map(|agent| agent::lower_agent(agent, &manifest.hash.wire, &directions, &mut report));
    let mut agents: Vec<AgentDecl> = agents.collect();
    name_modules(&mut agents);
    if !report.problems.is_empty() {
        return Err(LowerError { problems: report.problems });
    }
    Ok(ApiDecl {
        origin: FileOrigin {
            krate: manifest.krate.name.clone(),
            version: manifest.krate.version.clone(),
            command: format!("agui-codegen generate -p {}", manifest.krate.name),
        },
        agents,
        warnings: Vec::new(),
        wide_integers: report.wide_integers.into_iter().collect(),
        ignored_keywords: report.ignored,
        options: OutputOptions::default(),
    })
}

/// Names each agent's folder. An agent whose own name is free gets that name; a name that is taken gets a `_`, as type
/// names do.
fn name_modules(agents: &mut [AgentDecl]) {
    let mut names = FileNames::default();
    let mut others = Vec::new();
    for agent in agents {
        agent.module = identifier(&snake(&compatible(&agent.name)));
        let is_usable = is_usable(&agent.module) && agent.module == agent.name;
        if !(is_usable && names.take(std::slice::from_ref(&agent.module))) {
            others.push(agent);
        }
    }
    for agent in others {
        while !(is_usable(&agent.module) && names.take(std::slice::from_ref(&agent.module))) {
            agent.module.push('_');
        }
    }
}

fn is_usable(module: &str) -> bool {
    !KEYWORDS.contains(&module) && !is_device(module)
}

/// The Python keywords that [`snake`] can return.
const KEYWORDS: [&str; 32] = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
    "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not",
    "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The named types in both directions.
struct LoweredDirections<'m> {
    out: LoweredDirection<'m>,
    input: LoweredDirection<'m>,
    manifest: &'m Manifest,
    /// The type keys in the manifest, by name.
    paths: BTreeMap<String, String>,
}

impl<'m> LoweredDirections<'m> {
    fn direction(&self, direction: ValueDirection) -> &LoweredDirection<'m> {
        match direction {
            ValueDirection::Out => &self.out,
            ValueDirection::In => &self.input,
        }
    }
}

/// The lowered types for one direction; a type's problem matters only to agents that need the type.
struct LoweredDirection<'m> {
    definitions: &'m Map<String, Value>,
    types: LoweredTypes,
    problems: BTreeMap<String, Vec<SchemaProblem>>,
    wide: BTreeMap<String, Vec<String>>,
    ignored: BTreeMap<String, BTreeSet<String>>,
}

impl<'m> LoweredDirection<'m> {
    fn new(definitions: &'m Map<String, Value>) -> Self {
        let mut side = Self {
            definitions,
            types: LoweredTypes::new(),
            problems: BTreeMap::new(),
            wide: BTreeMap::new(),
            ignored: BTreeMap::new(),
        };
        for (name, schema) in definitions {
            let mut lowering = SchemaLowering::new(definitions);
            let lowered = lowering.lower(schema, &format!("type `{name}`"));
            side.types.insert(name.clone(), lowered);
            side.problems.insert(name.clone(), lowering.problems);
            side.wide.insert(name.clone(), lowering.wide_integers);
            side.ignored.insert(name.clone(), lowering.ignored);
        }
        side
    }
}

/// The warnings and problems, without duplicates.
#[derive(Default)]
struct LoweringReport {
    problems: Vec<SchemaProblem>,
    wide_integers: IndexSet<String>,
    /// The owners whose schemas have an ignored keyword, by keyword.
    ignored: BTreeMap<String, BTreeSet<String>>,
}

impl LoweringReport {
    fn problem(&mut self, problem: SchemaProblem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn wide_integer(&mut self, place: &str) {
        self.wide_integers.insert(place.to_owned());
    }

    fn ignored<'k>(&mut self, keywords: impl IntoIterator<Item = &'k String>, owner: &str) {
        for keyword in keywords {
            self.ignored.entry(keyword.clone()).or_default().insert(owner.to_owned());
        }
    }
}
