//! Fields that show a text while a model still writes it.

/// A state field that can show a text while a model still writes it: the place that `#[tool(predict(..))]` writes into (see
/// [`tool`](macro@crate::tool)).
///
/// The type decides what a piece costs on the wire. A `String` is sent again with each piece; for a
/// [`ChunkedText`](crate::state::ChunkedText) only the piece is sent. An `Option` is filled when the text begins.
///
/// ```
/// use agui_runtime::state::{ChunkedText, Streamed};
///
/// let (mut title, mut body) = (None::<String>, ChunkedText::from("what was there before"));
/// for (text, new) in [("Stir", "Stir"), ("Stir slowly", " slowly")] {
///     title.stream(text, new);
///     body.stream(text, new);
/// }
/// assert_eq!(title.as_deref(), Some("Stir slowly"));
/// assert!(body.pieces().eq(["Stir", " slowly"]));
/// ```
#[diagnostic::on_unimplemented(
    message = "a text cannot be streamed into `{Self}`",
    label = "cannot show a text that is still being written",
    note = "the place in the state is a `String`, a `ChunkedText`, or an `Option` of one"
)]
pub trait Streamed {
    /// Takes in a new piece: `text` is the whole text so far, `new` its new end, equal to `text` at the beginning. Afterwards the
    /// field's value is `text`, whatever it was before.
    fn stream(&mut self, text: &str, new: &str);
}

impl Streamed for String {
    fn stream(&mut self, text: &str, _: &str) {
        self.clear();
        self.push_str(text);
    }
}

impl Streamed for crate::state::ChunkedText {
    fn stream(&mut self, text: &str, new: &str) {
        // Another length means that the field does not hold the beginning of this text: it is older, or was
        // changed meanwhile.
        if self.len() + new.len() == text.len() {
            self.push(new);
        } else {
            self.clear();
            self.push(text);
        }
    }
}

impl<T: Streamed + Default> Streamed for Option<T> {
    fn stream(&mut self, text: &str, new: &str) {
        self.get_or_insert_default().stream(text, new);
    }
}

impl<T: Streamed + ?Sized> Streamed for Box<T> {
    fn stream(&mut self, text: &str, new: &str) {
        (**self).stream(text, new);
    }
}
