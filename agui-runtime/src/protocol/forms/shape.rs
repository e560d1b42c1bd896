//! Wire shapes as data. A reader needs shapes to tell unknown material from malformed values, which a typed reader cannot do
//! (AG-UI 1.0, section "Receiving").

use std::sync::Arc;

use serde_json::Value;

pub(crate) use crate::protocol::json_patch::pointer::is_pointer;
pub(crate) use crate::protocol::number::MAX_SAFE;

/// The values that are allowed at one location in a document.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    /// Any string.
    Text,
    /// One string.
    Literal(&'static str),
    /// A string from a closed set.
    OneOf(&'static [&'static str]),
    /// A JSON Pointer.
    Pointer,
    Boolean,
    /// A whole number between `min` and the largest integer that JavaScript represents exactly.
    Integer {
        min: i64,
    },
    /// Any value.
    Any,
    /// Any value but `null`.
    NonNull,
    /// Any value; `null` means absent.
    NullIsAbsent,
    /// An object whose keys are data.
    Open,
    Object(&'static ObjectShape),
    Union(&'static UnionShape),
    List {
        of: &'static Shape,
        at_least: usize,
    },
    /// A string, or a list.
    TextOrList {
        of: &'static Shape,
    },
}

/// An object with described members.
#[derive(Debug)]
pub(crate) struct ObjectShape {
    /// True if undescribed members are kept.
    pub(crate) open: bool,
    pub(crate) members: &'static [Member],
}

impl ObjectShape {
    /// Returns the member under `key`.
    pub(crate) fn member(&self, key: &str) -> Option<&'static Member> {
        self.members.iter().find(|member| member.key == key)
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub(crate) key: &'static str,
    pub(crate) shape: &'static Shape,
    pub(crate) optional: bool,
}

impl Member {
    pub(crate) const fn of<T: Described>(key: &'static str) -> Self {
        Self { key, shape: const { &T::SHAPE }, optional: T::OPTIONAL }
    }
}

/// Objects that the string under one key distinguishes.
#[derive(Debug)]
pub(crate) struct UnionShape {
    pub(crate) key: &'static str,
    pub(crate) variants: &'static [(&'static str, &'static Shape)],
}

impl UnionShape {
    /// Returns the object shape with the tag `tag`.
    pub(crate) fn variant(&self, tag: &str) -> Option<&'static Shape> {
        self.variants.iter().find(|(name, _)| *name == tag).map(|(_, shape)| *shape)
    }
}

/// A type with a shape.
pub(crate) trait Described {
    const SHAPE: Shape;
    /// True if members with this type may be absent.
    const OPTIONAL: bool = false;
}

impl<T: Described> Described for Option<T> {
    const SHAPE: Shape = T::SHAPE;
    const OPTIONAL: bool = true;
}

impl<T: Described> Described for Box<T> {
    const SHAPE: Shape = T::SHAPE;
}

impl<T: Described> Described for Vec<T> {
    const SHAPE: Shape = Shape::List { of: &T::SHAPE, at_least: 0 };
}

impl<T: Described> Described for Arc<[T]> {
    const SHAPE: Shape = <Vec<T>>::SHAPE;
}

impl Described for String {
    const SHAPE: Shape = Shape::Text;
}

impl Described for bool {
    const SHAPE: Shape = Shape::Boolean;
}

impl Described for Value {
    const SHAPE: Shape = Shape::Any;
}

impl Described for crate::protocol::JsonObject {
    const SHAPE: Shape = Shape::Open;
}

/// Marks an optional member whose `null` is read as absent.
pub(crate) enum NullIsAbsent {}

impl Described for NullIsAbsent {
    const SHAPE: Shape = Shape::NullIsAbsent;
    const OPTIONAL: bool = true;
}
