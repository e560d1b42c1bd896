//! `ChunkedText`: a text that grows by appending, sent in chunks.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::StateNode;
use super::super::engine::{JsonOut, PatchText, StatePath, ValueToken};
use super::stamp::{FlushStamp, RecordCoverage};

/// A text that grows piece by piece, as a model writes it, and is sent piece by piece.
///
/// JSON Patch cannot append to a string, so each token in a growing `String` sends the whole string again. A `ChunkedText` is an
/// array of strings in JSON; a piece is one appended element and costs the same however long the text is. Readers join the array.
/// In Rust the text reads as one `str`.
///
/// A field for the text that a tool's `predict` shows while a model writes it (see [`tool`](macro@crate::tool)):
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::state::ChunkedText;
///
/// /// Tells a story.
/// #[tool(frontend, predict(text = "story"))]
/// async fn tell(story: &StateHandle<ChunkedText>, text: String) -> bool;
///
/// /// Tells stories.
/// #[agent(state = ChunkedText, tools = [tell])]
/// async fn teller(run: &mut Run<Teller>, input: Input<Teller>) -> Result<(), Stop> {
///     let story = run.state().snapshot(&ChunkedText::new()).await?;
///     let mut call = run.tool::<tell>().await;
///     call.push(r#"{"text":"Once"#).await;
///     call.push(r#" upon a time"#).await; // one more piece: STATE_DELTA [{"op":"add","path":"/-","value":" upon a time"}]
///     assert!(story.read(|story| story.pieces().eq(["Once", " upon a time"]))?);
///     call.push(r#""}"#).await;
///     Err(Stop::await_frontend([call.end()?]))
/// }
/// # let input = agui_runtime::protocol::RunAgentInput::new("thread", "run", vec![]).with_protocol_version("1.0");
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Teller::new(), input));
/// # assert_eq!(serde_json::to_value(events.last()).unwrap()["type"], "RUN_FINISHED");
/// ```
///
/// By itself:
///
/// ```
/// use agui_runtime::state::{ChunkedText, Shadow, StateChange};
///
/// let mut story = ChunkedText::from("Once upon a time, when stories were still told and not yet sent ");
/// let (mut shadow, _snapshot) = Shadow::start(&story)?;
///
/// story.push("in pieces");
/// assert!(story.ends_with("sent in pieces"));
/// assert_eq!(shadow.flush(&story)?, StateChange::Delta(r#"[{"op":"add","path":"/-","value":"in pieces"}]"#));
/// # Ok::<(), agui_runtime::state::StateError>(())
/// ```
#[derive(Clone)]
pub struct ChunkedText {
    text: String,
    /// The end of each piece.
    ends: Vec<usize>,
    /// The number of pieces that are unchanged since the last flush.
    kept: usize,
    stamp: FlushStamp,
}

impl ChunkedText {
    /// Returns an empty [`ChunkedText`].
    #[must_use]
    pub fn new() -> Self {
        Self { text: String::new(), ends: Vec::new(), kept: 0, stamp: FlushStamp::new() }
    }

    /// Appends a piece. An empty one is ignored.
    pub fn push(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        self.begin();
        self.text.push_str(piece);
        self.ends.push(self.text.len());
    }

    /// Makes this the whole text: only the new end is sent if the text grew, as a text that a model writes does.
    ///
    /// ```
    /// use agui_runtime::state::ChunkedText;
    ///
    /// let mut body = ChunkedText::from("Stir");
    /// body.stream_to("Stir slowly");
    /// assert!(body.pieces().eq(["Stir", " slowly"]));
    /// ```
    pub fn stream_to(&mut self, text: &str) {
        match text.strip_prefix(self.text.as_str()) {
            Some(new) => self.push(new),
            None => {
                self.clear();
                self.push(text);
            }
        }
    }

    /// Removes all pieces.
    pub fn clear(&mut self) {
        self.begin();
        self.truncate(0);
    }

    /// Returns the whole text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the pieces, in order.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = &str> {
        self.pieces_from(0)
    }

    fn pieces_from(&self, first: usize) -> impl ExactSizeIterator<Item = &str> {
        let mut start = first.checked_sub(1).and_then(|before| self.ends.get(before).copied()).unwrap_or(0);
        self.ends.get(first..).unwrap_or_default().iter().map(move |&end| {
            let piece = self.text.get(start..end).unwrap_or_default();
            start = end;
            piece
        })
    }

    fn begin(&mut self) {
        if self.stamp.begin() {
            self.kept = self.ends.len();
        }
    }

    fn truncate(&mut self, pieces: usize) {
        self.ends.truncate(pieces);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
        self.kept = self.kept.min(pieces);
    }

    /// Returns the number of equal pieces at the start.
    fn common(&self, now: &Self) -> usize {
        self.pieces().zip(now.pieces()).take_while(|(old, now)| old == now).count()
    }
}

#[diagnostic::do_not_recommend]
impl StateNode for ChunkedText {
    const MIN: usize = 2;

    fn same(&self, now: &Self) -> bool {
        self.ends == now.ends && self.text == now.text
    }

    fn write(&self, out: &mut JsonOut) {
        out.byte(b'[');
        for piece in self.pieces() {
            if out.is_full() {
                break;
            }
            out.comma();
            out.str(piece);
        }
        out.byte(b']');
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        let common = match self.stamp.compared(&now.stamp) {
            RecordCoverage::Same => return,
            RecordCoverage::Recorded => now.kept,
            RecordCoverage::Nothing => self.common(now),
        };
        if at.is_deep() {
            if !self.same(now) {
                out.set(at, now);
            }
        } else {
            let mark = out.mark();
            for gone in (common..self.ends.len()).rev() {
                out.remove(&at.index(gone));
            }
            for piece in now.pieces_from(common) {
                out.insert(&at.end(), &TextPiece(piece));
            }
            out.settle(mark, at, now);
        }
        self.truncate(common);
        for piece in now.pieces_from(common) {
            self.text.push_str(piece);
            self.ends.push(self.text.len());
        }
        self.stamp.agree(&now.stamp);
    }

    fn floor(&self) -> usize {
        // Each piece has two quotes, and a comma or a bracket.
        (self.text.len() + 3 * self.ends.len() + 1).max(2)
    }

    fn token(&self, token: &mut ValueToken) {
        token.number(self.ends.len() as u64);
        token.bytes(self.text.as_bytes());
    }
}

struct TextPiece<'a>(&'a str);

impl super::super::engine::WriteJson for TextPiece<'_> {
    fn json(&self, out: &mut JsonOut) {
        out.str(self.0);
    }

    fn least(&self) -> usize {
        self.0.len() + 2
    }
}

impl Default for ChunkedText {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for ChunkedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ChunkedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for ChunkedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.pieces()).finish()
    }
}

impl fmt::Write for ChunkedText {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.push(piece);
        Ok(())
    }
}

impl PartialEq for ChunkedText {
    fn eq(&self, other: &Self) -> bool {
        self.same(other)
    }
}

impl Eq for ChunkedText {}

impl From<&str> for ChunkedText {
    fn from(text: &str) -> Self {
        Self::from_iter([text])
    }
}

impl From<String> for ChunkedText {
    fn from(text: String) -> Self {
        Self::from_iter([text])
    }
}

impl<S: AsRef<str>> Extend<S> for ChunkedText {
    fn extend<I: IntoIterator<Item = S>>(&mut self, pieces: I) {
        pieces.into_iter().for_each(|piece| self.push(piece.as_ref()));
    }
}

impl<S: AsRef<str>> FromIterator<S> for ChunkedText {
    fn from_iter<I: IntoIterator<Item = S>>(pieces: I) -> Self {
        let mut text = Self::new();
        text.extend(pieces);
        text
    }
}

impl Serialize for ChunkedText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.pieces())
    }
}

impl<'de> Deserialize<'de> for ChunkedText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut text = Self::new();
        for piece in Vec::<Cow<'_, str>>::deserialize(deserializer)? {
            // Empty pieces are kept, so that the text is written as it was read.
            text.text.push_str(&piece);
            text.ends.push(text.text.len());
        }
        Ok(text)
    }
}

impl JsonSchema for ChunkedText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ChunkedText".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<String>::json_schema(generator)
    }
}
