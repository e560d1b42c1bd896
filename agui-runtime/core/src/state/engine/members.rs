//! The members that `#[serde(flatten)]` merges into their owner.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::{JsonOut, PatchText, StatePath, WriteJson};

/// A state that is an object and can be part of another object: a struct with named fields, a map, an enum that writes objects, or
/// an `Option` or `Box` around one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened into shared state",
    label = "does not write the members of an object",
    note = "`#[serde(flatten)]` wants a struct with named fields, a map or an enum of them"
)]
pub trait FlatMembers {
    /// Appends the members, each with [`JsonOut::member`] or [`JsonOut::name`] before the value, without braces.
    fn write_members(&self, out: &mut JsonOut);

    /// Works like [`Node::sync`](super::Node::sync) for the members only. `at` is the owner's place, and the owner settles.
    fn sync_members(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText);

    /// Returns true if a member may have a name that `is` accepts.
    fn any_name(&self, is: &mut dyn FnMut(&str) -> bool) -> bool {
        let _ = is;
        false
    }

    /// Returns this part without the type, for a search among names.
    fn names(&self) -> &dyn MemberNames
    where
        Self: Sized,
    {
        self
    }

    /// Returns true if a member may have this name.
    fn has_name(&self, name: &str) -> bool {
        self.any_name(&mut |one| one == name)
    }
}

/// A type that is written as an object, as an activity's content must be.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the content of an activity is a JSON object, and `{Self}` is not written as one",
    label = "not written as an object",
    note = "give the activity named fields, `struct Plan {{ items: Vec<Item> }}`; of an enum without tags, every variant needs them"
)]
pub trait WrittenAsObject {}

#[diagnostic::do_not_recommend]
impl<M: FlatMembers> WrittenAsObject for M {}

// It may be one, which is checked when it is written.
#[diagnostic::do_not_recommend]
impl WrittenAsObject for serde_json::Value {}

/// Checks that a type is written as an object.
pub const fn written_as_object<T: WrittenAsObject>() {}

/// [`FlatMembers`] without the type.
pub trait MemberNames {
    /// [`FlatMembers::any_name`].
    fn any(&self, is: &mut dyn FnMut(&str) -> bool) -> bool;
    /// [`FlatMembers::has_name`].
    fn has(&self, name: &str) -> bool;
}

impl<M: FlatMembers> MemberNames for M {
    fn any(&self, is: &mut dyn FnMut(&str) -> bool) -> bool {
        self.any_name(is)
    }

    fn has(&self, name: &str) -> bool {
        self.has_name(name)
    }
}

/// Returns true if serde writes some name twice: as a field and in a part, or in two parts. A reader takes the last value, and
/// operations on one of the two would not lead to that document.
pub fn collide(own: &[&str], parts: &[&dyn MemberNames]) -> bool {
    parts.iter().enumerate().any(|(i, part)| {
        let before = parts.get(..i).unwrap_or_default();
        own.iter().any(|name| part.has(name))
            || before.iter().any(|before| before.any(&mut |name| part.has(name)))
    })
}

/// A value's members as an object; nothing if there is no value.
struct BracedMembers<'a, M>(Option<&'a M>);

trait WriteMembers {
    fn object(&self, out: &mut JsonOut);
}

impl<M: FlatMembers> WriteMembers for BracedMembers<'_, M> {
    fn object(&self, out: &mut JsonOut) {
        out.byte(b'{');
        if let Some(members) = self.0 {
            members.write_members(out);
        }
        out.byte(b'}');
    }
}

/// Writes the operations between members without a common shape: those of different variants, or of an absent part.
pub fn exchange<M: FlatMembers>(old: Option<&M>, now: Option<&M>, at: &StatePath<'_>, out: &mut PatchText) {
    exchange_written(&BracedMembers(old), &BracedMembers(now), at, out);
}

#[cold]
fn exchange_written(old: &dyn WriteMembers, now: &dyn WriteMembers, at: &StatePath<'_>, out: &mut PatchText) {
    let mut text = [JsonOut::default(), JsonOut::default()];
    let [old_text, now_text] = &mut text;
    old.object(old_text);
    now.object(now_text);
    if let Some(error) = old_text.take_error().or(now_text.take_error()) {
        out.fail(error);
        return;
    }
    let read = |text: &JsonOut| serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(&text.text);
    let (old, now) = match (read(old_text), read(now_text)) {
        (Ok(old), Ok(now)) => (old, now),
        (Err(error), _) | (_, Err(error)) => {
            out.fail(error);
            return;
        }
    };
    for name in old.keys().filter(|name| !now.contains_key(*name)) {
        out.remove(&at.name(name));
    }
    for (name, value) in &now {
        match old.get(name) {
            None => out.insert(&at.name(name), &RawJson(value)),
            Some(before)
                if before.get() == value.get()
                    || crate::json::same_bytes(before.get().as_bytes(), value.get().as_bytes()) => {}
            Some(_) => out.set(&at.name(name), &RawJson(value)),
        }
    }
}

/// A text that is already JSON.
struct RawJson<'a>(&'a RawValue);

impl WriteJson for RawJson<'_> {
    fn json(&self, out: &mut JsonOut) {
        out.raw(self.0.get());
    }

    fn least(&self) -> usize {
        self.0.get().len()
    }
}
