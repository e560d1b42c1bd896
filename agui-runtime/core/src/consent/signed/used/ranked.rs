//! Origins sorted by rank, with direct access to both ends.

use std::collections::{BTreeMap, BTreeSet};

use crate::consent::signed::place::OriginDigest;

/// A rank per origin, and the origins sorted by rank.
#[derive(Debug)]
pub(super) struct RankedOrigins<R> {
    ranks: BTreeMap<OriginDigest, R>,
    order: BTreeSet<(R, OriginDigest)>,
}

impl<R: Ord + Copy> RankedOrigins<R> {
    pub(super) const fn new() -> Self {
        Self { ranks: BTreeMap::new(), order: BTreeSet::new() }
    }

    pub(super) fn get(&self, place: &OriginDigest) -> Option<R> {
        self.ranks.get(place).copied()
    }

    /// Sets an origin's rank, or removes the origin.
    pub(super) fn set(&mut self, place: OriginDigest, rank: Option<R>) {
        let old = match rank {
            Some(rank) => self.ranks.insert(place, rank),
            None => self.ranks.remove(&place),
        };
        if let Some(old) = old {
            self.order.remove(&(old, place));
        }
        self.order.extend(rank.map(|rank| (rank, place)));
    }

    /// Removes the origin with the lowest rank.
    pub(super) fn pop_first(&mut self) -> Option<(R, OriginDigest)> {
        let (rank, place) = self.order.pop_first()?;
        self.ranks.remove(&place);
        Some((rank, place))
    }

    /// Returns the origin with the highest rank.
    pub(super) fn last(&self) -> Option<OriginDigest> {
        self.order.last().map(|(_, place)| *place)
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }
}
