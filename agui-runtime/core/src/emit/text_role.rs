//! Text message roles.

use crate::protocol::TextMessageRole;

/// A value that can be a text message's role: a [`TextMessageRole`].
///
/// Only that type implements the trait. The set is closed (AG-UI 1.0, section "Text messages"): a client refuses a stream with
/// another role.
///
/// ```
/// use agui_runtime::{Emit, protocol::TextMessageRole};
///
/// # async fn example(run: &Emit) {
/// run.say("The kitchen closes at ten.").role(TextMessageRole::System).await;
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "a text message has the role `developer`, `system`, `assistant` or `user` and no other",
    label = "not a role of a text message",
    note = "write one of `TextMessageRole::Developer`, `System`, `Assistant`, `User`; a name of the speaker goes to `.name(..)`"
)]
pub trait TextRole: sealed::Sealed {
    #[doc(hidden)]
    fn role(self) -> TextMessageRole;
}

impl TextRole for TextMessageRole {
    fn role(self) -> TextMessageRole {
        self
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::protocol::TextMessageRole {}
}
