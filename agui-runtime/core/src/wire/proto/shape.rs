//! Converts a message's object to the JSON object.
//!
//! Values are not interpreted here. An unknown value is converted unchanged, so that enforcement leaves the value out: then both
//! transports leave out the same material with the same warnings.

use serde_json::Value;

use super::content::{ACTIVITY, PARTS};
use super::error::DecodeFault;
use crate::protocol::{JsonObject, Role, RunFinishedInterruptOutcome};

/// The relation between a message's fields and the JSON members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    AsItIs,
    /// A `oneof`: only one field may be set, and that field names the content's kind.
    Tagged,
    RunOutcome,
    SubagentOutcome,
    ResultContent,
    Message,
}

impl Shape {
    /// Returns the JSON for a message with complete members; `None` if the kind is unknown.
    pub(super) fn json(self, mut object: JsonObject) -> Result<Option<Value>, DecodeFault> {
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

/// An interrupted run has a list of interrupts, even an empty one.
fn run_outcome(object: &mut JsonObject) {
    outcome(object, &["pendingToolCallIds", "interrupts"], |kind, outcome| {
        if kind == RunFinishedInterruptOutcome::TYPE {
            outcome.entry("interrupts").or_insert_with(|| Vec::<Value>::new().into());
        }
    });
}

/// Moves an outcome's members into an object. Without an outcome they stay, and enforcement finds them.
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

/// Content without text is parts; absent parts are an empty list.
fn text_or_parts(object: &mut JsonObject, parts: Option<Value>) -> Result<(), DecodeFault> {
    match (object.contains_key("content"), parts) {
        (true, Some(_)) => Err(DecodeFault::TwoContents),
        (true, None) => Ok(()),
        (false, parts) => {
            object.insert("content".to_owned(), parts.unwrap_or_else(|| Vec::<Value>::new().into()));
            Ok(())
        }
    }
}

/// Chooses, by role, which of three fields is a message's content. For an unknown role the content is the only field that is set.
fn message(object: &mut JsonObject) -> Result<(), DecodeFault> {
    let role = object.get("role").and_then(Value::as_str).unwrap_or_default().parse();
    let (parts, activity) = (object.remove(PARTS), object.remove(ACTIVITY));
    let has_text = object.contains_key("content");
    match role {
        Ok(Role::User | Role::Tool) if activity.is_none() => text_or_parts(object, parts)?,
        Ok(Role::Activity) if parts.is_none() => {
            if has_text {
                return Err(DecodeFault::TwoContents);
            }
            object.extend(activity.map(|content| ("content".to_owned(), content)));
        }
        Ok(_) if parts.is_none() && activity.is_none() => {}
        Ok(_) => return Err(DecodeFault::ForeignContent),
        Err(_) => {
            if [has_text, parts.is_some(), activity.is_some()].iter().filter(|has| **has).count() > 1 {
                return Err(DecodeFault::TwoContents);
            }
            object.extend(parts.or(activity).map(|content| ("content".to_owned(), content)));
        }
    }
    Ok(())
}
