//! Puts several added, removed and moved elements in place with two passes over the list, not one pass for each:
//!
//! ```text
//! a X b c Y d      two leave their places
//! a b c d X Y      gathered behind those that stay
//! a b c d Y N      what moves in the order of the new list, what came where something went
//! a b Y c N d      spread
//! ```

use super::emit::ElementArrival;
use super::items::ListMiddle;

/// The work space.
#[derive(Debug, Default)]
pub(super) struct ListSplice {
    /// The old places of removed and moved elements.
    leaving: Vec<usize>,
    /// The gathered elements' permutation.
    order: Vec<usize>,
}

impl ListSplice {
    /// Turns the first `olds` elements into the `nows` new ones. `lost` is sorted; `arrivals` are sorted by new place.
    pub(super) fn apply(
        &mut self,
        items: &mut dyn ListMiddle,
        (olds, nows): (usize, usize),
        lost: &[usize],
        arrivals: &[ElementArrival],
    ) {
        self.leaving.clear();
        self.leaving.extend_from_slice(lost);
        self.leaving.extend(arrivals.iter().filter_map(|arrival| arrival.from));
        self.leaving.sort_unstable();
        self.gather(items, olds);
        let stay = olds - self.leaving.len();
        self.arrange(items, stay, lost, arrivals);
        spread(items, stay, nows, arrivals);
    }

    fn gather(&self, items: &mut dyn ListMiddle, olds: usize) {
        let nexts = self.leaving.iter().skip(1).chain([&olds]);
        for (gathered, (&place, &next)) in self.leaving.iter().zip(nexts).enumerate() {
            if place + 1 < next {
                items.rotate(place - gathered, gathered + 1, next);
            }
        }
    }

    /// Turns the gathered elements, from `start` on, into the arriving ones.
    fn arrange(
        &mut self,
        items: &mut dyn ListMiddle,
        start: usize,
        lost: &[usize],
        arrivals: &[ElementArrival],
    ) {
        let Self { leaving, order } = self;
        let number = |old: usize| leaving.binary_search(&old).unwrap_or(0);
        let mut free = lost.iter();
        let mut end = leaving.len();
        order.clear();
        for arrival in arrivals {
            let source = match arrival.from {
                Some(old) => number(old),
                None => match free.next() {
                    Some(&old) => {
                        let source = number(old);
                        items.assign(start + source, arrival.now);
                        source
                    }
                    None => {
                        items.insert(start + end, arrival.now);
                        end += 1;
                        end - 1
                    }
                },
            };
            order.push(source);
        }
        for (place, source) in order.iter().enumerate() {
            // The element of an earlier place was swapped to the place that its replacement came from.
            let mut source = *source;
            while source < place {
                source = order.get(source).copied().unwrap_or(place);
            }
            if source != place {
                items.swap(start + place, start + source);
            }
        }
        items.remove(start + order.len(), start + end);
    }
}

fn spread(items: &mut dyn ListMiddle, mut stay: usize, nows: usize, arrivals: &[ElementArrival]) {
    let mut next = nows;
    for (before, arrival) in arrivals.iter().enumerate().rev() {
        let behind = next - arrival.now - 1;
        if behind > 0 {
            items.rotate(stay - behind, behind, stay + before + 1);
        }
        stay -= behind;
        next = arrival.now;
    }
}
