//! Patches to show to other appliers.

use std::env;
use std::fmt::Write;

use agui_runtime::__private::engine::{PatchText, raw};

use super::{Flush, document, engine_patch, public_documents, subjects};
use crate::zoo::{Sample, Source, Zoo};

/// Cases, one a line: `{"before", "patch", "after"}`.
#[derive(Debug, Default)]
pub struct Corpus {
    /// The lines.
    pub lines: String,
    /// The number of lines.
    pub len: usize,
}

/// The number of cases of a corpus: `AGUI_STATE_CORPUS`, or 12,000.
#[must_use]
pub fn corpus_size() -> usize {
    env::var("AGUI_STATE_CORPUS").ok().and_then(|size| size.parse().ok()).unwrap_or(12_000)
}

impl Corpus {
    /// Pairs of the public suite's documents; then pairs, nudged pairs and sequences of every type of the zoo. The same for
    /// the same size.
    #[must_use]
    pub fn of(size: usize) -> Self {
        let subjects = subjects();
        let mut corpus = Self::default();
        corpus.add_public(size / 5);
        for seed in 0.. {
            for (i, subject) in subjects.iter().enumerate() {
                let at = |part: u64| Source::seeded(seed << 16 | (i as u64) << 8 | part);
                corpus.add(&(subject.pair)(&mut at(0), &mut at(1)));
                corpus.add(&(subject.nudge)(&mut at(2)));
                (subject.sequence)(&mut at(3), 3).iter().for_each(|flush| corpus.add(flush));
                if corpus.len >= size {
                    return corpus;
                }
            }
        }
        corpus
    }

    /// Adds `size` pairs of the public suite's documents, spread over all of them.
    fn add_public(&mut self, size: usize) {
        let documents = public_documents();
        let pairs = documents.len() * documents.len();
        for pair in (0..pairs).step_by(pairs.div_ceil(size.max(1))) {
            let (old, now) = (&documents[pair / documents.len()], &documents[pair % documents.len()]);
            let patch = engine_patch(old, now);
            if patch != "[]" {
                let _ = writeln!(self.lines, "{{\"before\":{old},\"patch\":{patch},\"after\":{now}}}");
                self.len += 1;
            }
        }
    }

    /// One more case. Patches without operations prove nothing, so they are left out.
    pub fn add(&mut self, flush: &Flush) {
        if flush.ops > 0 {
            self.lines.push_str(&flush.line());
            self.len += 1;
        }
    }
}

/// Turns of one to six small changes of the type that has everything, the same for the same number. Only counted, not
/// checked.
#[must_use]
pub fn nudges(number: usize) -> Vec<Flush> {
    let nudge = |seed: u64| {
        let mut source = Source::seeded(0x5eed << 32 | seed);
        let old = Zoo::sample(&mut source);
        let mut now = old.clone();
        for _ in 0..=source.below(6) {
            now.nudge(&mut source);
        }
        let (mut sent, mut patch) = (old.clone(), PatchText::default());
        raw::sync(&mut sent, &now, &mut patch).unwrap_or_else(|cause| panic!("{cause}"));
        Flush {
            before: document(&old),
            patch: format!("{}]", String::from_utf8_lossy(raw::open_text(&patch))),
            ops: raw::count(&patch),
            after: document(&now),
        }
    };
    (0..).map(nudge).filter(|flush| flush.ops > 0).take(number).collect()
}
