//! The careful reader's errors.

/// A message that is not an event, and the offset of the malformed byte.
///
/// Reading does not continue after such a message: the official client fails the run here (AG-UI 1.0, section "JSON ↔ protobuf"),
/// and so does [`FrameIntake::proto`](crate::receive::FrameIntake::proto).
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
    fault: DecodeFault,
}

impl DecodeError {
    #[cold]
    pub(super) fn new(at: usize, fault: DecodeFault) -> Self {
        Self { at, fault }
    }

    /// Returns the offset in the message, in bytes.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns the defect at that offset.
    #[must_use]
    pub fn fault(&self) -> DecodeFault {
        self.fault
    }
}

/// The defect in a malformed message.
///
/// ```
/// use agui_runtime::wire::proto::{self, DecodeFault};
///
/// let error = proto::decode(&[0x7a, 0x07, 0x0a]).unwrap_err();
/// assert_eq!((error.at(), error.fault()), (2, DecodeFault::Truncated));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeFault {
    /// A field or message is longer than the remaining bytes.
    #[error("the bytes end inside of a field")]
    Truncated,
    /// An invalid field number or wire type.
    #[error("a field has an invalid number or wire type")]
    Key,
    /// An integer with too many bytes.
    #[error("an integer is too long")]
    Varint,
    /// An integer that JavaScript does not represent exactly.
    #[error("an integer is beyond 2^53 - 1")]
    Integer,
    /// Values or groups nested deeper than a JSON reader accepts.
    #[error("a value is nested too deeply")]
    TooDeep,
    /// An empty message, or a message without an event.
    #[error("the message has no event")]
    NoEvent,
    /// Two events, parts or sources where one is allowed.
    #[error("two members are set where only one is allowed")]
    TwoMembers,
    /// An event without the base message, which contains the type.
    #[error("the event has no `base_event`")]
    NoBase,
    /// The event's type differs from the envelope field's type.
    #[error("the event's type is not the type of its field in the envelope")]
    OtherType,
    /// Content set both as text and as parts, or as text and as an activity's object.
    #[error("content is set in two forms")]
    TwoContents,
    /// Parts or an activity's object in a message whose role does not allow them.
    #[error("a message has a kind of content that its role does not allow")]
    ForeignContent,
}
