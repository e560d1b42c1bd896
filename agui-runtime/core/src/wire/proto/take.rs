//! The fast reader: from bytes directly into the types, for well-formed messages entirely within this version.
//!
//! The counterpart to [`scan`](crate::protocol::scan) for this transport, under the same rule: on anything unusual the fast reader
//! returns `None`, and the careful reader reads the message again.

use std::sync::Arc;

use serde_json::Value;

use super::fields::{Fields, Payload, integer};
use super::value;
use crate::protocol::forms::scan::KnownIds;
use crate::protocol::{
    InterruptId, JsonDocument, JsonObject, JsonPatch, MessageId, Metadata, NonNull, PatchOperation,
    ReasoningEncryptedValueSubtype, RunId, SubagentRunId, TextMessageRole, ThreadId, Timestamp, ToolCallId,
    ToolResultRole,
};

/// An event with a fast reader.
pub(super) trait Taken: Sized {
    /// Reads the event from the message in the envelope. `code` is the type's number.
    fn taken(bytes: &[u8], code: u8, ids: &mut KnownIds) -> Option<Self>;
}

/// A member type.
pub(super) trait Take: Sized {
    /// The part read so far.
    type Part: Default;

    fn take(part: &mut Self::Part, payload: Payload<'_>, ids: &mut KnownIds) -> Option<()>;

    fn finish(part: Self::Part) -> Option<Self>;
}

/// A member while the message is read.
pub(super) struct Slot<T: Take>(T::Part);

impl<T: Take> Slot<T> {
    /// Creates a slot for the member that `_of` selects.
    #[inline]
    pub(super) fn of<S>(_of: fn(&S) -> &T) -> Self {
        Self(T::Part::default())
    }

    #[inline]
    pub(super) fn take(&mut self, payload: Payload<'_>, ids: &mut KnownIds) -> Option<()> {
        T::take(&mut self.0, payload, ids)
    }

    #[inline]
    pub(super) fn finish(self) -> Option<T> {
        T::finish(self.0)
    }
}

/// The members that every event has.
#[derive(Default)]
pub(super) struct Base {
    seen: bool,
    /// The number of constant members seen.
    constants: usize,
    timestamp: Option<Timestamp>,
    raw_event: Option<NonNull>,
    metadata: Option<Metadata>,
}

impl Base {
    #[inline]
    pub(super) fn take(&mut self, payload: Payload<'_>, code: u8) -> Option<()> {
        let Payload::Bytes(bytes) = payload else { return None };
        if std::mem::replace(&mut self.seen, true) {
            return None;
        }
        match bytes {
            // Most events have only their type, and the type 0 is not written.
            [] => (code == 0).then_some(()),
            [0x08, found] => (*found == code).then_some(()),
            _ => self.take_all(bytes, code),
        }
    }

    /// Reads a member with one legal value.
    pub(super) fn constant(&mut self, payload: Payload<'_>, expected: &str) -> Option<()> {
        self.constants += 1;
        (text(payload)? == expected).then_some(())
    }

    /// Returns the members, if the base message and all `constants` constant members were present.
    #[inline]
    pub(super) fn finish(
        self,
        constants: usize,
    ) -> Option<(Option<Timestamp>, Option<NonNull>, Option<Metadata>)> {
        let is_whole = self.seen && self.constants == constants;
        is_whole.then_some((self.timestamp, self.raw_event, self.metadata))
    }

    fn take_all(&mut self, bytes: &[u8], code: u8) -> Option<()> {
        let (mut found, mut raw_event, mut metadata) = (0, None, None);
        let mut fields = Fields::new(bytes, 0);
        while let Some(field) = fields.next().ok()? {
            match (field.number, field.payload) {
                (1, Payload::Varint(bytes)) if bytes.len() <= 10 => found = integer(bytes),
                (2, Payload::Varint(bytes)) if self.timestamp.is_none() && bytes.len() <= 10 => {
                    self.timestamp = Some(Timestamp::from_millis(integer(bytes) as i64).ok()?);
                }
                (3, Payload::Bytes(bytes)) => value::read(&mut raw_event, bytes, 0, 0).ok()?,
                (4, Payload::Bytes(bytes)) => {
                    let object = metadata.get_or_insert_with(JsonObject::new);
                    value::read_object(object, bytes, 0, 0).ok()?;
                }
                _ => return None,
            }
        }
        if let Some(value) = raw_event {
            self.raw_event = Some(NonNull::new(value)?);
        }
        self.metadata = metadata.map(Metadata::from);
        (found == u64::from(code)).then_some(())
    }
}

#[inline]
pub(super) fn text(payload: Payload<'_>) -> Option<&str> {
    match payload {
        Payload::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        _ => None,
    }
}

/// Sets a part once; a second value is left to the careful reader.
#[inline]
fn once<T>(part: &mut Option<T>, value: T) -> Option<()> {
    match part {
        Some(_) => None,
        None => {
            *part = Some(value);
            Some(())
        }
    }
}

impl<T: Take<Part = Option<T>>> Take for Option<T> {
    type Part = Option<T>;

    #[inline]
    fn take(part: &mut Self::Part, payload: Payload<'_>, ids: &mut KnownIds) -> Option<()> {
        T::take(part, payload, ids)
    }

    #[inline]
    fn finish(part: Self::Part) -> Option<Self> {
        Some(part)
    }
}

impl Take for String {
    type Part = Option<Self>;

    #[inline]
    fn take(part: &mut Self::Part, payload: Payload<'_>, _: &mut KnownIds) -> Option<()> {
        once(part, text(payload)?.to_owned())
    }

    #[inline]
    fn finish(part: Self::Part) -> Option<Self> {
        Some(part.unwrap_or_default())
    }
}

macro_rules! ids {
    ($($Id:ident)*) => { $(
        impl Take for $Id {
            type Part = Option<Self>;

            #[inline]
            fn take(part: &mut Self::Part, payload: Payload<'_>, ids: &mut KnownIds) -> Option<()> {
                let id: Arc<str> = ids.share(text(payload)?);
                once(part, id.into())
            }

            #[inline]
            fn finish(part: Self::Part) -> Option<Self> {
                Some(part.unwrap_or_else(|| Self::from("")))
            }
        }
    )* };
}

ids! { ThreadId RunId MessageId ToolCallId SubagentRunId InterruptId }

/// Types without an empty form: an absent member is left to the careful reader, which reports the error.
macro_rules! needed {
    ($($Type:ty: $read:expr;)*) => { $(
        impl Take for $Type {
            type Part = Option<Self>;

            #[inline]
            fn take(part: &mut Self::Part, payload: Payload<'_>, _: &mut KnownIds) -> Option<()> {
                let read: fn(Payload<'_>) -> Option<Self> = $read;
                once(part, read(payload)?)
            }

            #[inline]
            fn finish(part: Self::Part) -> Option<Self> {
                part
            }
        }
    )* };
}

needed! {
    bool: |payload| match payload {
        Payload::Varint(bytes) if bytes.len() <= 10 => Some(integer(bytes) != 0),
        _ => None,
    };
    TextMessageRole: |payload| text(payload)?.parse().ok();
    ToolResultRole: |payload| text(payload)?.parse().ok();
    ReasoningEncryptedValueSubtype: |payload| text(payload)?.parse().ok();
    Value: any;
    JsonDocument: |payload| any(payload).map(Self::from);
    Box<JsonObject>: |payload| {
        let Payload::Bytes(bytes) = payload else { return None };
        let mut object = Self::default();
        value::read_object(&mut object, bytes, 0, 0).ok()?;
        Some(object)
    };
}

fn any(payload: Payload<'_>) -> Option<Value> {
    let Payload::Bytes(bytes) = payload else { return None };
    let mut place = None;
    value::read(&mut place, bytes, 0, 0).ok()?;
    place
}

impl Take for JsonPatch {
    type Part = Vec<PatchOperation>;

    fn take(part: &mut Self::Part, payload: Payload<'_>, _: &mut KnownIds) -> Option<()> {
        let Payload::Bytes(bytes) = payload else { return None };
        part.push(super::patch::taken(bytes)?);
        Some(())
    }

    fn finish(part: Self::Part) -> Option<Self> {
        Some(part.into())
    }
}
