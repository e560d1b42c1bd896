//! List operations from element matches: written to the patch and applied to the sent copy.

use super::super::{MovedElement, PatchText, StatePath, WriteJson, least_structure};
use super::fenwick::FenwickTree;
use super::items::{ElementSource, ListMiddle};
use super::permute::ElementPermutation;
use super::rebuild::ListRebuild;
use super::splice::ListSplice;
use super::walk::MatchRun;
use super::{EditedPlaces, ListScratch, copy};

/// The number of operations from which an estimate of their length pays off before they are written.
const LOOK_AHEAD: usize = 16;
/// The number of added, removed or moved elements up to which they are put in place one by one; for more, the copy is rebuilt.
const IN_PLACE: usize = 16;

/// The plan for the middle of a list, complete before anything is written.
#[derive(Debug, Default)]
pub(super) struct ListPlan {
    /// Runs that stay and elements that only changed, in the order of both lists.
    kept: Vec<MatchRun>,
    moved: Vec<MatchRun>,
    /// The arriving elements, in the new list's order.
    arrivals: Vec<ElementArrival>,
    /// The moved elements, sorted by old place, each with the slot that it waits in.
    waiting: Vec<(usize, usize)>,
    /// The number of elements in each slot: see [`ListPlan::lay_out`].
    slots: Vec<usize>,
    places: FenwickTree,
    rows: Vec<MatchRun>,
    sources: Vec<ElementSource>,
    permutation: ElementPermutation,
    splice: ListSplice,
    rebuild: ListRebuild,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ElementArrival {
    pub(super) now: usize,
    slot: usize,
    /// The old place, if the element had one.
    pub(super) from: Option<usize>,
}

/// Turns the first `olds` elements of the middle into the `nows` new ones.
#[cold]
#[inline(never)]
pub(super) fn run(
    items: &mut dyn ListMiddle,
    olds: usize,
    nows: usize,
    whole: &dyn WriteJson,
    edits: &mut EditedPlaces,
    at: &StatePath<'_>,
    out: &mut PatchText,
) {
    let mut scratch = out.take_scratch();
    let ListScratch { walk, find, stay, plan } = &mut scratch;
    walk.over(items, olds, nows, edits);
    plan.moved.clear();
    if !walk.lost.is_empty() && !walk.gained.is_empty() {
        let found = find.match_up(items, &mut walk.lost, &mut walk.gained);
        if !found.is_empty() {
            if items.is_keyed() {
                // The contents of any of them may have changed as well.
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
    let records =
        items.is_keyed() && out.records_moves(items.element(), removes + walk.gained.len() + 2 * changed);
    if removes + others > LOOK_AHEAD && out.is_limited() && !records {
        let values = walk.gained.iter().filter_map(|&now| items.json(now)).map(WriteJson::least);
        let least = least_structure(at.least(), removes, plan.moved.len(), values);
        out.give_up_at(least, items.floor());
    }
    if removes + others > 2 && !records && out.settle_early(removes, others, at, whole) {
        // The elements behind the middle are already in the list.
        let length = items.length() - olds + nows;
        copy(items, length, at, out);
        edits.clear();
        out.return_scratch(scratch);
        return;
    }
    if out.is_over() {
        plan.gather_silently(&walk.lost, &walk.gained, nows, |now| edits.note(head + now));
        plan.rebuild.apply(items, olds, &plan.sources);
    } else {
        plan.lay_out(&walk.gained, nows);
        plan.write(items, &walk.lost, (olds, nows), records, at, out);
    }
    out.return_scratch(scratch);
}

/// Joins runs that follow each other in both lists.
fn join(runs: &mut Vec<MatchRun>) {
    runs.dedup_by(|next, run| {
        let follows = run.old + run.length == next.old && run.now + run.length == next.now;
        if follows {
            run.length += next.length;
        }
        follows
    });
}

impl ListPlan {
    /// Sorts runs by old place.
    fn sort(&mut self, runs: &mut Vec<MatchRun>, olds: usize) {
        if runs.len() * 4 < olds {
            runs.sort_unstable_by_key(|run| run.old);
            return;
        }
        // No two runs have the same place, so each has a row of its own.
        self.rows.clear();
        self.rows.resize(olds, MatchRun { old: 0, now: 0, length: 0 });
        for run in runs.drain(..) {
            if let Some(row) = self.rows.get_mut(run.old) {
                *row = run;
            }
        }
        runs.extend(self.rows.iter().filter(|run| run.length > 0));
    }

    /// Between two runs that stay, treats a lost and a gained element as one changed element. Returns the number of changed
    /// elements.
    fn keep_changed(
        &mut self,
        runs: &[MatchRun],
        lost: &mut Vec<usize>,
        gained: &mut Vec<usize>,
        (olds, nows): (usize, usize),
        mut is_changed: impl FnMut(usize),
    ) -> usize {
        self.kept.clear();
        let before = gained.len();
        let (mut next_lost, mut next_gained) = (0, 0);
        let end = MatchRun { old: olds, now: nows, length: 0 };
        for run in runs.iter().chain([&end]) {
            while let (Some(old), Some(now)) = (lost.get_mut(next_lost), gained.get_mut(next_gained)) {
                if *old >= run.old || *now >= run.now {
                    break;
                }
                self.kept.push(MatchRun { old: *old, now: *now, length: 1 });
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

    /// Lays out slots such that the list equals all slots' contents in order at any time. Each gap between runs that stay has one
    /// slot for each place at which an element arrives, empty at first, then one for each element that waits there to be moved.
    fn lay_out(&mut self, gained: &[usize], nows: usize) {
        let Self { kept, moved, arrivals, waiting, slots, places, .. } = self;
        arrivals.clear();
        arrivals.extend(gained.iter().map(|&now| ElementArrival { now, slot: 0, from: None }));
        arrivals.extend(moved.iter().map(|run| ElementArrival {
            now: run.now,
            slot: 0,
            from: Some(run.old),
        }));
        arrivals.sort_unstable_by_key(|arrival| arrival.now);
        waiting.clear();
        waiting.extend(moved.iter().map(|run| (run.old, 0)));
        waiting.sort_unstable();
        slots.clear();
        let end = MatchRun { old: usize::MAX, now: nows, length: 0 };
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
        items: &mut dyn ListMiddle,
        lost: &[usize],
        (olds, nows): (usize, usize),
        records: bool,
        at: &StatePath<'_>,
        out: &mut PatchText,
    ) {
        let only_moves = lost.is_empty() && self.arrivals.len() == self.moved.len();
        let by_swaps = only_moves && self.permutation.fits(&self.kept, &self.moved);
        let head = items.head();
        for &old in lost.iter().rev() {
            match items.old_json(old).filter(|_| records) {
                Some(was) => {
                    let key = items.old_token(old, true);
                    out.remove_moved(
                        &MovedElement { element: items.element(), key, place: head + old },
                        was,
                        at,
                    );
                }
                None => out.remove(&at.index(head + old)),
            }
        }
        // The length of the list while it changes, for operations at its end.
        let mut length = items.length() - lost.len();
        for index in 0..self.arrivals.len() {
            let Some(&ElementArrival { now, slot, from }) = self.arrivals.get(index) else { break };
            match from {
                None => {
                    let place = self.places.before(slot);
                    let Some(value) = items.json(now) else { continue };
                    let is_last = head + place == length;
                    if records {
                        let key = items.now_token(now, true);
                        let moved = MovedElement { element: items.element(), key, place: head + place };
                        out.insert_moved(&moved, value, is_last, at);
                    } else {
                        out.insert(&if is_last { at.end() } else { at.index(head + place) }, value);
                    }
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

    /// Collects the sources for the new middle when no operations are written: new elements take the place and the memory of
    /// removed ones.
    fn gather_silently(
        &mut self,
        lost: &[usize],
        gained: &[usize],
        nows: usize,
        mut is_changed: impl FnMut(usize),
    ) {
        self.sources.clear();
        self.sources.extend((0..nows).map(ElementSource::Now));
        for run in self.kept.iter().chain(&self.moved) {
            for step in 0..run.length {
                if let Some(source) = self.sources.get_mut(run.now + step) {
                    *source = ElementSource::Old(run.old + step);
                }
            }
        }
        for (&old, &now) in lost.iter().zip(gained) {
            if let Some(source) = self.sources.get_mut(now) {
                *source = ElementSource::Old(old);
                is_changed(now);
            }
        }
    }

    /// Collects the sources for the new middle, element by element.
    fn gather(&mut self, nows: usize) {
        self.sources.clear();
        self.sources.reserve(nows);
        let mut arrivals = self.arrivals.iter().peekable();
        let end = MatchRun { old: 0, now: nows, length: 0 };
        for run in self.kept.iter().chain([&end]) {
            while let Some(arrival) = arrivals.next_if(|arrival| arrival.now < run.now) {
                self.sources.push(arrival.from.map_or(ElementSource::Now(arrival.now), ElementSource::Old));
            }
            self.sources.extend((0..run.length).map(|step| ElementSource::Old(run.old + step)));
        }
    }
}

fn count_before(sorted: &[usize], from: usize, limit: usize) -> usize {
    sorted.get(from..).unwrap_or_default().iter().take_while(|&&index| index < limit).count()
}
