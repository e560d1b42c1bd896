//! Moves that leave most elements where they are, such as two that trade places: done by swaps, not by shifting what lies
//! between.

use super::items::Items;
use super::walk::Run;

/// Up to so many displaced elements are put in place one by one.
const DISPLACED: usize = 64;

/// For each displaced place where its element was, sorted by place.
#[derive(Debug, Default)]
pub(super) struct Permutation(Vec<(usize, usize)>);

impl Permutation {
    /// Whether nothing came or went, and few elements are not at their old places: then they are noted.
    pub(super) fn fits(&mut self, kept: &[Run], moved: &[Run]) -> bool {
        self.0.clear();
        for run in
            kept.iter().filter(|run| run.old != run.now).chain(moved.iter().filter(|run| run.old != run.now))
        {
            if self.0.len() + run.length > DISPLACED {
                return false;
            }
            self.0.extend((0..run.length).map(|step| (run.now + step, run.old + step)));
        }
        self.0.sort_unstable();
        true
    }

    pub(super) fn apply(&self, items: &mut dyn Items) {
        for &(place, source) in &self.0 {
            // What was at an earlier place has been swapped to where that one's element was.
            let mut source = source;
            while source < place {
                let Ok(index) = self.0.binary_search_by_key(&source, |(place, _)| *place) else { break };
                source = self.0.get(index).map_or(place, |(_, source)| *source);
            }
            if source != place {
                items.swap(place, source);
            }
        }
    }
}
