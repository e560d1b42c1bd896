//! The factor by which this machine is slower than the one of the goals.

use crate::contender::{Contender, Match};
use crate::timing::{Effort, middle};
use crate::workload::{self, Doc};

/// Work that was measured on that machine too: `==` of the document, and serde_json's snapshot of it.
pub struct Yardstick(Match<Doc>);

impl Yardstick {
    pub fn new() -> Self {
        Self(Match::new(workload::doc(), |_| {}))
    }

    /// The factor at this moment: the smaller of both, so that the goals are not made easier.
    pub fn read(&mut self, effort: Effort) -> f64 {
        let mut time =
            |contender, times| middle(times, &mut self.0, |_| {}, |all: &mut Match<Doc>| all.run(contender));
        (time(Contender::Equal, effort.fast) / 4_310.0).min(time(Contender::Snapshot, effort.slow) / 57_000.0)
    }
}
