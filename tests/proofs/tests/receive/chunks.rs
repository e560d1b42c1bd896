//! The vectors of chunk expansion.

use agui_runtime::protocol::Event;
use agui_runtime::receive::chunks::ChunkExpander;
use serde::Deserialize;
use serde_json::Value;

use crate::vectors::vectors;

#[derive(Debug, Deserialize)]
struct Vector {
    name: String,
    input: Vec<Value>,
    output: Vec<Value>,
    error: Option<String>,
}

/// `TypedStages`: the official stage alone sees parts that enforcement would remove. It keeps unknown keys,
/// and passes an unknown event. Here it never sees either.
const BEFORE_ENFORCEMENT: [&str; 2] =
    ["unknown key only continuation", "unknown event passes and closes nothing"];

#[test]
fn the_vectors_are_expanded_as_observed() {
    let vectors: Vec<Vector> = vectors("chunks.json");
    assert_eq!(vectors.len(), 73);
    let mut compared = 0;
    for Vector { name, input, output, error } in vectors {
        if BEFORE_ENFORCEMENT.contains(&name.as_str()) {
            continue;
        }
        compared += 1;
        let mut chunks = ChunkExpander::new();
        let mut expanded = Vec::new();
        let mut refused = None;
        for event in &input {
            let event = Event::deserialize(event).unwrap_or_else(|cause| panic!("{name}: {cause}"));
            match chunks.expand(event) {
                Ok(events) => expanded.extend(events),
                Err(cause) => {
                    refused = Some(cause.code().to_owned());
                    break;
                }
            }
        }
        let output: Vec<Event> = output.iter().map(|event| Event::deserialize(event).unwrap()).collect();
        assert_eq!((expanded, refused), (output, error), "{name}");
    }
    assert_eq!(compared + BEFORE_ENFORCEMENT.len(), 73);
}
