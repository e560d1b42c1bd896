//! Finds the elements that need no move: the longest increasing subsequence.

use super::walk::MatchRun;

/// Patience sorting (Schensted 1961) that deals a whole run at once; the elements of a run have consecutive places.
#[derive(Debug, Default)]
pub(super) struct MatchChains {
    /// For each chain length the last element, at the smallest place at which such a chain ends.
    ends: Vec<ChainEnd>,
    /// For each run the predecessor of the first element.
    before: Vec<Option<ChainEnd>>,
    /// For each run the number of elements that stay. They are the first ones in the run, because an element's predecessor is the
    /// neighbour.
    stays: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
struct ChainEnd {
    now: usize,
    run: usize,
}

impl MatchChains {
    /// Splits runs, sorted by old place, into runs that stay (left in `runs`) and elements that move.
    pub(super) fn split(&mut self, runs: &mut Vec<MatchRun>, moved: &mut Vec<MatchRun>) {
        self.ends.clear();
        self.before.clear();
        self.stays.clear();
        for (index, run) in runs.iter().enumerate() {
            self.deal(index, *run);
        }
        self.stays.resize(runs.len(), 0);
        let mut link = self.ends.last().copied();
        while let Some(ChainEnd { now, run }) = link {
            if let (Some(stays), Some(run)) = (self.stays.get_mut(run), runs.get(run)) {
                *stays = now + 1 - run.now;
            }
            link = self.before.get(run).copied().flatten();
        }
        let mut stays = self.stays.iter();
        runs.retain_mut(|run| {
            let stays = stays.next().copied().unwrap_or(0);
            moved.extend((stays..run.length).map(|step| MatchRun {
                old: run.old + step,
                now: run.now + step,
                length: 1,
            }));
            run.length = stays;
            stays > 0
        });
    }

    fn deal(&mut self, index: usize, run: MatchRun) {
        let length = self.ends.partition_point(|end| end.now < run.now);
        self.before.push(length.checked_sub(1).and_then(|last| self.ends.get(last).copied()));
        let mut elements = (run.now..run.now + run.length).map(|now| ChainEnd { now, run: index });
        for (end, element) in self.ends.iter_mut().skip(length).zip(&mut elements) {
            *end = element;
        }
        self.ends.extend(elements);
    }
}
