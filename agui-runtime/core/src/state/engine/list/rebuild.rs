//! Reorders a list's middle when few elements keep their place, without a second list: added elements take the place and the
//! memory of removed ones.

use super::items::{ElementSource, ListMiddle};

/// The work space.
#[derive(Debug, Default)]
pub(super) struct ListRebuild {
    /// For each place the current place of the element that belongs there.
    order: Vec<usize>,
    is_taken: Vec<bool>,
}

impl ListRebuild {
    /// Replaces the first `olds` elements of the middle by `sources`.
    pub(super) fn apply(&mut self, items: &mut dyn ListMiddle, olds: usize, sources: &[ElementSource]) {
        let Self { order, is_taken } = self;
        let nows = sources.len();
        is_taken.clear();
        is_taken.resize(olds.max(nows), false);
        for source in sources {
            if let ElementSource::Old(old) = *source
                && let Some(is_taken) = is_taken.get_mut(old)
            {
                *is_taken = true;
            }
        }
        let mut free =
            is_taken.iter().enumerate().filter(|(_, is_taken)| !**is_taken).map(|(place, _)| place);
        let behind = items.length() - items.head() - olds;
        order.clear();
        for source in sources {
            order.push(match *source {
                ElementSource::Old(old) => old,
                ElementSource::Now(now) => {
                    let place = free.next().unwrap_or(0);
                    if place < olds {
                        items.assign(place, now);
                    } else {
                        // At the end for now, so that no insertion shifts other elements.
                        items.insert(behind + place, now);
                    }
                    place
                }
            });
        }
        if nows > olds {
            items.rotate(olds, behind, behind + nows);
        }
        order.extend(free);
        permute(items, order);
        items.remove(nows, olds);
    }
}

/// Swaps elements along the cycles in `order` until each is in place.
fn permute(items: &mut dyn ListMiddle, order: &mut [usize]) {
    for start in 0..order.len() {
        let mut place = start;
        while let Some(source) = order.get_mut(place).map(|source| std::mem::replace(source, place)) {
            if source == start || source == place {
                break;
            }
            items.swap(place, source);
            place = source;
        }
    }
}
