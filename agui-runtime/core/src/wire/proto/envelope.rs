//! The message `Event`: one member for each event type.

use std::borrow::Cow;

use serde_json::Value;

use super::careful;
use super::error::{DecodeError, DecodeFault};
use super::fields::{Fields, Payload};
use super::out::Out;
use super::schema::{Body, Kind, MessageTable, Put, Row};
use super::shape::Shape;
use super::take::Taken;
use crate::protocol::forms::scan::KnownIds;
use crate::protocol::*;

/// The members that every event has, in the first field.
const BASE: Row = Row::optional(1, "base_event", Kind::Message(&BASE_TABLE));

const BASE_TABLE: MessageTable = MessageTable {
    rows: &[
        Row::plain(1, "type", Kind::EventType),
        Row::optional(2, "timestamp", Kind::Integer),
        Row::optional(3, "rawEvent", Kind::Value),
        Row::optional(4, "metadata", Kind::Struct),
    ],
    shape: Shape::AsItIs,
};

/// One envelope member.
struct Member {
    number: u32,
    /// The type's number in `BaseEvent`.
    code: u8,
    event: EventType,
    table: MessageTable,
}

/// Makes the envelope's members from the event table; `careful` marks members without a fast reader.
macro_rules! define_members {
    ($(
        $WIRE:ident $Type:ident($Struct:ident) since $since:ident order $order:tt ids $ids:tt
            proto($number:literal $code:literal $way:ident) $($column:ident: $form:ident),+;
    )*) => {
        static MEMBERS: &[Member] = &[$(
            Member { number: $number, code: $code, event: EventType::$Type, table: <$Struct as Body>::TABLE },
        )*];

        /// Writes an event's message.
        pub(super) fn write(event: &Event, out: &mut Out) {
            match event { $(
                Event::$Type(event) => out.message($number, |out| {
                    write_base($code, event.timestamp, event.raw_event.as_ref(), event.metadata.as_ref(), out);
                    event.body(out);
                }),
            )* }
        }

        /// Reads an event with the fast reader; fails if the careful reader is needed.
        #[inline]
        pub(crate) fn take_into<E>(
            bytes: &[u8],
            ids: &mut KnownIds,
            place: &mut Result<Option<Event>, E>,
        ) -> Option<()> {
            let mut fields = Fields::new(bytes, 0);
            let member = fields.next().ok()??;
            let Payload::Bytes(bytes) = member.payload else { return None };
            if fields.next().ok()?.is_some() {
                return None;
            }
            match member.number {
                $($number => define_members!(@$way $Type $Struct bytes $code ids place),)*
                _ => return None,
            }
            Some(())
        }
    };

    (@fast $Type:ident $Struct:ident $bytes:ident $code:literal $ids:ident $place:ident) => {{
        let event = <$Struct as Taken>::taken($bytes, $code, $ids)?;
        *$place = Ok(Some(Event::$Type(event)));
    }};
    (@careful $($ignored:tt)*) => { return None };
}

event_table!(define_members);

#[inline]
fn write_base(
    code: u8,
    timestamp: Option<Timestamp>,
    raw_event: Option<&NonNull>,
    metadata: Option<&Metadata>,
    out: &mut Out,
) {
    match (code, timestamp, raw_event, metadata) {
        // The type 0 is not written; the message around it is, because every event has one.
        (0, None, None, None) => out.raw(&[0x0A, 0]),
        (code, None, None, None) => out.raw(&[0x0A, 2, 0x08, code]),
        _ => out.message(BASE.number, |out| {
            if code > 0 {
                out.integer(1, code.into());
            }
            timestamp.optional(2, out);
            raw_event.into_iter().for_each(|value| value.optional(3, out));
            metadata.into_iter().for_each(|metadata| metadata.optional(4, out));
        }),
    }
}

/// A decoded message.
///
/// ```
/// use agui_runtime::wire::proto::{Decoded, decode};
///
/// let Decoded::Event { json, lost } = decode(&[0x7a, 0x07, 0x0a, 0x02, 0x08, 0x0e, 0x12, 0x01, b's'])? else {
///     unreachable!("the message holds a step");
/// };
/// assert_eq!((json["stepName"].as_str(), lost.len()), (Some("s"), 0));
/// # Ok::<(), agui_runtime::wire::proto::DecodeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Decoded {
    /// An event.
    Event {
        /// The event's JSON, as far as this transport carries members, unchecked: [`FrameIntake`](crate::receive::FrameIntake) checks both
        /// transports.
        json: Value,
        /// The paths of parts that were left out because this version does not know their kind: `/content/2`.
        lost: Vec<String>,
    },
    /// An event with a type that this version does not know.
    Unknown,
}

/// Reads an event's message with the careful reader, as the official client does.
///
/// [`FrameIntake::proto`](crate::receive::FrameIntake::proto) does the same where needed and returns a typed event; use this function to
/// inspect a message.
///
/// ```
/// use agui_runtime::wire::proto::{self, Decoded};
/// use serde_json::json;
///
/// let message = [0x7a, 0x07, 0x0a, 0x02, 0x08, 0x0e, 0x12, 0x01, b's'];
/// let Decoded::Event { json, lost } = proto::decode(&message)? else { panic!("it is an event") };
/// assert_eq!(json, json!({ "type": "STEP_STARTED", "stepName": "s" }));
/// assert!(lost.is_empty());
/// # Ok::<(), proto::DecodeError>(())
/// ```
///
/// # Errors
/// [`DecodeError`] if the bytes are not protobuf, or not an event (AG-UI 1.0, section "JSON ↔ protobuf").
pub fn decode(message: &[u8]) -> Result<Decoded, DecodeError> {
    let mut fields = Fields::new(message, 0);
    let mut found: Option<(&Member, Cow<'_, [u8]>, usize)> = None;
    let mut named = None;
    let mut is_broken = false;
    while let Some(field) = fields.next()? {
        let Some(member) = MEMBERS.iter().find(|member| member.number == field.number) else { continue };
        match (field.payload, &mut found) {
            // Not a payload that a member can have; it does not count as a member.
            (Payload::Group, _) => {
                is_broken = true;
                continue;
            }
            (Payload::Bytes(bytes), Some((_, before, _))) => before.to_mut().extend_from_slice(bytes),
            (Payload::Bytes(bytes), None) => found = Some((member, Cow::Borrowed(bytes), field.at)),
            _ => is_broken = true,
        }
        if *named.get_or_insert(member.number) != member.number {
            return Err(DecodeError::new(field.at, DecodeFault::TwoMembers));
        }
    }
    let Some((member, bytes, at)) = found else {
        return if !is_broken && is_of_the_future(message) {
            Ok(Decoded::Unknown)
        } else {
            Err(DecodeError::new(0, DecodeFault::NoEvent))
        };
    };
    let mut lost = Vec::new();
    let event = careful::read(&member.table, Some(&BASE), &bytes, at, &mut lost)?;
    let Some(Value::Object(mut json)) = event else { return Err(DecodeError::new(at, DecodeFault::NoEvent)) };
    let Some(Value::Object(mut base)) = json.remove(BASE.key) else {
        return Err(DecodeError::new(at, DecodeFault::NoBase));
    };
    if base.insert("type".to_owned(), member.event.as_str().into()) != Some(member.code.into()) {
        return Err(DecodeError::new(at, DecodeFault::OtherType));
    }
    base.extend(json);
    Ok(Decoded::Event { json: base.into(), lost })
}

/// True if a message has only unknown events, and nothing malformed.
fn is_of_the_future(message: &[u8]) -> bool {
    let mut fields = Fields::new(message, 0).strict();
    let mut events = 0;
    loop {
        match fields.next() {
            Err(_) => return false,
            Ok(None) => return events > 0,
            Ok(Some(field)) => {
                if let Payload::Bytes(bytes) = field.payload {
                    if !is_message(bytes) {
                        return false;
                    }
                    events += 1;
                }
            }
        }
    }
}

/// True if bytes may be a message. The fields' content is not checked, because fields may contain text.
fn is_message(bytes: &[u8]) -> bool {
    let mut fields = Fields::new(bytes, 0).strict();
    loop {
        match fields.next() {
            Err(_) => return false,
            Ok(None) => return true,
            Ok(Some(_)) => {}
        }
    }
}
