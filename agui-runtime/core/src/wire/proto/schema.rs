//! The vocabulary for message tables.
//!
//! A table lists each field's number, presence and Rust member; the member's type determines the rest. One table yields the
//! message's writer ([`Put`]), the careful reader into JSON ([`Row`]) and the fast reader into the type
//! ([`Take`](super::take::Take)).

use std::sync::Arc;

use serde_json::Value;

use super::out::Out;
use super::shape::Shape;
use crate::protocol::{
    Count, InterruptId, JsonDocument, JsonObject, JsonPatch, MessageId, Metadata, NonNull,
    ReasoningEncryptedValueSubtype, ResumeStatus, RunId, SubagentRunId, TextMessageRole, ThreadId, Timestamp,
    ToolCallId, ToolResultRole,
};

/// The type of a field's content.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Text,
    Bool,
    /// An integer that JavaScript represents exactly.
    Integer,
    /// An event type's number.
    EventType,
    /// A patch operation's number.
    Operation,
    /// Any JSON value.
    Value,
    /// A JSON object.
    Struct,
    Message(&'static MessageTable),
}

/// The meaning of an absent field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Required text: the empty text is not written, and an absent field is the empty text.
    Plain,
    /// Optional: an absent field is an absent member.
    Optional,
    /// Optional list: an absent field is an absent member, and so is an empty list.
    Repeated,
    /// Required list: an empty list is not written, and an absent field is an empty list.
    List,
}

/// A message field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) number: u32,
    pub(super) key: &'static str,
    pub(super) kind: Kind,
    pub(super) presence: Presence,
}

impl Row {
    pub(super) const fn plain(number: u32, key: &'static str, kind: Kind) -> Self {
        Self { number, key, kind, presence: Presence::Plain }
    }

    pub(super) const fn optional(number: u32, key: &'static str, kind: Kind) -> Self {
        Self { number, key, kind, presence: Presence::Optional }
    }

    pub(super) const fn repeated(number: u32, key: &'static str, kind: Kind) -> Self {
        Self { number, key, kind, presence: Presence::Repeated }
    }

    pub(super) const fn list(number: u32, key: &'static str, kind: Kind) -> Self {
        Self { number, key, kind, presence: Presence::List }
    }
}

/// A message.
#[derive(Debug)]
pub(super) struct MessageTable {
    pub(super) rows: &'static [Row],
    pub(super) shape: Shape,
}

impl MessageTable {
    pub(super) fn row(&self, number: u32) -> Option<&'static Row> {
        self.rows.iter().find(|row| row.number == number)
    }
}

/// A type whose value is a message.
pub(super) trait Body {
    const TABLE: MessageTable;

    /// Writes the fields, without those that every event has.
    fn body(&self, out: &mut Out);
}

/// A type whose value is a field.
pub(super) trait Put {
    const KIND: Kind;

    /// Writes the field, whatever the value.
    fn optional(&self, number: u32, out: &mut Out);

    /// Writes the field, unless an absent field means the same value.
    fn plain(&self, number: u32, out: &mut Out) {
        self.optional(number, out);
    }

    /// Writes a field for each element.
    fn repeated(&self, number: u32, out: &mut Out) {
        self.optional(number, out);
    }

    /// Writes a field for each element in a required list.
    fn list(&self, number: u32, out: &mut Out) {
        self.optional(number, out);
    }
}

impl<T: Put> Put for Option<T> {
    const KIND: Kind = T::KIND;

    #[inline]
    fn optional(&self, number: u32, out: &mut Out) {
        if let Some(value) = self {
            value.optional(number, out);
        }
    }
}

impl<T: Put> Put for Vec<T> {
    const KIND: Kind = T::KIND;

    fn optional(&self, number: u32, out: &mut Out) {
        for item in self {
            item.optional(number, out);
        }
    }
}

impl<T: Put> Put for Arc<[T]> {
    const KIND: Kind = T::KIND;

    fn optional(&self, number: u32, out: &mut Out) {
        for item in self.iter() {
            item.optional(number, out);
        }
    }
}

impl<T: Put> Put for Box<T> {
    const KIND: Kind = T::KIND;

    fn optional(&self, number: u32, out: &mut Out) {
        T::optional(self, number, out);
    }
}

impl Put for bool {
    const KIND: Kind = Kind::Bool;

    fn optional(&self, number: u32, out: &mut Out) {
        out.integer(number, (*self).into());
    }
}

macro_rules! texts {
    ($($Text:ident)*) => { $(
        impl Put for $Text {
            const KIND: Kind = Kind::Text;

            #[inline]
            fn optional(&self, number: u32, out: &mut Out) {
                out.text(number, self.as_str());
            }

            #[inline]
            fn plain(&self, number: u32, out: &mut Out) {
                out.plain_text(number, self.as_str());
            }
        }
    )* };
}

texts! {
    String ThreadId RunId MessageId ToolCallId SubagentRunId InterruptId
    TextMessageRole ToolResultRole ReasoningEncryptedValueSubtype ResumeStatus
}

impl Put for Timestamp {
    const KIND: Kind = Kind::Integer;

    fn optional(&self, number: u32, out: &mut Out) {
        // An int64 is two's complement.
        out.integer(number, self.millis() as u64);
    }
}

impl Put for Count {
    const KIND: Kind = Kind::Integer;

    fn optional(&self, number: u32, out: &mut Out) {
        out.integer(number, self.get());
    }
}

impl Put for Value {
    const KIND: Kind = Kind::Value;

    fn optional(&self, number: u32, out: &mut Out) {
        out.value(number, self);
    }
}

impl Put for NonNull {
    const KIND: Kind = Kind::Value;

    fn optional(&self, number: u32, out: &mut Out) {
        out.value(number, self);
    }
}

impl Put for JsonDocument {
    const KIND: Kind = Kind::Value;

    fn optional(&self, number: u32, out: &mut Out) {
        match (self.as_text(), self.value()) {
            (Some(text), _) => out.value_text(number, text),
            (None, Ok(value)) => out.value(number, &value),
            (None, Err(error)) => _ = out.error.get_or_insert(error),
        }
    }
}

impl Put for JsonObject {
    const KIND: Kind = Kind::Struct;

    fn optional(&self, number: u32, out: &mut Out) {
        out.object(number, self);
    }
}

impl Put for Metadata {
    const KIND: Kind = Kind::Struct;

    fn optional(&self, number: u32, out: &mut Out) {
        out.object(number, self);
    }
}

impl Put for JsonPatch {
    const KIND: Kind = Kind::Message(&super::patch::TABLE);

    fn optional(&self, number: u32, out: &mut Out) {
        super::patch::write(self, number, out);
    }
}

/// Returns the kind of member that `_of` selects.
pub(super) const fn kind_of<S, T: Put>(_of: fn(&S) -> &T) -> Kind {
    T::KIND
}
