/// A field of a state that can show a text while somebody still writes it: what `#[tool(predict(..))]` writes into (see
/// [`tool`](macro@crate::tool)).
///
/// The type decides what a piece costs on the wire. A `String` is sent again with each piece; a
/// [`ChunkedText`](crate::ChunkedText) gets the piece alone. An `Option` is filled when the text begins.
///
/// ```
/// use agui_runtime::{ChunkedText, Streamed};
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
    /// Takes in what has become known: `text` is all of it, `new` its end that was not known before, the same when the
    /// text begins. Whatever was here, it says `text` afterwards.
    fn stream(&mut self, text: &str, new: &str);
}

impl Streamed for String {
    fn stream(&mut self, text: &str, _: &str) {
        self.clear();
        self.push_str(text);
    }
}

impl Streamed for crate::ChunkedText {
    fn stream(&mut self, text: &str, new: &str) {
        // Another length is not the beginning of this text: something older, or what somebody else wrote meanwhile.
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
