//! Halves that belong together: an element removed from one list, and one with the same key added to another.

use std::collections::{HashMap, VecDeque};

use super::{ListMoves, MoveHalf, MoveSide};

/// For each half the partner.
#[derive(Debug)]
pub(super) struct HalfPairs(Vec<Option<usize>>);

impl HalfPairs {
    /// Pairs nothing.
    pub(super) fn none(moves: &ListMoves) -> Self {
        Self(vec![None; moves.halves.len()])
    }

    pub(super) fn from_moves(moves: &ListMoves) -> Self {
        let halves = &moves.halves;
        let mut is_left = vec![true; halves.len()];
        loop {
            let pairs = Self::among(halves, &is_left);
            // An element that is removed and added again as a whole has no operations on its parts, so the
            // halves among those do not count.
            let paired = || halves.iter().enumerate().filter(|(number, _)| pairs.has(*number));
            let outer: Vec<&MoveHalf> =
                paired().map(|(_, half)| half).filter(|half| half.is_renewal).collect();
            let inner: Vec<usize> = paired()
                .filter(|(_, half)| outer.iter().any(|outer| outer.encloses(half)))
                .map(|(number, _)| number)
                .collect();
            if inner.is_empty() {
                return pairs;
            }
            for number in inner {
                if let Some(is_left) = is_left.get_mut(number) {
                    *is_left = false;
                }
            }
        }
    }

    fn among(halves: &[MoveHalf], is_left: &[bool]) -> Self {
        let mut lost = HashMap::<_, VecDeque<usize>>::new();
        let numbered = || halves.iter().enumerate().zip(is_left).filter(|(_, is_left)| **is_left);
        for ((number, half), _) in numbered() {
            if half.side == MoveSide::Lost {
                lost.entry((half.element, half.key)).or_default().push_back(number);
            }
        }
        let mut partners = vec![None; halves.len()];
        for ((number, half), _) in numbered() {
            let Some(olds) = lost.get_mut(&(half.element, half.key)) else { continue };
            if half.side == MoveSide::Gained
                && let Some(old) = olds.pop_front()
                && let Ok([one, other]) = partners.get_disjoint_mut([number, old])
            {
                (*one, *other) = (Some(old), Some(number));
            }
        }
        Self(partners)
    }

    /// Counts a half and its partner as two changes.
    pub(super) fn part(&mut self, number: usize) {
        for half in [Some(number), self.partner(number)].into_iter().flatten() {
            if let Some(partner) = self.0.get_mut(half) {
                *partner = None;
            }
        }
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().flatten().count() / 2
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.partner(number).is_some()
    }

    pub(super) fn partner(&self, number: usize) -> Option<usize> {
        self.0.get(number).copied().flatten()
    }
}

impl MoveHalf {
    /// Returns true if another half's operations are on parts of this one.
    fn encloses(&self, half: &Self) -> bool {
        self.ops != half.ops && self.ops.start <= half.ops.start && half.ops.end <= self.ops.end
    }
}
