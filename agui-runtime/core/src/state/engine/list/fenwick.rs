//! Prefix sums that can change: an element's current index while others still wait to be moved.

/// A Fenwick tree over counts.
#[derive(Debug, Default)]
pub(super) struct FenwickTree {
    sums: Vec<isize>,
}

impl FenwickTree {
    /// Starts from the slots' counts.
    pub(super) fn fill(&mut self, counts: &[usize]) {
        self.sums.clear();
        self.sums.extend(counts.iter().map(|count| count.cast_signed()));
        for slot in 0..self.sums.len() {
            let parent = slot | (slot + 1);
            let own = self.sums.get(slot).copied().unwrap_or(0);
            if let Some(sum) = self.sums.get_mut(parent) {
                *sum += own;
            }
        }
    }

    pub(super) fn add(&mut self, mut slot: usize, count: isize) {
        while let Some(sum) = self.sums.get_mut(slot) {
            *sum += count;
            slot |= slot + 1;
        }
    }

    /// Returns the sum over all earlier slots.
    pub(super) fn before(&self, slot: usize) -> usize {
        let mut sum = 0;
        let mut end = slot;
        while let Some(last) = end.checked_sub(1) {
            sum += self.sums.get(last).copied().unwrap_or(0);
            end = last & (last + 1);
        }
        usize::try_from(sum).unwrap_or(0)
    }
}
