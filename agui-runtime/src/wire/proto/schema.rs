//! What a table of messages is made of.
//!
//! A table says of each field its number, how its absence is said, and which member of the Rust type it is; the type says the rest. From
//! one table come the writing of the message ([`Put`]), its careful reading into JSON ([`Row`]) and its fast reading into the type
//! ([`Take`](super::take::Take)).

use serde_json::Value;

use super::out::Out;
use super::shape::Shape;
use crate::protocol::{
    Count, InterruptId, JsonDocument, JsonObject, JsonPatch, MessageId, Metadata, NonNull,
    ReasoningEncryptedValueSubtype, ResumeStatus, RunId, SubagentRunId, TextMessageRole, ThreadId, Timestamp,
    ToolCallId, ToolResultRole,
};

/// What a field holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Text,
    Bool,
    /// As far as JavaScript holds integers exactly.
    Integer,
    /// The number of an event's type.
    EventType,
    /// The number of a patch operation's name.
    Operation,
    /// Any JSON value.
    Value,
    /// A JSON object.
    Struct,
    Message(&'static MessageTable),
}

/// How a field says that it has nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// It cannot: an empty text is left out, and reads as an empty text.
    Plain,
    /// By being left out.
    Optional,
    /// By being left out, as a list without elements is too.
    Repeated,
    /// It cannot: a list without elements is left out, and reads as one.
    List,
}

/// A field of a message.
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

/// A type that a message is made of.
pub(super) trait Body {
    const TABLE: MessageTable;

    /// Writes its fields, without those of the event around them.
    fn body(&self, out: &mut Out);
}

/// A type that a field is made of.
pub(super) trait Put {
    const KIND: Kind;

    /// Writes the field, whatever it holds.
    fn optional(&self, number: u32, out: &mut Out);

    /// Writes the field, unless it is what its absence says.
    fn plain(&self, number: u32, out: &mut Out) {
        self.optional(number, out);
    }

    /// Writes a field for each element.
    fn repeated(&self, number: u32, out: &mut Out) {
        self.optional(number, out);
    }

    /// The same.
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
        // Two's complement, as int64 has it.
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

/// The kind of the member that `_of` gives.
pub(super) const fn kind_of<S, T: Put>(_of: fn(&S) -> &T) -> Kind {
    T::KIND
}
