//! Maps: objects whose members are data.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::super::Node;
use super::super::apply::{Edit, Fault, Target, Undo};
use super::super::engine::{Members, Out, Patch, Path, Token};
use super::key::MapKey;
use super::rename::Renames;
use crate::json::RemoveMember as _;

/// Up to so many comparisons are cheaper than tokens.
const FEW: usize = 16;

/// Appends the members.
fn write_members<'a, K: MapKey, V: Node>(members: impl Iterator<Item = (&'a K, &'a V)>, out: &mut Out) {
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

fn token<'a, K: MapKey, V: Node>(
    length: usize,
    members: impl Iterator<Item = (&'a K, &'a V)>,
    token: &mut Token,
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

macro_rules! maps {
    ($([$($param:tt)*] $Map:ty, $K:ty, $V:ty, $remove:ident;)*) => {$(
        impl<$($param)*> Node for $Map {
            const MIN: usize = 2;

            fn same(&self, now: &Self) -> bool {
                self.len() == now.len()
                    && self.iter().zip(now).all(|((old_key, old), (key, new))| {
                        // Copies walk in the same order; look up only where that has ended.
                        if old_key == key {
                            old.same(new)
                        } else {
                            self.get(key).is_some_and(|old| old.same(new))
                        }
                    })
            }

            fn write(&self, out: &mut Out) {
                out.byte(b'{');
                write_members(self.iter(), out);
                out.byte(b'}');
            }

            fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
                if at.is_deep() {
                    out.whole(self, now, at);
                    return;
                }
                let mark = out.mark();
                self.sync_members(now, at, out);
                out.settle(mark, at, now);
            }

            fn floor(&self) -> usize {
                // The quotes and colon of each name.
                1 + (self.len() * (4 + <$V as Node>::MIN)).max(1)
            }

            fn token(&self, into: &mut Token) {
                token(self.len(), self.iter(), into);
            }

            fn child(&mut self, segment: &str, _: bool) -> Option<&mut dyn Target> {
                let member = self.get_mut(&<$K as MapKey>::from_name(segment).ok()?)?;
                Some(member)
            }

            fn edit(&mut self, edit: Edit<'_>) -> Option<Result<Undo, Fault>> {
                match edit {
                    Edit::Add(name, value) => Some((|| {
                        let value: $V = serde_json::from_value(value.take())?;
                        let old = self.insert(<$K as MapKey>::from_name(name)?, value);
                        Ok(Undo::member(name, old))
                    })()),
                    Edit::Remove(name) => Some((|| {
                        let old = self.$remove(&<$K as MapKey>::from_name(name)?).ok_or(Fault::Missing)?;
                        Ok(Undo::member(name, Some(old)))
                    })()),
                    Edit::Back(Undo::Member(name, old)) => Some((|| {
                        let key = <$K as MapKey>::from_name(&name)?;
                        let new = match old.and_then(Undo::kept::<$V>) {
                            Some(old) => self.insert(key, old),
                            None => self.$remove(&key),
                        };
                        Ok(Undo::member(&name, new))
                    })()),
                    Edit::Move(..) | Edit::Back(_) => None,
                }
            }
        }

        impl<$($param)*> Members for $Map {
            fn any_name(&self, is: &mut dyn FnMut(&str) -> bool) -> bool {
                self.keys().any(|key| key.name().is_ok_and(|name| is(&name)))
            }

            fn has_name(&self, name: &str) -> bool {
                !self.is_empty() && <$K as MapKey>::from_name(name).is_ok_and(|key| self.contains_key(&key))
            }

            fn write_members(&self, out: &mut Out) {
                write_members(self.iter(), out);
            }

            fn sync_members(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
                let mut in_step = 0;
                for ((old_key, old), (key, new)) in self.iter_mut().zip(now) {
                    if old_key != key {
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
                    match self.get_mut(key) {
                        Some(old) => old.sync(new, &at.key(key), out),
                        None => gained.push((key, new)),
                    }
                }
                let mut lost: Vec<$K> = if self.len() + gained.len() > now.len() {
                    self.keys().filter(|key| !now.contains_key(*key)).cloned().collect()
                } else {
                    Vec::new()
                };
                let has_lost = !lost.is_empty();
                // A few are compared without further ado; that is most often all there is to it.
                let has_renames = !out.is_over()
                    && (lost.len() * gained.len() > FEW
                        || lost.iter().any(|key| {
                            self.get(key).is_some_and(|old| gained.iter().any(|(_, new)| old.same(new)))
                        }));
                let mut renamed = Vec::new();
                if has_renames {
                    let renames = {
                        let lost = lost.iter().filter_map(|key| self.get(key));
                        Renames::between(lost, gained.iter().map(|(_, new)| *new))
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
                    // All at once: where members have an order, each removal moves those behind it.
                    self.retain(|key, _| now.contains_key(key));
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
    [K: MapKey + Ord, V: Node] BTreeMap<K, V>, K, V, remove;
    [K: MapKey + Eq + Hash, V: Node, H: BuildHasher + Default + Clone + 'static] HashMap<K, V, H>, K, V, remove;
    [K: MapKey + Eq + Hash, V: Node] IndexMap<K, V>, K, V, shift_remove;
    [] Map<String, Value>, String, Value, remove_member;
}
