//! From the manifest to the [`ir`](crate::ir): names resolved and sorted, directions decided, collisions reported.
//!
//! Nothing is guessed: a schema that has no exact representation is a [`Problem`] that names its type and the place.

mod agent;
mod container;
mod cycle;
mod definitions;
mod keyword;
mod problem;
mod schema;
mod several;
mod split;
mod union;

use std::collections::BTreeMap;

use agui_runtime::manifest::Manifest;
use indexmap::IndexSet;
use serde_json::{Map, Value};

pub use problem::{LowerError, Problem};
pub(crate) use schema::is_wide;
pub use several::together;

use crate::ir::{Api, Direction, Options, Origin};
use crate::names::{Claims, identifier, snake};
use schema::Lowering;
use split::Lowered;

/// Lowers a manifest.
///
/// # Errors
///
/// [`LowerError`] with every schema that has no representation and every pair of names that meet.
pub fn lower(manifest: &Manifest) -> Result<Api, LowerError> {
    let sides = Sides { out: Side::new(&manifest.types.out), input: Side::new(&manifest.types.input) };
    let mut report = Report::default();
    let mut modules = Claims::default();
    let agents = manifest.agents.iter().map(|agent| {
        let module = module_name(&agent.name);
        if let Err(first) = modules.claim(&module, &agent.name) {
            report.problem(Problem {
                owner: format!("agent `{}`", agent.name),
                path: String::new(),
                message: format!("would be generated as `{module}`, as agent `{first}` is; rename one"),
            });
        }
        agent::lower_agent(agent, &manifest.hash.wire, &sides, &mut report)
    });
    let agents = agents.collect();
    if !report.problems.is_empty() {
        return Err(LowerError { problems: report.problems });
    }
    Ok(Api {
        origin: Origin {
            krate: manifest.krate.name.clone(),
            version: manifest.krate.version.clone(),
            command: format!("agui-codegen generate -p {}", manifest.krate.name),
        },
        agents,
        warnings: report.wide_integers.iter().map(|place| wide_warning(place)).collect(),
        wide_integers: report.wide_integers.into_iter().collect(),
        options: Options::default(),
    })
}

/// The folder an agent's files are in.
pub(crate) fn module_name(agent: &str) -> String {
    identifier(&snake(agent))
}

/// The named types of both directions.
struct Sides<'m> {
    out: Side<'m>,
    input: Side<'m>,
}

impl<'m> Sides<'m> {
    fn of(&self, direction: Direction) -> &Side<'m> {
        match direction {
            Direction::Out => &self.out,
            Direction::In => &self.input,
        }
    }
}

/// The named types of one direction, lowered; what is wrong with one matters only to agents that need it.
struct Side<'m> {
    definitions: &'m Map<String, Value>,
    types: Lowered,
    problems: BTreeMap<String, Vec<Problem>>,
    wide: BTreeMap<String, Vec<String>>,
}

impl<'m> Side<'m> {
    fn new(definitions: &'m Map<String, Value>) -> Self {
        let mut side =
            Self { definitions, types: Lowered::new(), problems: BTreeMap::new(), wide: BTreeMap::new() };
        for (name, schema) in definitions {
            let mut lowering = Lowering::new(definitions);
            let lowered = lowering.lower(schema, &format!("type `{name}`"));
            side.types.insert(name.clone(), lowered);
            side.problems.insert(name.clone(), lowering.problems);
            side.wide.insert(name.clone(), lowering.wide_integers);
        }
        side
    }
}

/// What is said of a place where a JavaScript number may round.
pub(crate) fn wide_warning(place: &str) -> String {
    format!(
        "{place} is a 64-bit integer: a JavaScript number holds it exactly only up to 2^53; if it can be larger, \
         send it as text"
    )
}

/// What there is to tell, each thing once.
#[derive(Default)]
struct Report {
    problems: Vec<Problem>,
    wide_integers: IndexSet<String>,
}

impl Report {
    fn problem(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn wide_integer(&mut self, place: &str) {
        self.wide_integers.insert(place.to_owned());
    }
}
