//! The excuses of a comparison: parts that differ on purpose; all the rest of the stream is compared.

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::json::patch::{PatchError, PatchFault};
use agui_runtime::protocol::{
    Event, JsonPatch, JsonPointer, Message, MessageId, MessagesSnapshotEvent, PatchOperation,
};
use agui_runtime::receive::reduce::{ReduceWarning, Reducer};
use agui_tests::outside::Folded;
use serde_json::{Value, json};

use crate::differential::same;

/// The subject of a difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// The state.
    State,
    /// The result of a patch for an activity: its content and its type.
    Activity(MessageId),
    /// Messages of one id, and calls that only some of them carry: their number may differ for good.
    Copies(MessageId),
    /// The existence of an activity of this id, after a snapshot that dropped some by their type.
    Dropped(MessageId),
}

/// The official client's error after it has made a document that contains itself and then warns about a part of it.
const CYCLE: &str = "OTHER|Converting circular structure to JSON";

/// The excuses at this point of a stream: the difference behind each, and its event.
#[derive(Debug, Default)]
pub(crate) struct Excuses {
    parts: BTreeMap<Part, (&'static str, usize)>,
    /// The place where the official client first made a document that contains itself: it may have failed on it before
    /// a snapshot.
    cycle: Option<usize>,
}

impl Excuses {
    /// A snapshot makes both clients equal from here on.
    pub(crate) fn renew(&mut self, event: &Event) {
        match event {
            Event::StateSnapshot(_) => drop(self.parts.remove(&Part::State)),
            Event::ActivitySnapshot(snapshot) if snapshot.replace != Some(false) => {
                self.parts.remove(&Part::Activity(snapshot.message_id.clone()));
            }
            Event::MessagesSnapshot(snapshot) => {
                let restated = |id: &MessageId| snapshot.messages.iter().any(|message| message.id() == id);
                self.parts.retain(|part, _| match part {
                    Part::State | Part::Copies(_) | Part::Dropped(_) => true,
                    Part::Activity(id) => !restated(id),
                });
            }
            _ => {}
        }
    }

    /// Adds a difference that will show if a later event depends on the result of this event.
    pub(crate) fn foresee(&mut self, at: usize, event: &Event, reducer: &Reducer) {
        let scalar = |value: &Value| !value.is_object() && !value.is_array() && !value.is_null();
        match event {
            Event::MessagesSnapshot(snapshot) => {
                for message in &snapshot.messages {
                    let id = message.id();
                    if reducer.messages().iter().filter(|local| local.id() == id).count() > 1 {
                        self.excuse(Part::Copies(id.clone()), "AliasedCopies", at);
                    }
                }
                if claims_types(snapshot) {
                    let activities = self.parts.iter().filter_map(|(part, why)| match part {
                        Part::Activity(id) => Some((Part::Dropped(id.clone()), *why)),
                        _ => None,
                    });
                    self.parts.extend(activities.collect::<Vec<_>>());
                }
            }
            // A single operation on a scalar leaves it as it is, counted as a success or not.
            Event::StateDelta(delta) => {
                let operations = delta.delta.operations().unwrap();
                let becomes = |operation: &PatchOperation| match operation {
                    PatchOperation::Add(add) => add.path.as_str().is_empty() && scalar(&add.value),
                    PatchOperation::Replace(replace) => {
                        replace.path.as_str().is_empty() && scalar(&replace.value)
                    }
                    PatchOperation::Copy(_) | PatchOperation::Move(_) => operation.path().as_str().is_empty(),
                    _ => false,
                };
                let is = scalar(reducer.state()) || operations.iter().any(becomes);
                if operations.len() > 1 && is {
                    self.excuse(Part::State, "ScalarDocument", at);
                }
            }
            Event::ActivityDelta(delta) => {
                let operations = delta.patch.operations().unwrap();
                let whole = |operation: &PatchOperation| operation.path().as_str().is_empty();
                if operations.len() > 1 && operations.iter().any(whole) {
                    let part = Part::Activity(delta.message_id.clone());
                    self.excuse(part, "ActivityNotAnObject", at);
                }
            }
            _ => {}
        }
    }

    /// Adds a difference that has shown.
    pub(crate) fn observe(&mut self, at: usize, event: &Event, warning: &ReduceWarning) {
        match (event, warning) {
            (_, ReduceWarning::ActivityNotAnObject { id }) => {
                self.excuse(Part::Activity(id.clone()), "ActivityNotAnObject", at);
            }
            (Event::StateDelta(delta), ReduceWarning::StatePatch(error)) => {
                let known = self.parts.get(&Part::State).map(|(difference, _)| *difference);
                if let Some(difference) = of_patch(error, &delta.delta).or(known) {
                    self.excuse(Part::State, difference, at);
                    // An operation that stops the patch here does not stop it there.
                    if delta.delta.operations().unwrap().iter().any(moves_into_itself) {
                        self.excuse(Part::State, "MovedIntoItself", at);
                    }
                }
            }
            (Event::ActivityDelta(delta), ReduceWarning::ActivityPatch { id, error }) => {
                if let Some(difference) = of_patch(error, &delta.patch) {
                    self.excuse(Part::Activity(id.clone()), difference, at);
                }
            }
            _ => {}
        }
    }

    fn excuse(&mut self, part: Part, difference: &'static str, at: usize) {
        assert!(crate::differences::is_listed(difference), "{difference} is not in the documentation");
        if difference == "MovedIntoItself" {
            self.cycle.get_or_insert(at);
        }
        self.parts.entry(part).or_insert((difference, at));
    }

    /// The first event with a difference.
    pub(crate) fn first(&self) -> Option<usize> {
        self.parts.values().map(|(_, at)| *at).chain(self.cycle).min()
    }

    pub(crate) fn differences(&self) -> impl Iterator<Item = &'static str> {
        let cycle = self.cycle.map(|_| "MovedIntoItself");
        let others = self.parts.values().map(|(difference, _)| *difference);
        others.filter(|difference| *difference != "MovedIntoItself").chain(cycle)
    }

    /// Returns true if two clients have the same result for a stream, except for the excuses.
    pub(crate) fn same(&self, ours: &Folded, theirs: &Folded) -> bool {
        let has_cycle = theirs.code.as_ref().is_some_and(|code| code.starts_with(CYCLE));
        if has_cycle && self.cycle.is_some() {
            return true;
        }
        let calls: BTreeSet<String> =
            [ours, theirs].into_iter().flat_map(|folded| self.calls(folded)).collect();
        same(&self.without(ours.clone(), &calls), &self.without(theirs.clone(), &calls))
    }

    /// The calls of the copies. The first message with the id may carry them in one client only.
    fn calls(&self, folded: &Folded) -> impl Iterator<Item = String> {
        let messages = folded.messages.as_array().unwrap().iter();
        messages.filter(|message| self.is_copy(message)).flat_map(calls).map(str::to_owned)
    }

    fn is_copy(&self, message: &Value) -> bool {
        self.parts.keys().any(|part| matches!(part, Part::Copies(id) if message["id"] == json!(id)))
    }

    /// `of_copies` are calls that only one of the two may know: then it alone has their results in their place, and
    /// makes no other message for them.
    fn without(&self, mut folded: Folded, of_copies: &BTreeSet<String>) -> Folded {
        folded.messages.as_array_mut().unwrap().retain(|message| {
            let answered = message["toolCallId"].as_str();
            !calls(message).chain(answered).any(|call| of_copies.contains(call))
        });
        for part in self.parts.keys() {
            let messages = folded.messages.as_array_mut().unwrap();
            match part {
                Part::State => folded.state = json!("excused"),
                Part::Activity(id) => {
                    for message in messages.iter_mut().filter(|message| message["id"] == json!(id)) {
                        if message["role"] == "activity" {
                            message["content"] = json!("excused");
                            message["activityType"] = json!("excused");
                        }
                    }
                }
                Part::Dropped(id) | Part::Copies(id) => messages.retain(|message| message["id"] != json!(id)),
            }
        }
        folded
    }
}

/// Returns true if a snapshot drops activities by their types.
fn claims_types(snapshot: &MessagesSnapshotEvent) -> bool {
    let claim = snapshot.metadata.as_ref().and_then(|metadata| metadata.get("@ag-ui/client"));
    claim.is_some_and(|claim| claim["authoritativeActivityTypes"].is_array())
}

/// The calls that a message carries.
fn calls(message: &Value) -> impl Iterator<Item = &str> {
    message["toolCalls"].as_array().into_iter().flatten().map(|call| call["id"].as_str().unwrap())
}

/// The difference that may explain a patch which does not apply here.
fn of_patch(error: &PatchError, patch: &JsonPatch) -> Option<&'static str> {
    let operations = patch.operations().unwrap();
    let operation = &operations[error.op];
    match (operation, &error.fault) {
        (_, PatchFault::IntoItself) => Some("MovedIntoItself"),
        (PatchOperation::Move(_) | PatchOperation::Copy(_), PatchFault::Missing) if error.path.is_empty() => {
            Some("NothingToTheRoot")
        }
        (PatchOperation::Move(moved), PatchFault::Missing | PatchFault::Index(_))
            if moves_its_place(&moved.from, &moved.path) =>
        {
            Some("MovedIntoItself")
        }
        _ => None,
    }
}

fn moves_into_itself(operation: &PatchOperation) -> bool {
    let PatchOperation::Move(moved) = operation else { return false };
    moved.path.as_str().strip_prefix(moved.from.as_str()).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns true if `to` goes through the list that loses an element, so that the removal changes its place.
fn moves_its_place(from: &JsonPointer, to: &JsonPointer) -> bool {
    let Some((list, _)) = from.as_str().rsplit_once('/') else { return false };
    to.as_str()
        .strip_prefix(list)
        .and_then(|rest| rest.strip_prefix('/'))
        .is_some_and(|rest| rest.contains('/'))
}

#[test]
fn an_excuse_is_about_its_part_alone() {
    let folded = |state: Value, activity: Value, text: &str| Folded {
        code: None,
        at: None,
        delivered: 1,
        messages: json!([
            { "id": "a", "role": "activity", "content": activity },
            { "id": "m", "role": "user", "content": text },
        ]),
        state,
        finished: Vec::new(),
        pending_interrupts: json!([]),
    };
    let of = |part: Part| {
        let mut excuses = Excuses::default();
        excuses.excuse(part, "ScalarDocument", 0);
        excuses
    };
    let ours = folded(json!(1), json!({}), "x");
    let others =
        [folded(json!(2), json!({}), "x"), folded(json!(1), json!(2), "x"), folded(json!(1), json!({}), "y")];
    let parts = [Part::State, Part::Activity("a".into()), Part::Copies("m".into())];
    for (excused, part) in parts.into_iter().enumerate() {
        let excuses = of(part);
        for (differs, other) in others.iter().enumerate() {
            assert_eq!(excuses.same(&ours, other), excused == differs);
            let refused = Folded { code: Some("X".to_owned()), at: Some(0), ..other.clone() };
            assert!(!excuses.same(&ours, &refused));
        }
    }
    let call = json!({ "id": "c", "type": "function", "function": { "name": "f", "arguments": "" } });
    let caller = |calls: Value| json!({ "id": "m", "role": "assistant", "toolCalls": calls });
    let result = |id: &str| json!({ "id": "r", "role": "tool", "toolCallId": id, "content": "" });
    let of_messages = |messages: [Value; 3]| Folded { messages: json!(messages), ..ours.clone() };
    let second = |id: &str| of_messages([caller(json!([])), caller(json!([call])), result(id)]);
    let first = |id: &str| of_messages([caller(json!([call])), result(id), caller(json!([call]))]);
    assert!(of(Part::Copies("m".into())).same(&second("c"), &first("c")));
    assert!(!of(Part::Copies("m".into())).same(&second("d"), &first("e")));
    assert!(!of(Part::Copies("n".into())).same(&second("c"), &first("c")));
    let snapshot = |id: &str| -> Message { agui_runtime::protocol::UserMessage::new(id, "x").into() };
    let mut excuses = of(Part::Activity("a".into()));
    let claim = json!({ "@ag-ui/client": { "authoritativeActivityTypes": ["plan"] } });
    let claiming = agui_runtime::protocol::MessagesSnapshotEvent::new(vec![])
        .with_metadata(serde_json::from_value::<agui_runtime::protocol::Metadata>(claim).unwrap());
    excuses.foresee(1, &claiming.into(), &Reducer::new());
    let without = Folded { messages: json!([ours.messages[1]]), ..ours.clone() };
    assert!(excuses.same(&ours, &without) && !of(Part::Activity("a".into())).same(&ours, &without));
    let mut excuses = of(Part::Activity("m".into()));
    let restated = |id| agui_runtime::protocol::MessagesSnapshotEvent::new(vec![snapshot(id)]).into();
    excuses.renew(&restated("n"));
    assert_eq!(excuses.first(), Some(0));
    excuses.renew(&restated("m"));
    assert_eq!(excuses.first(), None);
}
