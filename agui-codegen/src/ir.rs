//! The representation between the manifest and the languages: every name resolved, every direction decided.
//!
//! Nothing here is JSON Schema any more, and nothing belongs to one language. What an emitter has to ask the manifest
//! is a decision missing in [`lower`](mod@crate::lower).

mod options;
mod types;

use indexmap::IndexMap;
use serde_json::{Map, Value};

pub use options::{Options, PythonEnum, PythonStyle, React, Zod};
pub use types::{
    ArrayType, Bounds, Doc, EnumValue, Extra, Field, Literal, MapKey, MapType, Object, Text, Type, TypeDecl,
    Union, Variant,
};

/// Everything the emitters print.
#[derive(Clone, Debug, PartialEq)]
pub struct Api {
    /// Where it comes from: what the header of each file says.
    pub origin: Origin,
    /// The agents, sorted by name.
    pub agents: Vec<AgentDecl>,
    /// What is worth telling the person who generates.
    pub warnings: Vec<String>,
    /// The places of integers that a JavaScript number may round; each has a warning.
    pub wide_integers: Vec<String>,
    /// What is printed besides what always is.
    pub options: Options,
}

/// Where the generated files come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The package.
    pub krate: String,
    /// Its version.
    pub version: String,
    /// What to type to generate them again; [`lower`](crate::lower::lower) says it for a package that has an
    /// `agui-codegen.toml`.
    pub command: String,
}

/// One agent.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentDecl {
    /// The name on the wire.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The version of the package that defines it.
    pub version: String,
    /// The manifest's wire hash.
    pub wire: String,
    /// The shared state.
    pub state: Option<StateDecl>,
    /// The tools, as the agent lists them.
    pub tools: Vec<ToolDecl>,
    /// The custom events, as the agent lists them.
    pub events: Vec<EventDecl>,
    /// The typed interrupts, as the agent lists them.
    pub interrupts: Vec<InterruptDecl>,
    /// The named types this agent needs, sorted by name.
    pub types: IndexMap<String, TypeDecl>,
    /// The schemas of the named types the agent writes, refering to each other as `#/$defs/Name`.
    pub out_schemas: Map<String, Value>,
    /// The schemas of the named types the agent reads.
    pub in_schemas: Map<String, Value>,
}

/// The shared state in both directions.
#[derive(Clone, Debug, PartialEq)]
pub struct StateDecl {
    /// What the agent writes.
    pub out: Slot,
    /// What it reads.
    pub input: Slot,
}

/// One tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDecl {
    /// The name on the wire.
    pub name: String,
    /// Whether the user interface runs it.
    pub frontend: bool,
    /// What it does.
    pub description: String,
    /// The arguments as the user interface sees them, an object.
    pub params: Slot,
    /// The schema of the arguments as a model may send them, complete in itself.
    pub accepts: Value,
    /// The answer; `None` when there is none.
    pub result: Option<Slot>,
}

/// One custom event.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDecl {
    /// The name on the wire.
    pub name: String,
    /// What it means.
    pub description: String,
    /// Its value.
    pub value: Slot,
}

/// One typed interrupt.
#[derive(Clone, Debug, PartialEq)]
pub struct InterruptDecl {
    /// The reason on the wire.
    pub reason: String,
    /// What a person is asked, where the user interface has no words of its own.
    pub message: Option<String>,
    /// What it means.
    pub description: String,
    /// What is asked.
    pub payload: Slot,
    /// What is answered.
    pub response: Slot,
}

impl AgentDecl {
    /// Every place that has a type.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        let state = self.state.iter().flat_map(|state| [&state.out, &state.input]);
        let tools = self.tools.iter().flat_map(|tool| std::iter::once(&tool.params).chain(&tool.result));
        let events = self.events.iter().map(|event| &event.value);
        let interrupts = self.interrupts.iter().flat_map(|asked| [&asked.payload, &asked.response]);
        state.chain(tools).chain(events).chain(interrupts)
    }

    /// Every place that has a type, to change it.
    pub fn slots_mut(&mut self) -> impl Iterator<Item = &mut Slot> {
        let state = self.state.iter_mut().flat_map(|state| [&mut state.out, &mut state.input]);
        let tools =
            self.tools.iter_mut().flat_map(|tool| std::iter::once(&mut tool.params).chain(&mut tool.result));
        let events = self.events.iter_mut().map(|event| &mut event.value);
        let interrupts =
            self.interrupts.iter_mut().flat_map(|asked| [&mut asked.payload, &mut asked.response]);
        state.chain(tools).chain(events).chain(interrupts)
    }
}

/// A type in a place, and the schema that describes it there.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The type.
    pub ty: Type,
    /// The schema; it refers to the agent's definitions as `#/$defs/Name`.
    pub schema: Value,
    /// Whose definitions those are.
    pub direction: Direction,
}

/// Which way a value travels, seen from the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The agent writes it.
    Out,
    /// The agent reads it.
    In,
}
