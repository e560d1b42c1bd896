//! Moves that leave most elements in place, such as an exchange: done by swaps, without shifting the elements between.

use super::items::ListMiddle;
use super::walk::MatchRun;

/// The number of displaced elements up to which they are put in place one by one.
const DISPLACED: usize = 64;

/// The displaced places, sorted, each with its element's old place.
#[derive(Debug, Default)]
pub(super) struct ElementPermutation(Vec<(usize, usize)>);

impl ElementPermutation {
    /// Returns true if no element was added or removed and few are displaced; then the displaced places are recorded.
    pub(super) fn fits(&mut self, kept: &[MatchRun], moved: &[MatchRun]) -> bool {
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

    pub(super) fn apply(&self, items: &mut dyn ListMiddle) {
        for &(place, source) in &self.0 {
            // The element of an earlier place was swapped to the place that its replacement came from.
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
