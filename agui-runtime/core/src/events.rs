//! The parts of the events of a run: references to messages and calls, roles, texts, and the errors of writing.
//!
//! [`Emit`](crate::Emit) and the guards that it opens are at the root of the crate; their futures are in [`future`](crate::future).
//!
//! | to | see |
//! |---|---|
//! | refer to a message or a call that was sent | [`MessageRef`], [`ReasoningRef`], [`CallRef`], [`ParentReceipt`], [`EncryptedEntity`] |
//! | choose the role of a message | [`TextRole`] |
//! | take any text | [`IntoText`], [`JsonPieces`] |
//! | send one message or call after the other | [`SerialStream`] |
//! | name the custom events of an agent in a bound | [`EventOf`] |
//! | name the activities of an agent in a bound | [`ActivityOf`] |
//! | match the errors | [`ActivityError`], [`CustomEventError`], [`DynamicError`] |

pub use crate::emit::{
    ActivityError, ActivityOf, CallRef, CustomEventError, DynamicError, EncryptedEntity, EventOf, IntoText,
    JsonPieces, MessageRef, ParentReceipt, ReasoningRef, SerialStream, TextRole,
};
