//! Trims a long thread: older runs become one snapshot.

use super::claim::RunClaim;
use super::claiming::ClaimError;
use super::fold::{FoldError, FoldedThread};
use super::note::RUNS;
use super::record::control_record;
use super::takeover::RecoverError;
use crate::thread::LogPosition;

/// The records and bytes that a thread keeps after a trim, which happens at twice as many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrimLimits {
    pub(crate) records: u64,
    pub(crate) bytes: u64,
}

impl RunClaim {
    /// Folds a long thread's older half into one record, up to a run's end, when no run goes on. The last run stays: clients may
    /// still read that run.
    pub(crate) async fn trim(&self, keep: TrimLimits) -> Result<(), RecoverError> {
        let Some(last) = self.trimmed_until(keep) else { return Ok(()) };
        let point = FoldedThread::load_until(&self.log, &self.key, last).await?;
        if let Some(snapshot) = point.snapshot() {
            let snapshot = control_record(&snapshot).map_err(ClaimError::from)?;
            let upto = LogPosition { epoch: self.at.epoch, seq: last };
            self.log.trim(&self.key, upto, snapshot).await.map_err(FoldError::from)?;
        }
        Ok(())
    }

    /// Returns the last record to trim; `None` if the thread is not long enough.
    fn trimmed_until(&self, keep: TrimLimits) -> Option<u64> {
        let kept = self.note.runs.iter().filter(|run| run.first >= self.first);
        let records = self.at.seq.saturating_sub(self.first);
        if records >= keep.records.saturating_mul(2).max(1) {
            let ends = self.note.runs.iter().filter_map(|run| run.last);
            let mut ends = ends.filter(|last| *last < self.at.seq);
            let enough = ends.clone().rev().find(|last| last + keep.records <= self.at.seq);
            // If even the oldest run that the note knows ended late enough, all before its end can be folded: no cursor of
            // an older run can be resolved.
            return enough.or_else(|| ends.next());
        }
        if kept.clone().map(|run| run.bytes).sum::<u64>() < keep.bytes.saturating_mul(2).max(1) {
            return None;
        }
        let mut bytes = 0;
        let oldest = kept.clone().next().and_then(|run| run.last).filter(|last| *last < self.at.seq);
        let mut newer = kept.rev().skip_while(|run| {
            bytes += run.bytes;
            bytes < keep.bytes
        });
        // The first of the rest is kept: it makes the bytes enough.
        newer.next();
        // All bytes of runs that the note has forgotten count for its oldest: no cursor of theirs can be resolved.
        let forgets = self.note.runs.len() >= RUNS;
        newer.find_map(|run| run.last).or(oldest.filter(|_| forgets))
    }
}
