//! The whole conversation: restated by a snapshot, or echoed by a run's start.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{ReduceWarning, Reducer, ReducerChange, ReducerUpdate};
use crate::protocol::forms::print::JsonPrint as _;
use crate::protocol::{Message, MessageId, MessagesSnapshotEvent, Metadata, RunStartedEvent};

/// The metadata key with which a snapshot may claim to have all activities of some types: an official client convention.
const CLAIM: (&str, &str) = ("@ag-ui/client", "authoritativeActivityTypes");

/// The activities that a snapshot claims to have completely; activities left out are removed.
enum ActivityClaim<'e> {
    /// No claim.
    None,
    /// All activities.
    All,
    /// The activities with these types.
    Types(Vec<&'e str>),
}

impl Reducer {
    /// Merges a snapshot by id: known messages keep their place, new ones follow. Messages that stay with the client and that the
    /// agent does not know are kept.
    pub(super) fn restate(&mut self, event: &MessagesSnapshotEvent) -> ReducerUpdate {
        let snapshot = &event.messages;
        let claim = claim(event.metadata.as_ref());
        let has_activities = snapshot.iter().any(|message| matches!(message, Message::Activity(_)));
        let has_reasoning = snapshot.iter().any(|message| matches!(message, Message::Reasoning(_)));
        let stays = |message: &Message| match message {
            Message::Activity(activity) => match &claim {
                ActivityClaim::None => !has_activities,
                ActivityClaim::All => false,
                ActivityClaim::Types(types) => !types.contains(&activity.activity_type.as_str()),
            },
            Message::Reasoning(_) => !has_reasoning,
            _ => false,
        };
        // The last of two messages with one id replaces a known message; if the id is new, both are added.
        let by_id: HashMap<&MessageId, &Message> =
            snapshot.iter().map(|message| (message.id(), message)).collect();
        let (copies, mut crowded) = (&mut self.copies, None);
        self.conversation.rearrange(|messages| {
            messages.retain(|message| by_id.contains_key(message.id()) || stays(message));
            let mut sizes: HashMap<&MessageId, usize> = HashMap::new();
            for message in messages.iter_mut() {
                let Some((id, newer)) = by_id.get_key_value(message.id()) else { continue };
                // A peer may use one id many times; then one message of a snapshot must not be copied
                // without limit.
                let room = match sizes.entry(id) {
                    Entry::Vacant(first) => {
                        first.insert(bytes_of(newer));
                        true
                    }
                    Entry::Occupied(size) => copies.spend(*size.get()),
                };
                if room {
                    *message = Message::clone(newer);
                } else {
                    crowded.get_or_insert_with(|| message.id().clone());
                }
            }
            let known: HashSet<MessageId> = messages.iter().map(|message| message.id().clone()).collect();
            messages.extend(snapshot.iter().filter(|message| !known.contains(message.id())).cloned());
        });
        let limit = self.copies.limit();
        let warning = crowded.map(|id| ReduceWarning::TooManyOfOneId { id, limit });
        ReducerUpdate { warning, ..ReducerChange::Messages.into() }
    }

    /// Adds the messages that a run echoes: unknown ones go to the end.
    pub(super) fn add_echoed(&mut self, event: &RunStartedEvent) -> ReducerUpdate {
        let mut changed = false;
        for message in event.input.iter().flat_map(|input| &input.messages) {
            if !self.conversation.contains(message.id().as_str()) {
                self.conversation.push(message.clone());
                changed = true;
            }
        }
        ReducerUpdate::when(changed, ReducerChange::Messages)
    }
}

/// Estimates a message's memory by the JSON length.
fn bytes_of(message: &Message) -> usize {
    let mut text = Vec::new();
    message.print(&mut text);
    text.len() + size_of::<Message>()
}

fn claim(metadata: Option<&Metadata>) -> ActivityClaim<'_> {
    let (key, member) = CLAIM;
    let Some(value) = metadata.and_then(|metadata| metadata.get(key)) else { return ActivityClaim::None };
    // A malformed claim claims nothing, so that no activity is removed because of it.
    let Value::Object(value) = value else { return ActivityClaim::Types(Vec::new()) };
    match value.get(member) {
        None => ActivityClaim::None,
        Some(Value::Null) => ActivityClaim::All,
        Some(Value::Array(types)) => {
            ActivityClaim::Types(types.iter().map(Value::as_str).collect::<Option<_>>().unwrap_or_default())
        }
        Some(_) => ActivityClaim::Types(Vec::new()),
    }
}
