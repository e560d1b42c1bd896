//! A state beside the copy that was sent.

use std::fmt::Debug;

use agui_runtime::State;
use agui_runtime::state::{Shadow, StateChange, StateError};
use serde_json::Value;

use super::{applied, read, same_json};

/// A [`Shadow`] and its client: deltas, and the whole document where that is shorter or the only way.
#[derive(Debug)]
pub struct Shadowed<T> {
    shadow: Shadow<T>,
    client: Value,
    /// The length of the last whole document.
    whole: usize,
    /// The flush before was refused, so the next must be whole.
    refused: bool,
    clashes: bool,
}

/// Documents up to this length may have deltas of their own length.
const SMALL: usize = 512;

/// Above this length a pass may have given up before it found the shorter form.
const SURE: usize = 2048;

impl<T: State + Debug> Shadowed<T> {
    /// Starts from a state that the client gets whole.
    #[must_use]
    pub fn new(start: &T) -> Self {
        let (shadow, text) = Shadow::start(start).unwrap_or_else(|cause| panic!("{cause}: {start:?}"));
        Self { shadow, client: read(&text), whole: text.len(), refused: false, clashes: false }
    }

    /// Allows unreadable values: names may occur twice.
    #[must_use]
    pub fn clashes(mut self, clashes: bool) -> Self {
        self.clashes = clashes;
        self
    }

    /// Sends `now` to the client. serde writes it as `text`, and the engine's shortest patch has `shortest` bytes.
    pub fn flush(&mut self, now: &T, text: &str, shortest: usize, context: &dyn Fn() -> String) {
        let after = read(text);
        let unchanged = same_json(&self.client, &after);
        // A list's lower bound may count for more than the last whole document, never for more than this one.
        let (least, most) = (budget(self.whole), budget(self.whole.max(text.len())));
        match self.shadow.flush(now).unwrap_or_else(|cause| panic!("{cause}{}", context())) {
            StateChange::Nothing => assert!(unchanged && !self.refused, "nothing said{}", context()),
            StateChange::Delta(patch) => {
                assert!(!self.refused, "a delta after a lost flush{}", context());
                assert!(patch.len() <= most, "{} bytes for {}{}", patch.len(), self.whole, context());
                assert!(!unchanged || self.clashes, "something for nothing{}", context());
                applied(&mut self.client, patch, context);
            }
            StateChange::Snapshot(whole) => {
                // Members of unsorted maps stay where the client had them.
                assert!(same_json(&read(whole), &after), "not the whole: {whole}{}", context());
                let expected = shortest > least || self.refused || self.whole.max(text.len()) > SURE;
                assert!(expected, "a delta has only {shortest} bytes{}", context());
                assert!(!unchanged || self.clashes || self.refused, "something for nothing{}", context());
                (self.client, self.whole) = (read(whole), whole.len());
            }
        }
        assert!(same_json(&self.client, &after), "the client has {}{}", self.client, context());
        let again = self.shadow.flush(now).unwrap_or_else(|cause| panic!("{cause}{}", context()));
        assert_eq!(again, StateChange::Nothing, "sent again{}", context());
        self.refused = false;
    }

    /// A value without a JSON form: nothing is sent, by any way.
    pub fn refuse(&mut self, now: &T) {
        for _ in 0..2 {
            assert!(matches!(self.shadow.flush(now), Err(StateError::Json(_))), "{now:?}");
        }
        self.refused = true;
    }
}

fn budget(document: usize) -> usize {
    document.min(SMALL).max(document / 2)
}
