//! From an object with the members of a message to the object that JSON has for it.
//!
//! None judges what a value means: what nobody knows is rebuilt as it was said, for enforcement to leave out, so that both wires lose the
//! same and say so in the same words.

use serde_json::Value;

use super::content::{ACTIVITY, PARTS};
use super::error::Fault;
use crate::protocol::{JsonObject, Role, RunFinishedInterruptOutcome};

/// How the members of a message are those of its JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    AsItIs,
    /// Of its members only one can be there, and names the kind of what it holds.
    Tagged,
    RunOutcome,
    SubagentOutcome,
    ResultContent,
    Message,
}

impl Shape {
    /// The JSON of a message that has all of its members; `None` if it is of a kind that nobody knows.
    pub(super) fn json(self, mut object: JsonObject) -> Result<Option<Value>, Fault> {
        match self {
            Self::AsItIs => {}
            Self::Tagged => return Ok(tagged(object)),
            Self::RunOutcome => run_outcome(&mut object),
            Self::SubagentOutcome => outcome(&mut object, &["interruptIds"], |_, _| {}),
            Self::ResultContent => {
                let parts = object.remove(PARTS);
                text_or_parts(&mut object, parts)?;
            }
            Self::Message => message(&mut object)?,
        }
        Ok(Some(object.into()))
    }
}

fn tagged(object: JsonObject) -> Option<Value> {
    let Some((kind, Value::Object(mut members))) = object.into_iter().next() else { return None };
    members.insert("type".to_owned(), kind.into());
    Some(members.into())
}

/// A run that asks has its questions in a list, and be it an empty one.
fn run_outcome(object: &mut JsonObject) {
    outcome(object, &["pendingToolCallIds", "interrupts"], |kind, outcome| {
        if kind == RunFinishedInterruptOutcome::TYPE {
            outcome.entry("interrupts").or_insert_with(|| Vec::<Value>::new().into());
        }
    });
}

/// Without an outcome, what comes with one stays where it is, for enforcement to find.
fn outcome(object: &mut JsonObject, with: &[&str], complete: impl FnOnce(&str, &mut JsonObject)) {
    let Some(Value::String(kind)) = object.remove("outcome") else { return };
    if kind.is_empty() {
        return;
    }
    let mut outcome = JsonObject::new();
    for key in with {
        if let Some((key, value)) = object.remove_entry(*key) {
            outcome.insert(key, value);
        }
    }
    complete(&kind, &mut outcome);
    outcome.insert("type".to_owned(), kind.into());
    object.insert("outcome".to_owned(), outcome.into());
}

/// What is not text is parts, and no parts are an empty list of them.
fn text_or_parts(object: &mut JsonObject, parts: Option<Value>) -> Result<(), Fault> {
    match (object.contains_key("content"), parts) {
        (true, Some(_)) => Err(Fault::TwoContents),
        (true, None) => Ok(()),
        (false, parts) => {
            object.insert("content".to_owned(), parts.unwrap_or_else(|| Vec::<Value>::new().into()));
            Ok(())
        }
    }
}

/// A role decides which of three fields is its content. One that nobody knows is taken at its word, as long as it says one.
fn message(object: &mut JsonObject) -> Result<(), Fault> {
    let role = object.get("role").and_then(Value::as_str).unwrap_or_default().parse();
    let (parts, activity) = (object.remove(PARTS), object.remove(ACTIVITY));
    let has_text = object.contains_key("content");
    match role {
        Ok(Role::User | Role::Tool) if activity.is_none() => text_or_parts(object, parts)?,
        Ok(Role::Activity) if parts.is_none() => {
            if has_text {
                return Err(Fault::TwoContents);
            }
            object.extend(activity.map(|content| ("content".to_owned(), content)));
        }
        Ok(_) if parts.is_none() && activity.is_none() => {}
        Ok(_) => return Err(Fault::ForeignContent),
        Err(_) => {
            if [has_text, parts.is_some(), activity.is_some()].iter().filter(|has| **has).count() > 1 {
                return Err(Fault::TwoContents);
            }
            object.extend(parts.or(activity).map(|content| ("content".to_owned(), content)));
        }
    }
    Ok(())
}
