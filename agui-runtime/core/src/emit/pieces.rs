//! Arguments in pieces, as a model writes them.

use std::vec;

use serde::Serialize;

/// A value's JSON text in pieces, for calls whose arguments are shown while they arrive: takes typed arguments and yields pieces
/// for [`push`](crate::Call::push). The concatenated pieces are the whole text.
///
/// ```
/// use agui_runtime::events::JsonPieces;
/// use agui_runtime::prelude::*;
///
/// /// Shows what there is to do.
/// #[tool(frontend)]
/// async fn plan(steps: Vec<String>);
///
/// /// Makes a plan, step by step.
/// #[agent(tools = [plan])]
/// async fn planner(run: &mut Run<Planner>, _: Input<Planner>) -> Result<(), Stop> {
///     let steps = ["chop", "stir"].map(str::to_owned).to_vec();
///     let mut call = run.tool::<plan>().await; // TOOL_CALL_START
///     for piece in JsonPieces::items(&plan { steps })? {
///         call.push(piece).await; // TOOL_CALL_ARGS
///     }
///     Err(Stop::await_frontend(call.end()?)) // TOOL_CALL_END
/// }
/// # let input = agui_runtime::protocol::RunAgentInput::new("thread", "run", vec![]);
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Planner::new(), input));
/// # assert_eq!(events.len(), 6);
/// ```
#[derive(Debug, Clone)]
pub struct JsonPieces(vec::IntoIter<String>);

/// A position after a character where the text may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CutPosition {
    /// A comma between two members, or a member's colon.
    Member,
    /// A comma between two list elements. `outermost` is true if no other list encloses the list.
    Element { outermost: bool },
    /// A space in a string.
    Word,
}

impl JsonPieces {
    /// Cuts after every comma and colon.
    ///
    /// # Errors
    /// [`serde_json::Error`] if the value has no JSON form.
    ///
    /// ```
    /// let pieces: Vec<_> = agui_runtime::events::JsonPieces::tokens(&serde_json::json!({ "n": [1, 2] }))?.collect();
    /// assert_eq!(pieces, [r#"{"n":"#, "[1,", "2]}"]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn tokens<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Self::cut(value, |place| place != CutPosition::Word)
    }

    /// Cuts after every comma and colon, and after every space inside strings, as most models write.
    ///
    /// # Errors
    /// [`serde_json::Error`] if the value has no JSON form.
    ///
    /// ```
    /// let pieces: Vec<_> = agui_runtime::events::JsonPieces::words(&serde_json::json!({ "text": "a long story" }))?.collect();
    /// assert_eq!(pieces, [r#"{"text":"#, r#""a "#, "long ", r#"story"}"#]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn words<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Self::cut(value, |_| true)
    }

    /// Cuts after every element in an outermost list, whatever the element contains.
    ///
    /// # Errors
    /// [`serde_json::Error`] if the value has no JSON form.
    ///
    /// ```
    /// let pieces: Vec<_> = agui_runtime::events::JsonPieces::items(&serde_json::json!({ "rows": [[1, 2], [3]] }))?.collect();
    /// assert_eq!(pieces, [r#"{"rows":[[1,2],"#, "[3]]}"]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn items<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Self::cut(value, |place| place == CutPosition::Element { outermost: true })
    }

    fn cut<T: Serialize + ?Sized>(
        value: &T,
        is_cut: impl Fn(CutPosition) -> bool,
    ) -> Result<Self, serde_json::Error> {
        let text = serde_json::to_string(value)?;
        let (mut pieces, mut piece) = (Vec::new(), String::new());
        // One entry for each open list or object: true for a list.
        let mut lists: Vec<bool> = Vec::new();
        let (mut in_text, mut is_escaped) = (false, false);
        for character in text.chars() {
            piece.push(character);
            let mut place = None;
            if in_text {
                place = (character == ' ').then_some(CutPosition::Word);
                in_text = is_escaped || character != '"';
                is_escaped = !is_escaped && character == '\\';
            } else {
                match character {
                    '"' => in_text = true,
                    '[' | '{' => lists.push(character == '['),
                    ']' | '}' => drop(lists.pop()),
                    ':' => place = Some(CutPosition::Member),
                    ',' if lists.last() == Some(&true) => {
                        let outermost = lists.iter().filter(|is_list| **is_list).count() == 1;
                        place = Some(CutPosition::Element { outermost });
                    }
                    ',' => place = Some(CutPosition::Member),
                    _ => {}
                }
            }
            if place.is_some_and(&is_cut) {
                pieces.push(std::mem::take(&mut piece));
            }
        }
        pieces.push(piece);
        Ok(Self(pieces.into_iter()))
    }
}

impl Iterator for JsonPieces {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.0.next()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::JsonPieces;

    #[test]
    fn the_pieces_are_the_whole_text() {
        let values = [
            json!(null),
            json!("a \"quoted, text\": \\ [x] "),
            json!({ "a": [1, [2, 3], { "b": [4, 5] }], "c, d": { "e": "f g" }, "": [] }),
            json!([["\\", "\\\" "], {}]),
        ];
        for value in values {
            for pieces in [JsonPieces::tokens(&value), JsonPieces::words(&value), JsonPieces::items(&value)] {
                let pieces: Vec<String> = pieces.unwrap().collect();
                let text = pieces.concat();
                assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value, "{pieces:?}");
                assert!(pieces.iter().all(|piece| !piece.is_empty()), "{pieces:?}");
            }
        }
    }

    #[test]
    fn only_words_cuts_inside_texts() {
        let value = json!(["a, b: c", "d"]);
        let pieces = |pieces: Result<JsonPieces, _>| pieces.unwrap().collect::<Vec<_>>();
        assert_eq!(pieces(JsonPieces::tokens(&value)), ["[\"a, b: c\",", "\"d\"]"]);
        assert_eq!(pieces(JsonPieces::words(&value)), ["[\"a, ", "b: ", "c\",", "\"d\"]"]);
        let inner = json!({ "a": [{ "x": [1, 2], "y": 0 }, { "x": [3, 4] }] });
        assert_eq!(pieces(JsonPieces::items(&inner)), [r#"{"a":[{"x":[1,2],"y":0},"#, r#"{"x":[3,4]}]}"#]);
    }
}
