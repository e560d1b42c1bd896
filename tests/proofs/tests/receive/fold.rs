//! The vectors of the reducer and of compaction.

use agui_runtime::protocol::{Event, Message};
use agui_runtime::receive::compact::compact_with;
use agui_runtime::receive::pipeline::ReceivePipeline;
use agui_runtime::receive::reduce::Reducer;
use agui_tests::verdict::as_hooks_see;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::vectors::vectors;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Applied {
    name: String,
    initial_messages: Vec<Message>,
    initial_state: Value,
    events: Vec<Value>,
    final_messages: Value,
    final_state: Value,
    new_message_ids: Vec<String>,
    finished: Vec<Value>,
    pending_interrupts: Value,
    error: Option<String>,
}

#[test]
fn the_vectors_are_applied_as_observed() {
    let vectors: Vec<Applied> = vectors("apply.json");
    assert_eq!(vectors.len(), 91);
    for vector in vectors {
        let name = &vector.name;
        let known: Vec<String> =
            vector.initial_messages.iter().map(|message| message.id().to_string()).collect();
        let reducer = Reducer::new().with_messages(vector.initial_messages).with_state(vector.initial_state);
        let mut pipeline = ReceivePipeline::new().with_reducer(reducer);
        let mut finished = Vec::new();
        let mut error = None;
        for event in &vector.events {
            pipeline.push_json(event.clone(), &mut |_| {});
            let taken = pipeline.drain(|event, _, reducer| {
                if matches!(event, Event::RunFinished(_)) {
                    finished.push(as_hooks_see(reducer.run().unwrap().end().unwrap()));
                }
            });
            if let Err(refused) = taken {
                error = Some(refused.code().to_owned());
                break;
            }
        }
        let reducer = pipeline.into_reducer();
        assert_eq!(error, vector.error, "{name}");
        assert_eq!(made_up(&json!(reducer.messages())), vector.final_messages, "{name}");
        assert_eq!(reducer.state(), &vector.final_state, "{name}");
        assert_eq!(json!(reducer.pending_interrupts()), vector.pending_interrupts, "{name}");
        assert_eq!(finished, vector.finished, "{name}");
        if error.is_none() {
            let ids = reducer.messages().iter().map(|message| message.id().to_string());
            let new: Vec<String> = ids.filter(|id| !known.contains(id)).collect();
            assert_eq!(made_up(&json!(new)), json!(vector.new_message_ids), "{name}");
        }
    }
}

/// With the id of the thought that came without one, as in the vectors: the official client generates a random one.
fn made_up(value: &Value) -> Value {
    serde_json::from_str(&value.to_string().replace("r1/thinking-2", "random-1")).unwrap()
}

#[derive(Debug, Deserialize)]
struct Compacted {
    name: String,
    input: Vec<Value>,
    output: Vec<Value>,
    #[serde(default)]
    warns: Value,
}

#[test]
fn the_vectors_are_compacted_as_observed() {
    let vectors: Vec<Compacted> = vectors("compact.json");
    assert_eq!(vectors.len(), 29);
    for Compacted { name, input, output, warns } in vectors {
        let read = |events: &[Value]| -> Vec<Event> {
            events
                .iter()
                .map(|event| {
                    Event::deserialize(event).unwrap_or_else(|cause| panic!("{name}: {cause} {event}"))
                })
                .collect()
        };
        let mut warnings = 0_u64;
        let compacted = compact_with(read(&input), &mut |_| warnings += 1);
        assert_eq!(compacted, read(&output), "{name}");
        assert_eq!(warnings, warns.as_u64().unwrap_or(0), "{name}");
    }
}
