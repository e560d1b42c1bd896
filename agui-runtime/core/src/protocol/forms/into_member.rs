//! Values that the constructors of protocol types take.

/// A value for a required member: everything that is `Into<T>`.
///
/// ```
/// use agui_runtime::protocol::{IntoMember, MessageId, UserMessage};
///
/// fn greeting(id: impl IntoMember<MessageId>) -> UserMessage {
///     UserMessage::new(id, "Hello")
/// }
///
/// assert_eq!(greeting("1").id, MessageId::from("1"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{T}` is expected, and `{Self}` does not convert into it",
    label = "a `{T}` is needed here",
    note = "one message is a list as `[UserMessage::new(\"1\", \"Hi\").into()]`; the messages of one kind as \
            `messages.into_iter().map(Message::from).collect::<Vec<_>>()`"
)]
pub trait IntoMember<T>: Into<T> {}

#[diagnostic::do_not_recommend]
impl<T, V: Into<T>> IntoMember<T> for V {}
