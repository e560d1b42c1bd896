//! The patch libraries that clients use, as judges of a corpus of patches.

use std::time::Duration;

use serde::Deserialize;

use super::{Node, Python, finish};

const LIMIT: Duration = Duration::from_secs(900);

/// An applier's verdict on a corpus.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PatchVerdict {
    /// The number of cases.
    pub checked: usize,
    /// The number of patches that were refused, or had another result.
    pub wrong_count: usize,
    /// The first of them.
    pub wrong: Vec<WrongPatch>,
}

/// A patch that was refused, or had another result.
#[derive(Debug, Deserialize)]
pub struct WrongPatch {
    /// Its place in the corpus, from 0.
    pub line: usize,
    /// The message of the applier.
    pub why: String,
}

impl Node {
    /// Applies a corpus, one `{"before", "patch", "after"}` per line, with `fast-json-patch` as the official client
    /// calls it.
    #[must_use]
    pub fn apply_patches(&self, corpus: &str) -> PatchVerdict {
        finish(self.command("clients/patch.mjs"), corpus, LIMIT).json()
    }
}

impl Python {
    /// Applies a corpus, one `{"before", "patch", "after"}` per line, with `jsonpatch`.
    #[must_use]
    pub fn apply_patches(&self, corpus: &str) -> PatchVerdict {
        finish(self.command("clients/patch.py"), corpus, LIMIT).json()
    }
}

impl PatchVerdict {
    /// Fails the test, showing the first wrong cases, unless all `expected` were applied and right.
    pub fn assert_right(&self, corpus: &str, expected: usize) {
        let shown: Vec<_> =
            self.wrong.iter().take(3).map(|wrong| (&wrong.why, corpus.lines().nth(wrong.line))).collect();
        assert!(
            self.wrong_count == 0,
            "{} of {} patches are wrong: {shown:#?}",
            self.wrong_count,
            self.checked
        );
        assert_eq!(self.checked, expected);
    }
}
