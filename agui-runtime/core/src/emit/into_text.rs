//! The texts that a write takes.

/// A value that can become an event's text: every type that converts into a `String`.
///
/// `&str`, `String`, `Cow<str>`, the result of `format!`, and your own types with `impl From<Mine> for String`:
///
/// ```
/// use std::borrow::Cow;
///
/// # async fn example(run: &agui_runtime::Emit, name: Cow<'_, str>) {
/// let mut text = run.message().await;
/// text.push("Hello, ").await;
/// text.push(name).await;
/// text.push('!').await;
/// text.push(format!(" It is {} o'clock.", 9)).await;
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "the `delta` of a content event is a string, and `{Self}` is not text",
    label = "not text",
    note = "make text of it: `.to_string()`, or `format!(\"..\")`"
)]
pub trait IntoText {
    #[doc(hidden)]
    fn into_text(self) -> String;
}

#[diagnostic::do_not_recommend]
impl<T: Into<String>> IntoText for T {
    #[inline]
    fn into_text(self) -> String {
        self.into()
    }
}
