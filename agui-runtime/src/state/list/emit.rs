//! From matches to operations, on the patch and on the sent copy alike.

use super::super::engine::{Json, Patch, Path, least_structure};
use super::fenwick::Fenwick;
use super::items::{Items, Source};
use super::permute::Permutation;
use super::rebuild::Rebuild;
use super::splice::Splice;
use super::walk::Run;
use super::{Edits, Scratch, copy};

/// With more operations than these it is worth to know beforehand whether they will be too long.
const LOOK_AHEAD: usize = 16;
/// Up to so many elements that come, go or move are put in place; for more, the copy is built anew.
const IN_PLACE: usize = 16;

/// What happens to the middle of a list, worked out before anything is written.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Runs that stay, and elements that only changed, in the order of both lists.
    kept: Vec<Run>,
    moved: Vec<Run>,
    /// What arrives, in the order of the new list.
    arrivals: Vec<Arrival>,
    /// For each moved element, sorted by its old place, the slot it waits in.
    waiting: Vec<(usize, usize)>,
    /// How many elements each slot holds: see [`Plan::lay_out`].
    slots: Vec<usize>,
    places: Fenwick,
    rows: Vec<Run>,
    sources: Vec<Source>,
    permutation: Permutation,
    splice: Splice,
    rebuild: Rebuild,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    pub(super) now: usize,
    slot: usize,
    /// Where it was, if it was.
    pub(super) from: Option<usize>,
}

/// Brings the first `olds` elements of the middle to the `nows` new ones.
#[cold]
#[inline(never)]
pub(super) fn run(
    items: &mut dyn Items,
    olds: usize,
    nows: usize,
    whole: &dyn Json,
    edits: &mut Edits,
    at: &Path<'_>,
    out: &mut Patch,
) {
    let mut scratch = out.take_scratch();
    let Scratch { walk, find, stay, plan } = &mut scratch;
    walk.over(items, olds, nows, edits);
    plan.moved.clear();
    if !walk.lost.is_empty() && !walk.gained.is_empty() {
        let found = find.match_up(items, &mut walk.lost, &mut walk.gained);
        if !found.is_empty() {
            if items.is_keyed() {
                // Any of them may have come with other contents.
                found.iter().for_each(|run| edits.note(items.head() + run.now));
            }
            walk.runs.append(found);
            plan.sort(&mut walk.runs, olds);
            join(&mut walk.runs);
            stay.split(&mut walk.runs, &mut plan.moved);
        }
    }
    let head = items.head();
    let changed = plan.keep_changed(&walk.runs, &mut walk.lost, &mut walk.gained, (olds, nows), |now| {
        edits.note(head + now);
    });
    let (removes, others) = (walk.lost.len(), walk.gained.len() + plan.moved.len() + changed);
    if removes + others > LOOK_AHEAD && out.is_limited() {
        let values = walk.gained.iter().filter_map(|&now| items.json(now)).map(Json::least);
        let least = least_structure(at.least(), removes, plan.moved.len(), values);
        out.give_up_at(least, items.floor());
    }
    if removes + others > 2 && out.settle_early(removes, others, at, whole) {
        // What stands behind the middle is there already.
        let length = items.length() - olds + nows;
        copy(items, length, at, out);
        edits.clear();
        out.return_scratch(scratch);
        return;
    }
    if out.is_over() {
        plan.gather_unsaid(&walk.lost, &walk.gained, nows, |now| edits.note(head + now));
        plan.rebuild.apply(items, olds, &plan.sources);
    } else {
        plan.lay_out(&walk.gained, nows);
        plan.write(items, &walk.lost, olds, nows, at, out);
    }
    out.return_scratch(scratch);
}

/// Makes one run of those that follow each other in both lists.
fn join(runs: &mut Vec<Run>) {
    runs.dedup_by(|next, run| {
        let follows = run.old + run.length == next.old && run.now + run.length == next.now;
        if follows {
            run.length += next.length;
        }
        follows
    });
}

impl Plan {
    /// Sorts runs by their place in the old list.
    fn sort(&mut self, runs: &mut Vec<Run>, olds: usize) {
        if runs.len() * 4 < olds {
            runs.sort_unstable_by_key(|run| run.old);
            return;
        }
        // No two have the same place, so each has a row of its own.
        self.rows.clear();
        self.rows.resize(olds, Run { old: 0, now: 0, length: 0 });
        for run in runs.drain(..) {
            if let Some(row) = self.rows.get_mut(run.old) {
                *row = run;
            }
        }
        runs.extend(self.rows.iter().filter(|run| run.length > 0));
    }

    /// Between two runs that stay, a lost and a gained element are one that changed. Says how many there are.
    fn keep_changed(
        &mut self,
        runs: &[Run],
        lost: &mut Vec<usize>,
        gained: &mut Vec<usize>,
        (olds, nows): (usize, usize),
        mut is_changed: impl FnMut(usize),
    ) -> usize {
        self.kept.clear();
        let before = gained.len();
        let (mut next_lost, mut next_gained) = (0, 0);
        let end = Run { old: olds, now: nows, length: 0 };
        for run in runs.iter().chain([&end]) {
            while let (Some(old), Some(now)) = (lost.get_mut(next_lost), gained.get_mut(next_gained)) {
                if *old >= run.old || *now >= run.now {
                    break;
                }
                self.kept.push(Run { old: *old, now: *now, length: 1 });
                is_changed(*now);
                (*old, *now) = (usize::MAX, usize::MAX);
                next_lost += 1;
                next_gained += 1;
            }
            next_lost += count_before(lost, next_lost, run.old);
            next_gained += count_before(gained, next_gained, run.now);
            if run.length > 0 {
                self.kept.push(*run);
            }
        }
        lost.retain(|&old| old != usize::MAX);
        gained.retain(|&now| now != usize::MAX);
        before - gained.len()
    }

    /// Lines up slots so that the list is, at any time, what the slots hold in order: for each gap between what stays
    /// the places of what arrives there, empty at first, then what waits there to be moved.
    fn lay_out(&mut self, gained: &[usize], nows: usize) {
        let Self { kept, moved, arrivals, waiting, slots, places, .. } = self;
        arrivals.clear();
        arrivals.extend(gained.iter().map(|&now| Arrival { now, slot: 0, from: None }));
        arrivals.extend(moved.iter().map(|run| Arrival { now: run.now, slot: 0, from: Some(run.old) }));
        arrivals.sort_unstable_by_key(|arrival| arrival.now);
        waiting.clear();
        waiting.extend(moved.iter().map(|run| (run.old, 0)));
        waiting.sort_unstable();
        slots.clear();
        let end = Run { old: usize::MAX, now: nows, length: 0 };
        let (mut arriving, mut leaving) = (arrivals.iter_mut().peekable(), waiting.iter_mut().peekable());
        for run in kept.iter().chain([&end]) {
            while let Some(arrival) = arriving.next_if(|arrival| arrival.now < run.now) {
                arrival.slot = slots.len();
                slots.push(0);
            }
            while let Some((_, slot)) = leaving.next_if(|(old, _)| *old < run.old) {
                *slot = slots.len();
                slots.push(1);
            }
            slots.push(run.length);
        }
        places.fill(slots);
    }

    fn write(
        &mut self,
        items: &mut dyn Items,
        lost: &[usize],
        olds: usize,
        nows: usize,
        at: &Path<'_>,
        out: &mut Patch,
    ) {
        let only_moves = lost.is_empty() && self.arrivals.len() == self.moved.len();
        let by_swaps = only_moves && self.permutation.fits(&self.kept, &self.moved);
        let head = items.head();
        for &old in lost.iter().rev() {
            out.remove(&at.index(head + old));
        }
        // The list's length while it changes, for the place after its end.
        let mut length = items.length() - lost.len();
        for index in 0..self.arrivals.len() {
            let Some(&Arrival { now, slot, from }) = self.arrivals.get(index) else { break };
            match from {
                None => {
                    let place = self.places.before(slot);
                    let Some(value) = items.json(now) else { continue };
                    let is_last = head + place == length;
                    out.insert(&if is_last { at.end() } else { at.index(head + place) }, value);
                    length += 1;
                }
                Some(old) => {
                    let waits = self.waiting.binary_search_by_key(&old, |(old, _)| *old);
                    let Some(&(_, wait)) = waits.ok().and_then(|waits| self.waiting.get(waits)) else {
                        continue;
                    };
                    let start = self.places.before(wait);
                    self.places.add(wait, -1);
                    let place = self.places.before(slot);
                    if start != place {
                        out.move_(&at.index(head + start), &at.index(head + place));
                    }
                }
            }
            self.places.add(slot, 1);
        }
        if by_swaps {
            self.permutation.apply(items);
        } else if lost.len() + self.arrivals.len() <= IN_PLACE {
            self.splice.apply(items, (olds, nows), lost, &self.arrivals);
        } else {
            self.gather(nows);
            self.rebuild.apply(items, olds, &self.sources);
        }
    }

    /// The new middle, when nothing is said of it: what came takes the place and the memory of what went.
    fn gather_unsaid(
        &mut self,
        lost: &[usize],
        gained: &[usize],
        nows: usize,
        mut is_changed: impl FnMut(usize),
    ) {
        self.sources.clear();
        self.sources.extend((0..nows).map(Source::Now));
        for run in self.kept.iter().chain(&self.moved) {
            for step in 0..run.length {
                if let Some(source) = self.sources.get_mut(run.now + step) {
                    *source = Source::Old(run.old + step);
                }
            }
        }
        for (&old, &now) in lost.iter().zip(gained) {
            if let Some(source) = self.sources.get_mut(now) {
                *source = Source::Old(old);
                is_changed(now);
            }
        }
    }

    /// The new middle, element by element.
    fn gather(&mut self, nows: usize) {
        self.sources.clear();
        self.sources.reserve(nows);
        let mut arrivals = self.arrivals.iter().peekable();
        let end = Run { old: 0, now: nows, length: 0 };
        for run in self.kept.iter().chain([&end]) {
            while let Some(arrival) = arrivals.next_if(|arrival| arrival.now < run.now) {
                self.sources.push(arrival.from.map_or(Source::Now(arrival.now), Source::Old));
            }
            self.sources.extend((0..run.length).map(|step| Source::Old(run.old + step)));
        }
    }
}

fn count_before(sorted: &[usize], from: usize, limit: usize) -> usize {
    sorted.get(from..).unwrap_or_default().iter().take_while(|&&index| index < limit).count()
}
