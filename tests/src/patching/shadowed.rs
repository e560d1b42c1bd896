use std::fmt::Debug;

use agui_runtime::{Change, Shadow, State, StateError};
use serde_json::Value;

use super::{applied, read, same_json};

/// A [`Shadow`] and the client it speaks to: deltas, and the whole where that is the better choice or the only one.
#[derive(Debug)]
pub struct Shadowed<T> {
    shadow: Shadow<T>,
    client: Value,
    /// How long the last whole document was.
    whole: usize,
    /// The flush before was refused, so the next must be whole.
    refused: bool,
    clashes: bool,
}

/// Documents up to this length may have deltas as long as they.
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

    /// Lets what nobody reads be sent: names may be there twice.
    #[must_use]
    pub fn clashes(mut self, clashes: bool) -> Self {
        self.clashes = clashes;
        self
    }

    /// Tells the client of `now`, which serde writes as `text` and the engine can say in so many bytes.
    pub fn flush(&mut self, now: &T, text: &str, shortest: usize, context: &dyn Fn() -> String) {
        let after = read(text);
        let unchanged = same_json(&self.client, &after);
        // What a list is at least may count for more than the last whole document, never for more than this one.
        let (least, most) = (budget(self.whole), budget(self.whole.max(text.len())));
        match self.shadow.flush(now).unwrap_or_else(|cause| panic!("{cause}{}", context())) {
            Change::Nothing => assert!(unchanged && !self.refused, "nothing said{}", context()),
            Change::Delta(patch) => {
                assert!(!self.refused, "a delta after a lost flush{}", context());
                assert!(patch.len() <= most, "{} bytes for {}{}", patch.len(), self.whole, context());
                assert!(!unchanged || self.clashes, "something for nothing{}", context());
                applied(&mut self.client, patch, context);
            }
            Change::Snapshot(whole) => {
                // Members of what is not sorted stay where the client had them.
                assert!(same_json(&read(whole), &after), "not the whole: {whole}{}", context());
                let expected = shortest > least || self.refused || self.whole.max(text.len()) > SURE;
                assert!(expected, "a delta has only {shortest} bytes{}", context());
                assert!(!unchanged || self.clashes || self.refused, "something for nothing{}", context());
                (self.client, self.whole) = (read(whole), whole.len());
            }
        }
        assert!(same_json(&self.client, &after), "the client has {}{}", self.client, context());
        let again = self.shadow.flush(now).unwrap_or_else(|cause| panic!("{cause}{}", context()));
        assert_eq!(again, Change::Nothing, "sent again{}", context());
        self.refused = false;
    }

    /// A value that has no JSON form: nothing is sent, whatever is tried.
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
