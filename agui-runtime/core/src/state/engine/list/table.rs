//! Pairs equal elements at different places in both lists by their tokens.

use super::items::ListMiddle;
use super::walk::MatchRun;

/// The number of comparisons up to which comparing is cheaper than tokens.
const FEW: usize = 16;
/// The number of elements with one token that are compared before the search gives up.
const COLLISIONS: usize = 8;

/// An open-addressed table from tokens to lost elements; among equal elements, the first comes first.
#[derive(Debug, Default)]
pub(super) struct TokenTable {
    slots: Vec<TokenSlot>,
    /// For each lost element the next one with the same token, counted from one.
    next: Vec<usize>,
    found: Vec<MatchRun>,
}

#[derive(Debug, Clone, Copy, Default)]
struct TokenSlot {
    token: u64,
    /// The first lost element, counted from one; zero if there is no such element.
    first: usize,
    is_used: bool,
}

impl TokenTable {
    /// Takes matching elements out of `lost` and `gained`.
    pub(super) fn match_up(
        &mut self,
        items: &dyn ListMiddle,
        lost: &mut Vec<usize>,
        gained: &mut Vec<usize>,
    ) -> &mut Vec<MatchRun> {
        self.found.clear();
        if lost.len() * gained.len() <= FEW {
            self.compare_all(items, lost, gained);
        } else {
            let has_collided = self.match_tokens(items, lost, gained, false);
            if has_collided && !lost.is_empty() && !gained.is_empty() {
                self.match_tokens(items, lost, gained, true);
            }
        }
        &mut self.found
    }

    fn compare_all(&mut self, items: &dyn ListMiddle, lost: &mut Vec<usize>, gained: &mut Vec<usize>) {
        gained.retain(|&now| {
            let Some(place) = lost.iter().position(|&old| items.alike(old, now)) else { return true };
            self.found.push(MatchRun { old: lost.remove(place), now, length: 1 });
            false
        });
    }

    fn match_tokens(
        &mut self,
        items: &dyn ListMiddle,
        lost: &mut Vec<usize>,
        gained: &mut Vec<usize>,
        full: bool,
    ) -> bool {
        self.slots.clear();
        self.slots.resize((lost.len() * 2).next_power_of_two(), TokenSlot::default());
        self.next.clear();
        self.next.resize(lost.len(), 0);
        // In reverse order, so that the first of several equal ones ends up at the front.
        for (index, &old) in lost.iter().enumerate().rev() {
            let token = items.old_token(old, full);
            if let Some(slot) = find(&mut self.slots, token) {
                if let Some(next) = self.next.get_mut(index) {
                    *next = slot.first;
                }
                *slot = TokenSlot { token, first: index + 1, is_used: true };
            }
        }
        let mut has_collided = false;
        gained.retain(|&now| {
            let token = items.now_token(now, full);
            let is_match = |index: usize| lost.get(index).is_some_and(|&old| items.alike(old, now));
            match take(&mut self.slots, &mut self.next, token, is_match) {
                TokenMatch::Found(index) => {
                    if let Some(old) = lost.get_mut(index) {
                        self.found.push(MatchRun { old: *old, now, length: 1 });
                        *old = usize::MAX;
                    }
                    false
                }
                TokenMatch::Collided => {
                    has_collided = true;
                    true
                }
                TokenMatch::Nothing => true,
            }
        });
        lost.retain(|&old| old != usize::MAX);
        has_collided
    }
}

/// Returns a token's slot, or a free slot. Half the slots are free, so there is always one.
fn find(slots: &mut [TokenSlot], token: u64) -> Option<&mut TokenSlot> {
    let mask = slots.len().checked_sub(1)?;
    let start = usize::try_from(token >> 32).unwrap_or(0);
    let place = (0..slots.len())
        .map(|step| (start + step) & mask)
        .find(|&place| slots.get(place).is_some_and(|slot| !slot.is_used || slot.token == token))?;
    slots.get_mut(place)
}

enum TokenMatch {
    Found(usize),
    /// Some elements have this token, but no compared one matches.
    Collided,
    Nothing,
}

/// Takes the first matching element with this token out of the chain.
fn take(
    slots: &mut [TokenSlot],
    next: &mut [usize],
    token: u64,
    is_match: impl Fn(usize) -> bool,
) -> TokenMatch {
    let Some(slot) = find(slots, token).filter(|slot| slot.first != 0) else { return TokenMatch::Nothing };
    let mut before = None;
    let mut link = slot.first;
    for _ in 0..COLLISIONS {
        let Some(index) = link.checked_sub(1) else { return TokenMatch::Collided };
        let after = next.get(index).copied().unwrap_or(0);
        if is_match(index) {
            match before.and_then(|before: usize| next.get_mut(before)) {
                Some(next) => *next = after,
                None => slot.first = after,
            }
            return TokenMatch::Found(index);
        }
        before = Some(index);
        link = after;
    }
    TokenMatch::Collided
}
