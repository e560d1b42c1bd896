//! Who need not move: the longest increasing subsequence, by the number of elements.

use super::walk::Run;

/// The best chain that ends at each place of the new list, as a tree of prefix maxima.
#[derive(Debug, Default)]
pub(super) struct Chains {
    best: Vec<Chain>,
    before: Vec<usize>,
}

/// A chain of runs, by how many elements it has and by its last run, counted from one.
#[derive(Debug, Clone, Copy, Default)]
struct Chain {
    elements: usize,
    last: usize,
}

impl Chains {
    /// Splits runs, sorted by their place in the old list, into those that stay, which are left, and those that move.
    pub(super) fn split(&mut self, runs: &mut Vec<Run>, nows: usize, moved: &mut Vec<Run>) {
        self.best.clear();
        self.best.resize(nows, Chain::default());
        self.before.clear();
        let mut longest = Chain::default();
        for (index, run) in runs.iter().enumerate() {
            let shorter = self.best_before(run.now);
            self.before.push(shorter.last);
            let chain = Chain { elements: shorter.elements + run.length, last: index + 1 };
            self.raise(run.now, chain);
            if chain.elements > longest.elements {
                longest = chain;
            }
        }
        // Walk the chain back; what is marked with itself stays.
        let mut link = longest.last;
        while let Some(index) = link.checked_sub(1) {
            link = self.before.get(index).copied().unwrap_or(0);
            if let Some(before) = self.before.get_mut(index) {
                *before = usize::MAX;
            }
        }
        let mut index = 0;
        runs.retain(|run| {
            let stays = self.before.get(index) == Some(&usize::MAX);
            index += 1;
            if !stays {
                moved.extend((0..run.length).map(|step| Run {
                    old: run.old + step,
                    now: run.now + step,
                    length: 1,
                }));
            }
            stays
        });
    }

    fn best_before(&self, place: usize) -> Chain {
        let mut best = Chain::default();
        let mut end = place;
        while let Some(last) = end.checked_sub(1) {
            if let Some(chain) = self.best.get(last).filter(|chain| chain.elements > best.elements) {
                best = *chain;
            }
            end = last & (last + 1);
        }
        best
    }

    fn raise(&mut self, mut place: usize, chain: Chain) {
        while let Some(best) = self.best.get_mut(place) {
            if chain.elements > best.elements {
                *best = chain;
            }
            place |= place + 1;
        }
    }
}
