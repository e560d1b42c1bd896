//! The cases: agents with every form of serde, each with samples of the JSON that it writes.
//!
//! A case is a folder: its types here, in `mod.rs`, and the generated files beside them. The tests of the generated
//! code in its own language use the same cases.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "not every test needs everything, and a bad case fails the test"
)]

mod bare;
mod directions;
mod enums;
mod everyday;
mod flatten;
mod keeper;
mod kitchen;
mod lists;
mod maps;
pub(crate) mod matrix;
mod numbers;
mod recursive;
mod seller;
mod std_types;
mod structs;
mod team;

use agui_codegen::ir::{OutputOptions, PythonEnum, PythonFormats, PythonStyle, ReactPackage, ZodVersion};
use agui_runtime::manifest::{ActivitySource, AgentSource, EventSource, Manifest, ToolSource, TypeSource};
use agui_runtime::protocol::ToolSide;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Every case, by name.
pub(crate) fn all() -> Vec<Case> {
    vec![
        bare::case(),
        directions::case(),
        enums::case(),
        everyday::case(),
        flatten::case(),
        keeper::case(),
        kitchen::case(),
        lists::case(),
        maps::case(),
        matrix::case(),
        numbers::case(),
        recursive::case(),
        seller::case(),
        std_types::case(),
        structs::case(),
        team::case(),
    ]
}

/// A set of options and its name.
pub(crate) type Choice = (&'static str, fn(&mut OutputOptions));

/// Sets of options that together contain each choice of each kind.
pub(crate) const CHOICES: [Choice; 8] = [
    ("plain", |_| {}),
    ("hooks", |options| {
        options.react = Some(ReactPackage::V2);
        options.zod = Some(ZodVersion::V4);
    }),
    ("older", |options| {
        options.react = Some(ReactPackage::V1);
        options.zod = Some(ZodVersion::V3);
        name_formats(options);
    }),
    ("single", |options| {
        options.single_file = true;
        options.websocket = true;
        options.webhooks = true;
        options.react = Some(ReactPackage::V2);
        options.zod = Some(ZodVersion::V4);
        name_formats(options);
    }),
    ("react", |options| {
        options.react = Some(ReactPackage::Plain);
        options.websocket = true;
        options.webhooks = true;
    }),
    ("dict", |options| options.python_style = PythonStyle::TypedDict),
    ("enum", |options| {
        options.python_enum = PythonEnum::StrEnum;
        options.websocket = true;
        options.webhooks = true;
    }),
    ("formats", |options| options.python_formats = PythonFormats::Types),
];

/// Adds a format that is a type of its own, and a format that is another name for a string.
fn name_formats(options: &mut OutputOptions) {
    options.formats = [("uri", "Link"), ("uuid", "Uuid")].map(|(a, b)| (a.to_owned(), b.to_owned())).into();
    options.brand = ["Link".to_owned()].into();
}

/// One agent and what its types look like on the wire.
pub(crate) struct Case {
    /// The folder, and the agent's name.
    pub(crate) name: &'static str,
    /// The agent.
    pub(crate) agent: AgentSource,
    /// The samples, by event.
    pub(crate) shapes: Vec<Shape>,
}

impl Case {
    /// The manifest of a package that has this one agent.
    pub(crate) fn manifest(&self) -> Manifest {
        Manifest::build("cases", "0.1.0", std::slice::from_ref(&self.agent)).unwrap()
    }
}

/// One type: the value of the custom event `name`, and the answer of the frontend tool `take_{name}`.
pub(crate) struct Shape {
    /// The event.
    pub(crate) name: &'static str,
    /// The JSON that serde writes.
    pub(crate) written: Vec<Value>,
    /// The JSON that serde reads; if empty, it reads what it writes.
    pub(crate) read: Vec<Value>,
    /// The JSON that serde refuses.
    pub(crate) refused: Vec<Value>,
    /// Reads a JSON text, and writes the value again if it can.
    pub(crate) round_trip: fn(&str) -> Result<Option<Value>, serde_json::Error>,
}

impl Shape {
    /// The written values that can be read too: all of them, unless the two directions differ.
    pub(crate) fn also_read(&self) -> Vec<Value> {
        if self.read.is_empty() { self.written.clone() } else { vec![] }
    }
}

/// No arguments.
#[derive(JsonSchema)]
#[schemars(inline)]
#[allow(dead_code)]
struct Nothing {}

/// Collects the shapes of a case.
pub(crate) struct Shapes {
    case: Case,
}

impl Shapes {
    /// A case called `name`.
    pub(crate) fn new(name: &'static str, description: &'static str) -> Self {
        let agent =
            AgentSource { description, version: "0.1.0", rust_path: "cases", ..AgentSource::new(name) };
        Self { case: Case { name, agent, shapes: vec![] } }
    }

    /// Adds the result of a run.
    pub(crate) fn output<T: JsonSchema>(mut self) -> Self {
        self.case.agent.output = Some(TypeSource::of::<T>());
        self
    }

    /// Adds an activity.
    pub(crate) fn activity<T: JsonSchema>(mut self, activity_type: &'static str) -> Self {
        let content = TypeSource::of::<T>();
        self.case.agent.activities.push(ActivitySource { activity_type, description: "", content });
        self
    }

    /// Adds a type that is written and read alike: `samples` of it, and values that it refuses.
    pub(crate) fn shape<T>(
        self,
        name: &'static str,
        samples: impl IntoIterator<Item = T>,
        refused: impl IntoIterator<Item = Value>,
    ) -> Self
    where
        T: Serialize + DeserializeOwned + JsonSchema,
    {
        let written: Vec<Value> =
            samples.into_iter().map(|sample| serde_json::to_value(sample).unwrap()).collect();
        self.add::<T>(name, written, vec![], refused.into_iter().collect())
    }

    /// Adds a type that is read in other forms than it is written.
    pub(crate) fn two_faced<T>(
        self,
        name: &'static str,
        samples: impl IntoIterator<Item = T>,
        read: impl IntoIterator<Item = Value>,
        refused: impl IntoIterator<Item = Value>,
    ) -> Self
    where
        T: Serialize + DeserializeOwned + JsonSchema,
    {
        let written = samples.into_iter().map(|sample| serde_json::to_value(sample).unwrap()).collect();
        self.add::<T>(name, written, read.into_iter().collect(), refused.into_iter().collect())
    }

    fn add<T>(
        mut self,
        name: &'static str,
        written: Vec<Value>,
        read: Vec<Value>,
        refused: Vec<Value>,
    ) -> Self
    where
        T: Serialize + DeserializeOwned + JsonSchema,
    {
        let value = TypeSource::of::<T>();
        self.case.agent.events.push(EventSource { name, description: "", value });
        self.case.agent.tools.push(ToolSource {
            name: format!("take_{name}").leak(),
            description: "",
            side: ToolSide::Frontend,
            approval: false,
            annotations: agui_runtime::protocol::ToolAnnotations::NONE,
            arguments: TypeSource::of::<Nothing>(),
            result: Some(value),
        });
        self.case.shapes.push(Shape {
            name,
            written,
            read,
            refused,
            round_trip: |text| Ok(serde_json::to_value(serde_json::from_str::<T>(text)?).ok()),
        });
        self
    }

    /// The finished case.
    pub(crate) fn finish(self) -> Case {
        self.case
    }
}
