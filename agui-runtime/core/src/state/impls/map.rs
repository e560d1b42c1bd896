//! Maps: objects whose member names are data.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

#[cfg(feature = "indexmap")]
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::super::StateNode;
use super::super::engine::{FlatMembers, JsonOut, PatchText, StatePath, ValueToken, VisitedTypes};
use super::key::{MapKey, is_same_name};
use super::rename::MemberRenames;

/// The number of comparisons up to which comparing is cheaper than tokens.
const FEW: usize = 16;

/// Appends the members.
fn write_members<'a, K: MapKey, V: StateNode>(
    members: impl Iterator<Item = (&'a K, &'a V)>,
    out: &mut JsonOut,
) {
    for (key, value) in members {
        if out.is_full() {
            return;
        }
        match key.name() {
            Ok(name) => {
                out.name(&name);
                value.write(out);
            }
            Err(error) => out.fail(error),
        }
    }
}

fn token<'a, K: MapKey, V: StateNode>(
    length: usize,
    members: impl Iterator<Item = (&'a K, &'a V)>,
    token: &mut ValueToken,
) {
    let fresh = token.fresh();
    let take = if token.is_full() { usize::MAX } else { 0 };
    let part = |(key, value): (&'a K, &'a V)| {
        let mut part = fresh.clone();
        if let Ok(name) = key.name() {
            part.bytes(name.as_bytes());
        }
        value.token(&mut part);
        part.finish()
    };
    token.unordered(length, members.take(take).map(part));
}

trait KeyNames<K> {
    /// Returns true if there is an equal key with the same name.
    fn has(&self, key: &K) -> bool;
}

macro_rules! maps {
    ($($(#[$unlisted:meta])? [$($param:tt)*] $Map:ty, $K:ty, $V:ty;)*) => {$(
        impl<$($param)*> KeyNames<$K> for $Map {
            fn has(&self, key: &$K) -> bool {
                self.get_key_value(key).is_some_and(|(own, _)| is_same_name(own, key))
            }
        }

        $(#[$unlisted])?
        impl<$($param)*> StateNode for $Map {
            const MIN: usize = 2;

            fn is_open(types: &mut VisitedTypes) -> bool {
                types.collection(<$V as StateNode>::is_open)
            }

            fn same(&self, now: &Self) -> bool {
                self.len() == now.len()
                    && self.iter().zip(now).all(|((old_key, old), (key, new))| {
                        // Copies iterate in the same order, so a lookup is only needed after the first
                        // difference.
                        if old_key == key {
                            is_same_name(old_key, key) && old.same(new)
                        } else {
                            self.has(key) && self.get(key).is_some_and(|old| old.same(new))
                        }
                    })
            }

            fn write(&self, out: &mut JsonOut) {
                out.byte(b'{');
                write_members(self.iter(), out);
                out.byte(b'}');
            }

            fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
                if at.is_deep() {
                    out.whole(self, now, at);
                    return;
                }
                let mark = out.mark();
                self.sync_members(now, at, out);
                out.settle(mark, at, now);
            }

            fn floor(&self) -> usize {
                // The quotes and the colon of each name.
                1 + (self.len() * (4 + <$V as StateNode>::MIN)).max(1)
            }

            fn token(&self, into: &mut ValueToken) {
                token(self.len(), self.iter(), into);
            }
        }

        $(#[$unlisted])?
        impl<$($param)*> FlatMembers for $Map {
            fn any_name(&self, is: &mut dyn FnMut(&str) -> bool) -> bool {
                self.keys().any(|key| key.name().is_ok_and(|name| is(&name)))
            }

            fn has_name(&self, name: &str) -> bool {
                !self.is_empty() && <$K as MapKey>::from_name(name).is_ok_and(|key| self.has(&key))
            }

            fn write_members(&self, out: &mut JsonOut) {
                write_members(self.iter(), out);
            }

            fn sync_members(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
                let mut in_step = 0;
                for ((old_key, old), (key, new)) in self.iter_mut().zip(now) {
                    if old_key != key || !is_same_name(old_key, key) {
                        break;
                    }
                    if !old.same(new) {
                        old.sync(new, &at.key(key), out);
                    }
                    in_step += 1;
                }
                if in_step == self.len() && in_step == now.len() {
                    return;
                }
                let mut gained = Vec::new();
                for (key, new) in now.iter().skip(in_step) {
                    let has_other_name = <$K as MapKey>::EQUAL_WITH_OTHER_NAME && !self.has(key);
                    match self.get_mut(key).filter(|_| !has_other_name) {
                        Some(old) => old.sync(new, &at.key(key), out),
                        None => gained.push((key, new)),
                    }
                }
                let mut lost: Vec<$K> = if self.len() + gained.len() > now.len() {
                    self.keys().filter(|key| !now.has(key)).cloned().collect()
                } else {
                    Vec::new()
                };
                let has_lost = !lost.is_empty();
                // With few pairs all of them are compared; that is the usual case.
                let has_renames = !out.is_over()
                    && (lost.len() * gained.len() > FEW
                        || lost.iter().any(|key| {
                            self.get(key).is_some_and(|old| gained.iter().any(|(_, new)| old.same(new)))
                        }));
                let mut renamed = Vec::new();
                if has_renames {
                    let renames = {
                        let lost = lost.iter().filter_map(|key| self.get(key));
                        MemberRenames::between(lost, gained.iter().map(|(_, new)| *new))
                    };
                    for (old, new) in &renames.pairs {
                        if let (Some(old), Some((key, new))) = (lost.get(*old), gained.get(*new)) {
                            out.move_(&at.key(old), &at.key(*key));
                            renamed.push((*key, *new));
                        }
                    }
                    (lost, gained) = (renames.leave_lost(lost), renames.leave_gained(gained));
                }
                for key in &lost {
                    out.remove(&at.key(key));
                }
                if has_lost {
                    // One pass: in an ordered map, each single removal would move the members behind it.
                    self.retain(|key, _| now.has(key));
                }
                for (key, new) in &gained {
                    out.insert(&at.key(*key), *new);
                }
                self.extend(renamed.into_iter().chain(gained).map(|(key, new)| (key.clone(), new.clone())));
            }
        }
    )*};
}

maps! {
    [K: MapKey + Ord, V: StateNode] BTreeMap<K, V>, K, V;
    [K: MapKey + Eq + Hash, V: StateNode, H: BuildHasher + Default + Clone + 'static] HashMap<K, V, H>, K, V;
    #[diagnostic::do_not_recommend]
    [] Map<String, Value>, String, Value;
}

#[cfg(feature = "indexmap")]
maps! {
    [K: MapKey + Eq + Hash, V: StateNode] IndexMap<K, V>, K, V;
}
