//! `Option`: `null`, or the inner value.

use super::super::StateNode;
use super::super::engine::{
    FlatMembers, JsonOut, PatchText, StatePath, ValueToken, VisitedTypes, least_set, members,
};

impl<T: StateNode> StateNode for Option<T> {
    const MIN: usize = if T::MIN < 4 { T::MIN } else { 4 };
    const EXACT: bool = T::EXACT;

    fn is_open(types: &mut VisitedTypes) -> bool {
        T::is_open(types)
    }

    #[inline]
    fn same(&self, now: &Self) -> bool {
        match (self, now) {
            (Some(old), Some(now)) => old.same(now),
            // `Some(None)` is `null` too.
            (old, now) => old.is_null() && now.is_null(),
        }
    }

    fn write(&self, out: &mut JsonOut) {
        match self {
            Some(value) => value.write(out),
            None => out.raw("null"),
        }
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        match (&mut *self, now) {
            (Some(old), Some(now)) => old.sync(now, at, out),
            (old, now) if old.is_null() && now.is_null() => {}
            (_, now) => {
                out.set(at, now);
                self.clone_from(now);
            }
        }
    }

    #[inline]
    fn is_null(&self) -> bool {
        self.as_ref().is_none_or(StateNode::is_null)
    }

    fn floor(&self) -> usize {
        self.as_ref().map_or(4, StateNode::floor)
    }

    fn least_change(&self, now: &Self, path: usize) -> usize {
        match (self, now) {
            (Some(old), Some(now)) => old.least_change(now, path),
            (old, now) if old.is_null() && now.is_null() => 0,
            (_, now) => least_set(path, now),
        }
    }

    fn token(&self, token: &mut ValueToken) {
        match self {
            Some(value) if !value.is_null() => value.token(token),
            _ => token.null(),
        }
    }

    fn key_same(&self, now: &Self) -> bool {
        match (self, now) {
            (Some(old), Some(now)) => old.key_same(now),
            (old, now) => old.is_null() && now.is_null(),
        }
    }

    fn key_token(&self, token: &mut ValueToken) {
        match self {
            Some(value) if !value.is_null() => value.key_token(token),
            _ => token.null(),
        }
    }
}

impl<T: StateNode + FlatMembers> FlatMembers for Option<T> {
    fn any_name(&self, is: &mut dyn FnMut(&str) -> bool) -> bool {
        self.as_ref().is_some_and(|members| members.any_name(is))
    }

    fn has_name(&self, name: &str) -> bool {
        self.as_ref().is_some_and(|members| members.has_name(name))
    }

    fn write_members(&self, out: &mut JsonOut) {
        if let Some(value) = self {
            value.write_members(out);
        }
    }

    fn sync_members(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        match (&mut *self, now) {
            (None, None) => {}
            (Some(old), Some(now)) => old.sync_members(now, at, out),
            (old, now) => {
                members::exchange(old.as_ref(), now.as_ref(), at, out);
                self.clone_from(now);
            }
        }
    }
}
