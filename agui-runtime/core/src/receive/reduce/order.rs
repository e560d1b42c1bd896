//! Positions in a list that grows at the end, and occasionally in the middle.

/// An element's rank, which does not change when elements are inserted before it. A later element has a greater rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ElementRank(u64);

/// The number of elements that fit between two that were added one after the other.
const BETWEEN: u64 = 1 << 32;

/// A list's ranks. As long as every element was added at the end, a rank is the index times [`BETWEEN`], and no search is needed.
#[derive(Debug, Clone, Default)]
pub(super) struct RankedList {
    ranks: Vec<ElementRank>,
    inserted: usize,
}

impl RankedList {
    /// Adds an element at the end.
    pub(super) fn push(&mut self) -> ElementRank {
        let pushed = self.ranks.len() - self.inserted;
        let rank = ElementRank(u64::try_from(pushed).unwrap_or(u64::MAX).saturating_mul(BETWEEN));
        self.ranks.push(rank);
        rank
    }

    /// Inserts an element at an occupied index; `None` if no rank is left between the two.
    pub(super) fn insert(&mut self, at: usize) -> Option<ElementRank> {
        let before = self.rank(at.checked_sub(1)?)?;
        let rank = ElementRank(before.0.checked_add(1)?);
        if rank >= self.rank(at)? {
            return None;
        }
        self.ranks.insert(at, rank);
        self.inserted += 1;
        Some(rank)
    }

    pub(super) fn rank(&self, at: usize) -> Option<ElementRank> {
        self.ranks.get(at).copied()
    }

    /// Returns a rank's index: after the elements that were pushed before it, and at most as many more as were inserted.
    pub(super) fn place(&self, rank: ElementRank) -> Option<usize> {
        let pushed_before = usize::try_from(rank.0 / BETWEEN).ok()?;
        if self.inserted == 0 {
            return Some(pushed_before);
        }
        let end = self.ranks.len().min(pushed_before.saturating_add(self.inserted).saturating_add(1));
        let among = self.ranks.get(pushed_before..end)?;
        among.binary_search(&rank).ok().map(|at| pushed_before + at)
    }
}
