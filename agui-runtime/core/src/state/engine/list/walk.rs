//! A walk over both lists in step that finds a few edits without a second look at the rest.

use super::EditedPlaces;
use super::items::{CompareDirection, ListMiddle};

/// The number of elements that the walk looks ahead after a difference.
const AHEAD: usize = 4;
/// The number of consecutive misses after which the list no longer counts as one with a few edits: elements are still compared in
/// step, and tokens find the other matches at a lower cost.
const MISSES: usize = 16;

/// Elements that follow each other in both lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MatchRun {
    pub(super) old: usize,
    pub(super) now: usize,
    pub(super) length: usize,
}

/// The walk's findings: runs in the order of both lists, and the elements outside every run.
#[derive(Debug, Default)]
pub(super) struct ListWalk {
    pub(super) runs: Vec<MatchRun>,
    pub(super) lost: Vec<usize>,
    pub(super) gained: Vec<usize>,
}

impl ListWalk {
    pub(super) fn over(
        &mut self,
        items: &dyn ListMiddle,
        olds: usize,
        nows: usize,
        edits: &mut EditedPlaces,
    ) {
        self.runs.clear();
        self.lost.clear();
        self.gained.clear();
        let (mut old, mut now) = (0, 0);
        let mut misses = 0;
        while old < olds && now < nows {
            let length =
                items.in_step(old, now, (olds - old).min(nows - now), CompareDirection::Forth, edits);
            if length > 0 {
                self.runs.push(MatchRun { old, now, length });
                old += length;
                now += length;
                misses = 0;
                continue;
            }
            let found = if misses < MISSES { step(items, old, now, olds, nows) } else { None };
            misses = if found.is_some() { 0 } else { misses + 1 };
            let (skip_old, skip_now) = found.unwrap_or((1, 1));
            self.lost.extend(old..old + skip_old);
            self.gained.extend(now..now + skip_now);
            old += skip_old;
            now += skip_now;
        }
        self.lost.extend(old..olds);
        self.gained.extend(now..nows);
    }
}

/// Returns the number of elements to skip on each side until they match again, if they soon do.
fn step(items: &dyn ListMiddle, old: usize, now: usize, olds: usize, nows: usize) -> Option<(usize, usize)> {
    for skip in 1..=AHEAD {
        let (further_old, further_now) = (old + skip < olds, now + skip < nows);
        if further_now && items.alike(old, now + skip) {
            return Some((0, skip));
        }
        if further_old && items.alike(old + skip, now) {
            return Some((skip, 0));
        }
        if further_old && further_now && items.alike(old + skip, now + skip) {
            return Some((skip, skip));
        }
    }
    None
}
