//! Members that earlier versions of the protocol do not have (AG-UI 1.1, section "Negotiation").

#[cfg(feature = "server")]
use crate::protocol::RunStartedEvent;
use crate::protocol::{Event, EventType, Message, ProtocolVersion};

/// The keys of all members that versions after the first have, in quotes.
#[cfg(any(test, feature = "server"))]
const LATER_MEMBERS: [&str; 1] = [r#""encryptedValueType""#];

/// True if the JSON of an event may have members that the version does not have.
#[cfg(feature = "server")]
pub(crate) fn has_later_members(json: &[u8], version: ProtocolVersion) -> bool {
    if version == ProtocolVersion::LATEST {
        return false;
    }
    let Ok(text) = std::str::from_utf8(json) else { return true };
    LATER_MEMBERS.iter().any(|member| text.contains(member))
}

/// Returns the version that the beginning of an event's JSON declares, and the place of the version; `None` if it declares none.
#[cfg(feature = "server")]
pub(crate) fn declared_version(head: &[u8]) -> Option<(&str, usize)> {
    let head = match std::str::from_utf8(head) {
        Ok(head) => head,
        // The head may end within a character.
        Err(error) => std::str::from_utf8(head.get(..error.valid_up_to())?).ok()?,
    };
    const MEMBER: &str = r#""protocolVersion":""#;
    let at = head.find(MEMBER)? + MEMBER.len();
    // The input of a run declares a version of its own.
    if head.find(r#""input":"#).is_some_and(|input| input < at) {
        return None;
    }
    let (declared, _) = head.get(at..)?.split_once('"')?;
    Some((declared, at))
}

/// An object with members that earlier versions do not have. `object!` implements the trait for each object with a `[since …]`;
/// objects around them are here, and a test finds a member that is out of reach.
pub(crate) trait VersionedObject {
    /// Removes the members that `version` does not have, and returns how many there were.
    fn restrict(&mut self, version: ProtocolVersion) -> usize;
}

/// Makes `restrict_members` from the code for each event, and `may_have_later_members`, which is true for the same events. A test
/// finds an event that is missing.
macro_rules! versioned_events {
    ($version:ident: $($Variant:ident($event:ident) => $restrict:expr,)*) => {
        impl EventType {
            /// True if an event of this type may have members that an earlier version does not have; see [`Event::restrict`].
            #[must_use]
            pub const fn may_have_later_members(self) -> bool {
                matches!(self, $(Self::$Variant)|*)
            }
        }

        fn restrict_members(event: &mut Event, $version: ProtocolVersion) -> usize {
            match event {
                $(Event::$Variant($event) => $restrict,)*
                _ => 0,
            }
        }
    };
}

versioned_events! { version:
    ReasoningEncryptedValue(event) => event.restrict(version),
    MessagesSnapshot(event) => event.messages.restrict(version),
    RunStarted(event) => {
        // A peer of an earlier version is answered with its version.
        let declared = event.protocol_version.as_deref().map(ProtocolVersion::from_declared);
        if declared > Some(version) {
            event.protocol_version = Some(version.as_str().to_owned());
        }
        event.input.as_deref_mut().map_or(0, |input| input.messages.restrict(version))
    },
}

impl Event {
    /// Removes the members that `version` does not have, and returns how many there were; `None` if `version` does not have the event
    /// at all, which its clients then must not get. RUN_STARTED declares `version` instead of a later version. For programs that send
    /// events to clients themselves; this crate's server does so for each client.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, ProtocolVersion, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype};
    ///
    /// let value = ReasoningEncryptedValueEvent::new(ReasoningEncryptedValueSubtype::Message, "m", "gAAA");
    /// let mut event = Event::from(value.clone().with_encrypted_value_type("acme.signature"));
    /// assert_eq!(event.restrict(ProtocolVersion::V1_0), Some(1));
    /// assert_eq!(event, value.into());
    /// ```
    #[must_use = "`None` means that the event must not be sent"]
    pub fn restrict(&mut self, version: ProtocolVersion) -> Option<usize> {
        match version {
            ProtocolVersion::LATEST => Some(0),
            _ if self.event_type().since() > version => None,
            _ => Some(restrict_members(self, version)),
        }
    }
}

#[cfg(feature = "server")]
impl RunStartedEvent {
    /// Declares the version of the client that reads the run, whichever client began the run.
    pub(crate) fn declare(&mut self, version: ProtocolVersion) {
        if self.protocol_version.is_some() {
            self.protocol_version = Some(version.as_str().to_owned());
        }
    }
}

impl VersionedObject for Vec<Message> {
    fn restrict(&mut self, version: ProtocolVersion) -> usize {
        self.iter_mut().map(|message| message.restrict(version)).sum()
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
            assert_eq!(event.event_type().may_have_later_members(), !later.is_empty(), "{name}");
            assert_eq!(event.restrict(ProtocolVersion::LATEST), Some(0));
            assert_eq!(event, before);
            let is_of_first = event.event_type().since() == ProtocolVersion::FIRST;
            assert_eq!(event.restrict(ProtocolVersion::FIRST), is_of_first.then_some(later.len()), "{name}");
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
