//! A thread's title, archive mark and metadata: the changes that clients ask for, and the append that makes one.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use serde_json::{Map, Value};
use tokio::time::{Instant, sleep};

use super::conversation::claiming::ClaimError;
use super::conversation::note::{ThreadDescription, ThreadNote};
use super::conversation::record::{ControlRecord, control_record};
use super::epoch::new_epoch;
use super::pump::LOOK;
use super::refusal::no_thread;
use super::store::{ServerThreads, no_clear_result};
use crate::json::RemoveMember as _;
use crate::json::limits::depth;
use crate::server::response::rejection::Rejection;
use crate::thread::{AppendError, LogAppend, ThreadKey};

/// The maximum length of a title in characters.
pub(super) const MAX_TITLE: usize = 200;

/// The maximum size of a thread's metadata as JSON, in bytes.
const MAX_METADATA: usize = 4 * 1024;

/// The maximum depth of a thread's metadata. In a note and in an entry the metadata lies deeper than in a request, and JSON's readers
/// bound the whole depth.
const MAX_DEPTH: usize = 32;

/// A client's change to a thread's description. Absent members stay as they are.
#[derive(Debug, Default)]
pub(in crate::server) struct DescriptionChange {
    /// `Some(None)` removes the title.
    title: Option<Option<String>>,
    archived: Option<bool>,
    /// A merge patch (RFC 7396).
    metadata: Option<Map<String, Value>>,
}

impl DescriptionChange {
    /// Reads a request's body.
    pub(super) fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = match serde_json::from_slice(body) {
            Ok(Value::Object(members)) => members,
            Ok(_) => return Err(invalid("expected an object", ".")),
            Err(error) => {
                let message = crate::json::message(&error);
                return Err(Rejection::new(StatusCode::BAD_REQUEST, "invalid_json", message)
                    .on(error.line(), error.column()));
            }
        };
        let mut change = Self::default();
        for (name, value) in members {
            change = match (&*name, value) {
                ("title", Value::Null) => change.title(None)?,
                ("title", Value::String(title)) => change.title(Some(title))?,
                ("archived", Value::Bool(archived)) => change.archived(archived),
                ("metadata", Value::Object(metadata)) => Self { metadata: Some(metadata), ..change },
                ("title", _) => return Err(invalid("expected a string, or null", "title")),
                ("archived", _) => return Err(invalid("expected true or false", "archived")),
                ("metadata", _) => return Err(invalid("expected an object", "metadata")),
                _ => return Err(invalid("expected `title`, `archived` or `metadata`", &name)),
            };
        }
        Ok(change)
    }

    /// Sets the title; `None` and the empty text remove the title.
    pub(in crate::server) fn title(self, title: Option<String>) -> Result<Self, Rejection> {
        if let Some(title) = &title {
            if title.chars().count() > MAX_TITLE {
                return Err(invalid(format!("a title has at most {MAX_TITLE} characters"), "title"));
            }
            if title.chars().any(char::is_control) {
                return Err(invalid("a title has no control characters", "title"));
            }
        }
        let title = title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
        Ok(Self { title: Some(title), ..self })
    }

    pub(in crate::server) fn archived(self, archived: bool) -> Self {
        Self { archived: Some(archived), ..self }
    }

    /// Changes a description. Returns false if nothing changes.
    pub(super) fn apply(&self, description: &mut ThreadDescription) -> Result<bool, Rejection> {
        let before = description.clone();
        if let Some(title) = &self.title {
            description.title.clone_from(title);
            description.title_attempts = 0;
        }
        if let Some(archived) = self.archived {
            description.archived = archived;
        }
        if let Some(patch) = &self.metadata {
            merge(&mut description.metadata, patch);
            let bytes = serde_json::to_vec(&description.metadata).map_or(usize::MAX, |text| text.len());
            if bytes > MAX_METADATA {
                let message =
                    format!("the metadata has at most {MAX_METADATA} bytes as JSON, and would have {bytes}");
                return Err(invalid(message, "metadata"));
            }
            if description.metadata.values().any(|value| depth(value) >= MAX_DEPTH) {
                return Err(invalid(format!("the metadata has at most {MAX_DEPTH} levels"), "metadata"));
            }
        }
        Ok(*description != before)
    }
}

fn invalid(message: impl Into<String>, path: &str) -> Rejection {
    Rejection::new(StatusCode::BAD_REQUEST, "invalid_thread", message).at(path)
}

/// Applies a merge patch to an object (RFC 7396, section 2). JSON's readers bound the depth.
fn merge(target: &mut Map<String, Value>, patch: &Map<String, Value>) {
    for (name, value) in patch {
        match value {
            Value::Null => drop(target.remove_member(name)),
            Value::Object(patch) => {
                let member = target.entry(name.clone()).or_insert(Value::Null);
                if !member.is_object() {
                    *member = Value::Object(Map::new());
                }
                if let Value::Object(member) = member {
                    merge(member, patch);
                }
            }
            value => drop(target.insert(name.clone(), value.clone())),
        }
    }
}

impl ServerThreads {
    /// Changes the description in a thread's note; `change` returns false if there is nothing to change, and may be called again after another
    /// writer's append.
    ///
    /// A thread at rest changes its note and epoch and gets no record, so that clients that have read the thread are at the end
    /// still. During a run the epoch is the owner's: a record tells the owner that the note is another. Other writers may be faster
    /// again and again: after a lease the change is refused as it is while the store gives no clear result.
    pub(super) async fn describe(
        self: &Arc<Self>,
        key: &ThreadKey,
        change: impl Fn(&mut ThreadNote) -> Result<bool, Rejection>,
    ) -> Result<(), Rejection> {
        let mut backoff = self.backoff();
        let patience = Instant::now() + self.options.lease / 2;
        loop {
            let (head, mut note) = self.head(key).await?;
            if note.runs.is_empty() {
                return Err(no_thread());
            }
            if !change(&mut note)? {
                return Ok(());
            }
            let bytes = note.to_bytes();
            // A note that no server can read would end the thread for good.
            ThreadNote::read(&bytes)?;
            let mut append = LogAppend {
                at: head.at,
                epoch: head.at.epoch,
                records: Vec::new(),
                note: Some(bytes),
                lease: None,
            };
            if note.open().is_none() {
                append.epoch = new_epoch().max(head.at.epoch + 1);
            } else {
                // The owner may have extended the lease since the head was read: a healthy owner has more left, and no change keeps
                // the run of a lost server alive.
                if let Some(left) = head.lease
                    && (Duration::from_millis(1)..self.options.lease / 2).contains(&left)
                    && Instant::now() < patience
                {
                    sleep(LOOK).await;
                    continue;
                }
                append.records.push(control_record(&ControlRecord::NoteChanged).map_err(ClaimError::from)?);
                // Only an owner that extends the lease has time left after the wait: half a lease is less than that owner has.
                append.lease = head
                    .lease
                    .map(|left| if left.is_zero() { left } else { left.max(self.options.lease / 2) });
            }
            match self.log.append(key, append).await {
                Ok(_) => return Ok(()),
                // After an unknown outcome too: a change that is made twice is as good as one.
                Err(AppendError::Conflict { .. } | AppendError::Unknown(_)) => {
                    if !backoff.wait().await {
                        return Err(no_clear_result().into());
                    }
                }
                Err(error) => return Err(ClaimError::from(error).into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The examples of RFC 7396, appendix A, for objects.
    #[test]
    fn metadata_is_merged_as_the_rfc_says() {
        for (target, patch, expected) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
            (json!({"a": {"b": "c"}}), json!({"a": {"b": "d", "c": null}}), json!({"a": {"b": "d"}})),
            (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
            (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
            (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
        ] {
            let mut merged = target.as_object().unwrap().clone();
            merge(&mut merged, patch.as_object().unwrap());
            assert_eq!(Value::Object(merged), expected, "{target} and {patch}");
        }
    }

    #[test]
    fn metadata_has_at_most_32_levels() {
        for (depth, is_taken) in [(1, true), (31, true), (32, true), (33, false), (100, false)] {
            for (open, close) in [(r#"{"a":"#, "}"), ("[", "]")] {
                let metadata = format!(r#"{{"b":{}1{}}}"#, open.repeat(depth - 1), close.repeat(depth - 1));
                let change =
                    DescriptionChange::read(format!(r#"{{"metadata":{metadata}}}"#).as_bytes()).unwrap();
                let changed = change.apply(&mut ThreadDescription::default());
                assert_eq!(changed.is_ok(), is_taken, "{metadata}");
            }
        }
    }

    #[test]
    fn a_change_to_the_same_values_is_known() {
        let mut description = ThreadDescription::default();
        for nothing in
            [r"{}", r#"{"title":null}"#, r#"{"title":" "}"#, r#"{"archived":false,"metadata":{"a":null}}"#]
        {
            let change = DescriptionChange::read(nothing.as_bytes()).unwrap();
            assert!(!change.apply(&mut description).unwrap(), "{nothing}");
        }
        let change = DescriptionChange::read(br#"{"title":"Tea"}"#).unwrap();
        assert!(change.apply(&mut description).unwrap() && !change.apply(&mut description).unwrap());
    }
}
