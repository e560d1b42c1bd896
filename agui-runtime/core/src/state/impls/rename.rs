//! Members that were removed under one name and added under another.

use std::collections::{HashMap, VecDeque};

use super::super::StateNode;
use super::super::engine::ValueToken;

/// Pairs: a lost member and a gained one, by their positions in both lists.
pub(super) struct MemberRenames {
    pub(super) pairs: Vec<(usize, usize)>,
}

impl MemberRenames {
    /// Pairs gained values with equal lost ones. Each is used once.
    #[cold]
    pub(super) fn between<'a, V: StateNode>(
        lost: impl Iterator<Item = &'a V>,
        gained: impl Iterator<Item = &'a V>,
    ) -> Self {
        let token = |value: &V| {
            let mut token = ValueToken::new(true);
            value.token(&mut token);
            token.finish()
        };
        let mut by_token = HashMap::<u64, VecDeque<(usize, &V)>>::new();
        for (index, value) in lost.enumerate() {
            by_token.entry(token(value)).or_default().push_back((index, value));
        }
        let mut pairs = Vec::new();
        for (index, value) in gained.enumerate() {
            let Some(candidates) = by_token.get_mut(&token(value)) else { continue };
            if candidates.front().is_some_and(|(_, old)| old.same(value))
                && let Some((old, _)) = candidates.pop_front()
            {
                pairs.push((old, index));
            }
        }
        Self { pairs }
    }

    /// Returns the lost members that are not renames.
    pub(super) fn leave_lost<T>(&self, lost: Vec<T>) -> Vec<T> {
        without(lost, self.pairs.iter().map(|(old, _)| *old))
    }

    /// Returns the gained members that are not renames.
    pub(super) fn leave_gained<T>(&self, gained: Vec<T>) -> Vec<T> {
        without(gained, self.pairs.iter().map(|(_, new)| *new))
    }
}

fn without<T>(all: Vec<T>, places: impl Iterator<Item = usize>) -> Vec<T> {
    let mut is_left = vec![true; all.len()];
    for place in places {
        if let Some(is_left) = is_left.get_mut(place) {
            *is_left = false;
        }
    }
    all.into_iter().zip(is_left).filter_map(|(one, is_left)| is_left.then_some(one)).collect()
}
