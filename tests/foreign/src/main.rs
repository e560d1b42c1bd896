//! Prints the manifest of an agent over types of other crates, and for each type values that serde writes and refuses.
//!
//! These crates have what no case of ours has: two types of one name, names that are paths, schemas with keywords of
//! OpenAPI and of Kubernetes, and hundreds of types.

#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a wrong sample ends the program"
)]

mod acp;
mod k8s;
mod mcp;
mod scalars;

use agui_runtime::manifest::{AgentSource, EventSource, Manifest, ToolSource, TypeSource};
use agui_runtime::protocol::ToolSide;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// No arguments.
#[derive(JsonSchema)]
#[schemars(inline)]
struct Nothing {}

/// The agent and its samples.
struct Shapes {
    agent: AgentSource,
    samples: Vec<Value>,
}

impl Shapes {
    /// Adds a type: serde reads each of `values`, and the value that it writes is a sample; it reads none of `refused`.
    fn add<T: Serialize + DeserializeOwned + JsonSchema>(
        &mut self,
        name: &'static str,
        values: impl IntoIterator<Item = Value>,
        refused: impl IntoIterator<Item = Value>,
    ) {
        let value = TypeSource::of::<T>();
        self.agent.events.push(EventSource { name, description: "", value });
        self.agent.tools.push(ToolSource {
            name: format!("take_{name}").leak(),
            description: "",
            side: ToolSide::Frontend,
            approval: false,
            annotations: agui_runtime::protocol::ToolAnnotations::NONE,
            arguments: TypeSource::of::<Nothing>(),
            result: Some(value),
        });
        let read = |value: &Value| serde_json::from_value::<T>(value.clone());
        let written = values.into_iter().map(|value| {
            let sample = read(&value).unwrap_or_else(|error| unreachable!("{name}: {error}: {value}"));
            serde_json::to_value(sample).unwrap()
        });
        let written: Vec<Value> = written.collect();
        let refused: Vec<Value> = refused.into_iter().collect();
        for value in &refused {
            assert!(read(value).is_err(), "{name}: serde reads {value}");
        }
        self.samples.push(json!({"name": name, "written": written, "refused": refused}));
    }
}

fn main() {
    let agent = AgentSource { version: "0.1.0", rust_path: "foreign", ..AgentSource::new("foreign") };
    let mut shapes = Shapes { agent, samples: Vec::new() };
    acp::add(&mut shapes);
    k8s::add(&mut shapes);
    mcp::add(&mut shapes);
    scalars::add(&mut shapes);
    let manifest = Manifest::build("foreign", "0.1.0", &[shapes.agent]).unwrap();
    println!("{}", json!({"manifest": manifest, "shapes": shapes.samples}));
}
