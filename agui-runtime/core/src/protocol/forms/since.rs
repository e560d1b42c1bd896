//! Members that earlier versions of the protocol do not have (AG-UI 1.1, section "Negotiation").

use crate::protocol::{Event, EventType, Message, ProtocolVersion, RunAgentInput};

/// The keys of all members that versions after the first have, in quotes.
#[cfg(any(test, feature = "server"))]
const LATER_MEMBERS: [&str; 1] = [r#""encryptedValueType""#];

/// True if the JSON of events may have what the version does not have: members, or the declaration of a later version. The text of a
/// run that a client of this version began declares this version.
#[cfg(feature = "server")]
pub(crate) fn has_later_members(json: &[u8], version: ProtocolVersion) -> bool {
    let Ok(text) = std::str::from_utf8(json) else { return true };
    let later = ProtocolVersion::ALL.iter().filter(|known| **known > version);
    let mut declared = later.map(|later| format!(r#""protocolVersion":"{later}""#));
    LATER_MEMBERS.iter().any(|member| text.contains(member))
        || declared.any(|declared| text.contains(&declared))
}

/// An object with members that earlier versions do not have. `object!` implements the trait for each object with a `[since …]`;
/// objects around them are here, and a test finds a member that is out of reach.
pub(crate) trait VersionedObject {
    /// Removes the members that `version` does not have, and returns how many there were.
    fn restrict(&mut self, version: ProtocolVersion) -> usize;
}

impl Event {
    /// True if an earlier version may have fewer members.
    pub(crate) fn may_have_later_members(&self) -> bool {
        self.event_type().may_have_later_members()
    }
}

impl EventType {
    /// True if an earlier version may have fewer members in such an event.
    pub(crate) const fn may_have_later_members(self) -> bool {
        matches!(self, Self::ReasoningEncryptedValue | Self::MessagesSnapshot | Self::RunStarted)
    }
}

impl VersionedObject for Event {
    fn restrict(&mut self, version: ProtocolVersion) -> usize {
        if version == ProtocolVersion::LATEST {
            return 0;
        }
        match self {
            Self::ReasoningEncryptedValue(event) => event.restrict(version),
            Self::MessagesSnapshot(event) => {
                event.messages.iter_mut().map(|message| message.restrict(version)).sum()
            }
            Self::RunStarted(event) => {
                // A peer of an earlier version is answered with its version.
                let is_ours =
                    |known: &ProtocolVersion| Some(known.as_str()) == event.protocol_version.as_deref();
                if ProtocolVersion::ALL.iter().any(|known| *known > version && is_ours(known)) {
                    event.protocol_version = Some(version.as_str().to_owned());
                }
                event.input.as_deref_mut().map_or(0, |input| input.restrict(version))
            }
            _ => 0,
        }
    }
}

impl VersionedObject for RunAgentInput {
    fn restrict(&mut self, version: ProtocolVersion) -> usize {
        self.messages.iter_mut().map(|message| message.restrict(version)).sum()
    }
}

impl VersionedObject for Message {
    fn restrict(&mut self, version: ProtocolVersion) -> usize {
        match self {
            Self::Developer(message) => message.restrict(version),
            Self::System(message) => message.restrict(version),
            Self::User(message) => message.restrict(version),
            Self::Tool(message) => message.restrict(version),
            Self::Reasoning(message) => message.restrict(version),
            Self::Activity(_) => 0,
            Self::Assistant(message) => {
                let calls = message.tool_calls.iter_mut().flatten();
                calls.map(|call| call.restrict(version)).sum::<usize>() + message.restrict(version)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::protocol::forms::shape::{JsonShape, MemberShape, ShapedType};

    /// Returns an object with all members, at any depth, and the lowest version of each.
    fn whole(shape: &'static JsonShape, later: &mut Vec<&'static MemberShape>) -> Value {
        match shape {
            JsonShape::Text | JsonShape::Any | JsonShape::NonNull | JsonShape::NullIsAbsent => json!("text"),
            JsonShape::Literal(text) => json!(text),
            JsonShape::OneOf(texts) => json!(texts[0]),
            JsonShape::Pointer => json!("/place"),
            JsonShape::Boolean => json!(true),
            JsonShape::Integer { min } => json!(min),
            JsonShape::Open => json!({}),
            JsonShape::Object(object) => {
                later.extend(object.members.iter().filter(|member| member.since > ProtocolVersion::FIRST));
                object
                    .members
                    .iter()
                    .map(|member| (member.key.to_owned(), whole(member.shape, later)))
                    .collect()
            }
            JsonShape::Union(union) => whole(union.variants[0].1, later),
            JsonShape::List { of, .. } | JsonShape::TextOrList { of } => match of {
                JsonShape::Union(union) => {
                    union.variants.iter().map(|(_, shape)| whole(shape, later)).collect()
                }
                of => json!([whole(of, later)]),
            },
        }
    }

    fn mentions(value: &Value, key: &str) -> bool {
        match value {
            Value::Object(members) => members.iter().any(|(name, value)| name == key || mentions(value, key)),
            Value::Array(values) => values.iter().any(|value| mentions(value, key)),
            _ => false,
        }
    }

    #[test]
    fn no_member_reaches_a_version_that_does_not_have_it() {
        let JsonShape::Union(events) = Event::SHAPE else { panic!("an event is a union") };
        let (mut restricted, mut keys) = (0, BTreeSet::new());
        for (name, shape) in events.variants {
            let mut later = Vec::new();
            let event = whole(shape, &mut later);
            let mut event: Event =
                serde_json::from_value(event).unwrap_or_else(|error| panic!("{name}: {error}"));
            let before = event.clone();
            assert_eq!(event.may_have_later_members(), !later.is_empty(), "{name}");
            assert_eq!(event.restrict(ProtocolVersion::LATEST), 0);
            assert_eq!(event, before);
            assert_eq!(event.restrict(ProtocolVersion::FIRST), later.len(), "{name}");
            let left = serde_json::to_value(&event).unwrap();
            for member in &later {
                assert!(!mentions(&left, member.key), "{name} keeps `{}`", member.key);
            }
            restricted += later.len();
            keys.extend(later.iter().map(|member| member.key));
        }
        assert!(keys.iter().all(|key| LATER_MEMBERS.contains(&format!("\"{key}\"").as_str())), "{keys:?}");
        assert_eq!(restricted, 1 + 2 * 7, "one event, and twice six kinds of messages with one kind of call");
    }
}
