//! What must hold of every patch, checked on a client that applies it.
#![allow(
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "test support: what goes wrong here fails the test"
)]

mod corpus;
mod equal;
mod fuzz;
mod subject;
mod valid;

pub use corpus::{Corpus, corpus_size, nudges};
pub use equal::same_json;
pub use fuzz::fuzz;
pub use subject::{Subject, subjects};
pub use valid::assert_valid;

use std::fmt::Debug;

use agui_runtime::__private::engine::{Out, Patch, raw};
use agui_runtime::State;
use serde_json::Value;

/// A sent copy, and a client that has applied what was sent.
#[derive(Debug)]
pub struct Session<T> {
    sent: T,
    patch: Patch,
    out: Out,
    client: Value,
}

/// What one flush sent.
#[derive(Debug, Clone)]
pub struct Flush {
    /// The document before.
    pub before: Value,
    /// The operations, as text.
    pub patch: String,
    /// How many they are.
    pub ops: usize,
    /// The document after.
    pub after: Value,
}

impl Flush {
    /// The case as a line of a corpus.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { before, patch, after, .. } = self;
        format!("{{\"before\":{before},\"patch\":{patch},\"after\":{after}}}\n")
    }
}

impl<T: State + Debug> Session<T> {
    /// Starts from a state that the client has.
    #[must_use]
    pub fn new(start: &T) -> Self {
        Self { sent: start.clone(), patch: Patch::default(), out: Out::default(), client: document(start) }
    }

    /// Sends what turns the sent copy into `now`, and fails the test unless the definition of a right patch holds.
    pub fn flush(&mut self, now: &T) -> Flush {
        let written =
            raw::write(now, &mut self.out).unwrap_or_else(|cause| panic!("{cause}: {now:?}")).to_vec();
        let text = serde_json::to_string(now).unwrap_or_else(|cause| panic!("{cause}: {now:?}"));
        assert_eq!(String::from_utf8_lossy(&written), text, "not the bytes of serde_json");

        let old = self.sent.clone();
        raw::sync(&mut self.sent, now, &mut self.patch).unwrap_or_else(|cause| panic!("{cause}: {now:?}"));
        let patch = format!("{}]", String::from_utf8_lossy(raw::open_text(&self.patch)));
        let flush =
            Flush { before: self.client.clone(), ops: raw::count(&self.patch), patch, after: read(&text) };
        let context = || format!("\nfrom {old:?}\n  to {now:?}\npatch {}", flush.patch);

        let ops = assert_valid(&flush.patch);
        assert_eq!(ops.len(), flush.ops, "miscounted{}", context());
        let parsed: json_patch::Patch =
            serde_json::from_str(&flush.patch).unwrap_or_else(|cause| panic!("{cause}{}", context()));
        json_patch::patch(&mut self.client, &parsed).unwrap_or_else(|cause| panic!("{cause}{}", context()));
        assert!(same_json(&self.client, &flush.after), "gives {}{}", self.client, context());
        let unchanged = same_json(&flush.before, &flush.after);
        assert_eq!(flush.ops == 0, unchanged, "empty exactly when nothing changed{}", context());
        let head = "[{\"op\":\"replace\",\"path\":\"\",\"value\":}]".len();
        assert!(
            flush.ops <= 1 || flush.patch.len() <= text.len() + head,
            "longer than a snapshot{}",
            context()
        );

        assert!(raw::same(&self.sent, now), "the sent copy is not what was sent{}", context());
        assert!(same_json(&document(&self.sent), &flush.after), "the sent copy differs{}", context());
        raw::sync(&mut self.sent, now, &mut self.patch).unwrap_or_else(|cause| panic!("{cause}"));
        assert_eq!(raw::count(&self.patch), 0, "sent again{}", context());
        assert!(!raw::same(&old, now) || unchanged, "same, but differs{}", context());
        flush
    }
}

/// The document that a client makes of a state: what it reads from the text.
#[must_use]
pub fn document<T: State + Debug>(state: &T) -> Value {
    read(&serde_json::to_string(state).unwrap_or_else(|cause| panic!("{cause}: {state:?}")))
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|cause| panic!("{cause}: {text}"))
}
