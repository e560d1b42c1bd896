//! The part that runs the whole client.

use agui_runtime::protocol::{Event, Message, RunAgentInput};
use agui_runtime::receive::reduce::{Reducer, RunOutcome};
use agui_runtime::receive::{
    FrameWarning, LegacyTranslator, PeerCeiling, ReceivePipeline, ShapeEnforcer, WarningKind,
};
use agui_runtime::wire::proto;
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::{Refusal, Wire, result};

/// Runs the client with the input of the job, and the stream as the answer.
pub(super) fn pipeline(job: &Value, stream: &[Value], wire: Wire) -> Result<Value, String> {
    let frames: Vec<Frame> = stream.iter().map(|event| Frame::of(event, wire)).collect::<Result<_, _>>()?;
    let mut warnings = Vec::new();
    let ceiling: PeerCeiling = match job["client"]["maxProtocolVersion"].as_str() {
        Some(version) => version.parse().map_err(|error| format!("{version}: {error}"))?,
        // The version of the official client, which declares its own.
        None => PeerCeiling::new(1, 0, 0),
    };
    let mut input = match input(&job["input"], &mut |warning| warnings.push(warning)) {
        Ok(input) => input,
        Err(refusal) => {
            // Nothing was sent, so nothing arrived.
            let given = |key: &str, otherwise: Value| job["input"].get(key).cloned().unwrap_or(otherwise);
            let mut said = result(&[], &warnings, Some(refusal));
            (said["messages"], said["state"]) = (given("messages", json!([])), given("state", json!({})));
            for key in ["newMessageIds", "runErrors", "finished", "pendingInterrupts"] {
                said[key] = json!([]);
            }
            return Ok(said);
        }
    };
    let reducer = Reducer::from_input(&input);
    let before: Vec<_> = reducer.messages().iter().map(|message| message.id().clone()).collect();
    LegacyTranslator::new().with_ceiling(ceiling).outgoing(&mut input, &mut |warning| warnings.push(warning));

    let mut pipeline = ReceivePipeline::new().with_ceiling(ceiling).with_reducer(reducer);
    let mut delivered = Vec::new();
    let (mut finished, mut run_errors) = (Vec::new(), Vec::new());
    let mut odd = Vec::new();
    let mut returned = None;
    let mut refusal = None;
    for frame in frames {
        frame.push_to(&mut pipeline, &mut |warning| warnings.push(warning));
        let drained = pipeline.drain(|event, applied, reducer| {
            odd.extend(applied.warning.as_ref().map(ToString::to_string));
            delivered.push(json!(event));
            match event {
                Event::RunError(event) => run_errors.push(event.message.clone()),
                Event::RunFinished(_) => {
                    if let Some(end) = reducer.run().and_then(|run| run.end()) {
                        finished.push(as_hooks_see(end));
                        if let RunOutcome::Success { result, .. } = end {
                            returned.clone_from(result);
                        }
                    }
                }
                _ => {}
            }
        });
        if let Err(error) = drained {
            // The official client does not name the frame.
            refusal = Some(Refusal { at: None, ..(&error).into() });
            break;
        }
    }
    let accepted = refusal.is_none();
    let mut said = result(&delivered, &warnings, refusal);
    said["warnings"]
        .as_array_mut()
        .into_iter()
        .for_each(|said| said.extend(odd.iter().map(|odd| json!(odd))));
    let reducer = pipeline.reducer();
    let new = reducer.messages().iter().map(Message::id).filter(|id| !before.contains(id));
    said["newMessageIds"] = if accepted { json!(new.collect::<Vec<_>>()) } else { json!([]) };
    said["messages"] = json!(reducer.messages());
    said["state"] = reducer.state().clone();
    said["runErrors"] = json!(run_errors);
    said["finished"] = json!(finished);
    if let Some(returned) = returned.filter(|_| accepted) {
        said["result"] = json!(returned);
    }
    said["pendingInterrupts"] = json!(reducer.pending_interrupts());
    said["request"] = json!(input);
    Ok(said)
}

/// An event in the form of its transport.
enum Frame {
    Text(String),
    Message(Vec<u8>),
}

impl Frame {
    /// Fails if an event cannot be written.
    fn of(event: &Value, wire: Wire) -> Result<Self, String> {
        if wire == Wire::Sse {
            return Ok(Self::Text(event.to_string()));
        }
        let unsayable = |why: String| format!("the binary transport has no place for {event}: {why}");
        let event = Event::deserialize(event).map_err(|error| unsayable(error.to_string()))?;
        let mut frame = Vec::new();
        proto::encode(&event, &mut frame).map_err(|error| unsayable(error.to_string()))?;
        // The frame after its length.
        Ok(Self::Message(frame.split_off(4)))
    }

    fn push_to(self, pipeline: &mut ReceivePipeline, warn: &mut dyn FnMut(FrameWarning)) {
        match self {
            Self::Text(text) => pipeline.push_text(&text, warn),
            Self::Message(message) => pipeline.push_proto(&message, warn),
        }
    }
}

/// The input of the job, with the official client's defaults.
fn input(input: &Value, warn: &mut dyn FnMut(FrameWarning)) -> Result<RunAgentInput, Refusal> {
    let mut whole = json!({
        "threadId": "oracle-thread", "runId": "oracle-run", "state": {}, "messages": [], "tools": [], "context": [],
        "forwardedProps": {},
    });
    for (key, value) in input.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        whole[key] = value.clone();
    }
    for key in ["messages", "tools", "context", "resume"] {
        let entries = whole.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten();
        for entry in entries.filter_map(Value::as_object_mut) {
            entry.retain(|_, value| !value.is_null());
        }
    }
    // Translation of the input warns only if something is lost.
    LegacyTranslator::input(&mut whole, &mut |warning| {
        if !matches!(warning.kind(), WarningKind::Retired { .. } | WarningKind::Repeated) {
            warn(warning);
        }
    });
    ShapeEnforcer::new().input(whole, warn).map_err(|error| Refusal { at: None, ..(0, &error).into() })
}

/// The end of a run as hooks of the official client see it.
#[must_use]
pub fn as_hooks_see(end: &RunOutcome) -> Value {
    match end {
        RunOutcome::Success { result, pending } => {
            let mut ended = json!({ "outcome": "success", "pendingToolCallIds": pending });
            if let Some(result) = result {
                ended["result"] = json!(result);
            }
            ended
        }
        RunOutcome::Interrupted { interrupts } => json!({ "outcome": "interrupt", "interrupts": interrupts }),
        RunOutcome::Cancelled => json!({ "outcome": "cancelled" }),
        RunOutcome::Failed { message, .. } => json!({ "outcome": "failed", "message": message }),
        // No event reports it.
        RunOutcome::Truncated => Value::Null,
    }
}
