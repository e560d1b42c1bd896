//! A state and its client, patch by patch.

use std::fmt::Debug;

use agui_runtime::__private::engine::{JsonOut, PatchText, raw};
use agui_runtime::State;
use serde_json::Value;

use super::{Shadowed, applied, document, read, same_json};

/// A sent copy, and a client that has applied the patches: once by the engine alone, which never gives up, and once by
/// a [`Shadow`](agui_runtime::state::Shadow) with its budget.
#[derive(Debug)]
pub struct Session<T> {
    sent: T,
    patch: PatchText,
    out: JsonOut,
    client: Value,
    shadowed: Shadowed<T>,
    clashes: bool,
}

/// The content of one flush.
#[derive(Debug, Clone)]
pub struct Flush {
    /// The document before.
    pub before: Value,
    /// The operations, as text.
    pub patch: String,
    /// The number of operations.
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
        Self {
            sent: start.clone(),
            patch: PatchText::default(),
            out: JsonOut::default(),
            client: document(start),
            shadowed: Shadowed::new(start),
            clashes: false,
        }
    }

    /// Allows unreadable values: names may occur twice.
    #[must_use]
    pub fn clashes(mut self, clashes: bool) -> Self {
        self.clashes = clashes;
        self.shadowed = self.shadowed.clashes(clashes);
        self
    }

    /// Sends the change from the sent copy to `now`, and fails the test unless the definition of a right patch holds. A
    /// value that serde cannot write must be an error, after which the whole is sent.
    pub fn flush(&mut self, now: &T) -> Flush {
        let Ok(text) = serde_json::to_string(now) else { return self.refused(now) };
        let written =
            raw::write(now, &mut self.out).unwrap_or_else(|cause| panic!("{cause}: {now:?}")).to_vec();
        assert_eq!(String::from_utf8_lossy(&written), text, "not the bytes of serde_json");

        let old = self.sent.clone();
        raw::sync(&mut self.sent, now, &mut self.patch).unwrap_or_else(|cause| panic!("{cause}: {now:?}"));
        let patch = format!("{}]", String::from_utf8_lossy(raw::open_text(&self.patch)));
        let flush =
            Flush { before: self.client.clone(), ops: raw::count(&self.patch), patch, after: read(&text) };
        let context = || format!("\nfrom {old:?}\n  to {now:?}\npatch {}", flush.patch);

        let ops = applied(&mut self.client, &flush.patch, &context);
        assert_eq!(ops, flush.ops, "miscounted{}", context());
        assert!(same_json(&self.client, &flush.after), "gives {}{}", self.client, context());
        let unchanged = same_json(&flush.before, &flush.after);
        assert!(flush.ops > 0 || unchanged, "nothing for what changed{}", context());
        assert!(flush.ops == 0 || !unchanged || self.clashes, "something for nothing{}", context());
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

        let (unmarked, shortest) = self.compare(&old, now);
        self.shadowed.flush(&unmarked, &text, shortest, &context);
        flush
    }

    /// Recorded changes are for one receiver. Returns a copy without a record, and the length of the operations that
    /// comparing finds.
    fn compare(&mut self, old: &T, now: &T) -> (T, usize) {
        let unmarked = now.clone();
        raw::sync(&mut old.clone(), &unmarked, &mut self.patch).unwrap_or_else(|cause| panic!("{cause}"));
        (unmarked, raw::open_text(&self.patch).len() + 1)
    }

    fn refused(&mut self, now: &T) -> Flush {
        assert!(raw::write(now, &mut self.out).is_err(), "written, but not by serde: {now:?}");
        let written = raw::sync(&mut self.sent.clone(), now, &mut self.patch);
        assert!(written.is_err(), "sent, but not written by serde: {now:?}");
        self.shadowed.refuse(now);
        Flush { before: self.client.clone(), patch: "[]".to_owned(), ops: 0, after: self.client.clone() }
    }
}
