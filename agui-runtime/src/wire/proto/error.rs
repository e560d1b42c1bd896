//! Why bytes are no event.

/// A message that is no event, and where it stops being one.
///
/// What comes after such a message is not asked for: the official client fails the run here (AG-UI 1.0, section "JSON ↔
/// protobuf"), and so does [`Intake::proto`](crate::receive::Intake::proto).
///
/// ```
/// use agui_runtime::wire::proto;
///
/// let error = proto::decode(&[0x7a, 0x07]).unwrap_err();
/// assert_eq!(error.to_string(), "at byte 2: the bytes end inside of a field");
/// assert_eq!(error.at(), 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("at byte {at}: {fault}")]
pub struct DecodeError {
    at: usize,
    fault: Fault,
}

impl DecodeError {
    #[cold]
    pub(super) fn new(at: usize, fault: Fault) -> Self {
        Self { at, fault }
    }

    /// How many bytes into the message.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// What is wrong there.
    #[must_use]
    pub fn fault(&self) -> Fault {
        self.fault
    }
}

/// What is wrong with a message.
///
/// ```
/// use agui_runtime::wire::proto::{self, Fault};
///
/// let error = proto::decode(&[0x7a, 0x07, 0x0a]).unwrap_err();
/// assert_eq!((error.at(), error.fault()), (2, Fault::Truncated));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A field or message is longer than what is there.
    #[error("the bytes end inside of a field")]
    Truncated,
    /// A number that no field can have, or a kind of payload that there is not.
    #[error("a field has a number or kind that there is not")]
    Key,
    /// An integer with more bytes than an integer has.
    #[error("an integer is too long")]
    Varint,
    /// An integer that JavaScript does not hold exactly.
    #[error("an integer is beyond 2^53 - 1")]
    Integer,
    /// Values or groups inside of each other beyond what a JSON reader takes.
    #[error("it is nested too deeply")]
    TooDeep,
    /// Nothing, or nothing that is an event.
    #[error("the message has no event")]
    NoEvent,
    /// Two kinds of event, of part or of source in the place of one.
    #[error("two things are said where one has to be")]
    TwoMembers,
    /// Every event carries what all events have, its type among it.
    #[error("the event has no `base_event`")]
    NoBase,
    /// The type inside of an event is not that of its place in the envelope.
    #[error("the event's type is not the type of its place in the envelope")]
    OtherType,
    /// Content as text and as parts, or as an activity's object.
    #[error("content is said in two ways")]
    TwoContents,
    /// Parts or an activity's object on a message whose role has no such content.
    #[error("a message has content of a kind that its role does not have")]
    ForeignContent,
}
