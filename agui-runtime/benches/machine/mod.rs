//! How much slower this machine is than the one whose nanoseconds the goals name.

use crate::contender::{Contender, Match};
use crate::timing::{Effort, middle};
use crate::workload::{self, Doc};

/// What was measured on that machine too: `==` of the document, and serde_json's snapshot of it.
pub struct Yardstick(Match<Doc>);

impl Yardstick {
    pub fn new() -> Self {
        Self(Match::new(workload::doc(), |_| {}))
    }

    /// How many times as long this machine takes now. The smaller of both, so that the goals are not made easier.
    pub fn read(&mut self, effort: Effort) -> f64 {
        let mut time =
            |contender, times| middle(times, &mut self.0, |_| {}, |all: &mut Match<Doc>| all.run(contender));
        (time(Contender::Equal, effort.fast) / 4_310.0).min(time(Contender::Snapshot, effort.slow) / 57_000.0)
    }
}
