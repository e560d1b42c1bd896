//! Wire shapes as data. A reader needs shapes to tell unknown material from malformed values, which a typed reader cannot do
//! (AG-UI 1.0, section "Receiving").

use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::Value;

use crate::protocol::version::ProtocolVersion;

pub(crate) use crate::protocol::json_patch::pointer::is_pointer;
pub(crate) use crate::protocol::number::MAX_SAFE;

/// The values that are allowed at one location in a document.
#[derive(Debug, Clone, Copy)]
pub(crate) enum JsonShape {
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
        of: &'static JsonShape,
        at_least: usize,
    },
    /// A string, or a list.
    TextOrList {
        of: &'static JsonShape,
    },
}

/// An object with described members.
#[derive(Debug)]
pub(crate) struct ObjectShape {
    /// True if undescribed members are kept.
    pub(crate) open: bool,
    pub(crate) members: &'static [MemberShape],
}

impl ObjectShape {
    /// Returns the member under `key`.
    pub(crate) fn member(&self, key: &str) -> Option<&'static MemberShape> {
        self.members.iter().find(|member| member.key == key)
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct MemberShape {
    pub(crate) key: &'static str,
    pub(crate) shape: &'static JsonShape,
    pub(crate) optional: bool,
    /// The first version with the member.
    pub(crate) since: ProtocolVersion,
}

impl MemberShape {
    pub(crate) const fn new<T: ShapedType>(key: &'static str) -> Self {
        Self { key, shape: const { &T::SHAPE }, optional: T::OPTIONAL, since: T::SINCE }
    }
}

/// Objects that the string under one key distinguishes.
#[derive(Debug)]
pub(crate) struct UnionShape {
    pub(crate) key: &'static str,
    pub(crate) variants: &'static [(&'static str, &'static JsonShape)],
}

impl UnionShape {
    /// Returns the object shape with the tag `tag`.
    pub(crate) fn variant(&self, tag: &str) -> Option<&'static JsonShape> {
        self.variants.iter().find(|(name, _)| *name == tag).map(|(_, shape)| *shape)
    }
}

/// A type with a shape.
pub(crate) trait ShapedType {
    const SHAPE: JsonShape;
    /// True if members with this type may be absent.
    const OPTIONAL: bool = false;
    /// The first version with members of this type.
    const SINCE: ProtocolVersion = ProtocolVersion::FIRST;
}

impl<T: ShapedType> ShapedType for Option<T> {
    const SHAPE: JsonShape = T::SHAPE;
    const OPTIONAL: bool = true;
}

impl<T: ShapedType> ShapedType for Box<T> {
    const SHAPE: JsonShape = T::SHAPE;
}

impl<T: ShapedType> ShapedType for Vec<T> {
    const SHAPE: JsonShape = JsonShape::List { of: &T::SHAPE, at_least: 0 };
}

impl<T: ShapedType> ShapedType for Arc<[T]> {
    const SHAPE: JsonShape = <Vec<T>>::SHAPE;
}

impl ShapedType for String {
    const SHAPE: JsonShape = JsonShape::Text;
}

impl ShapedType for bool {
    const SHAPE: JsonShape = JsonShape::Boolean;
}

impl ShapedType for Value {
    const SHAPE: JsonShape = JsonShape::Any;
}

impl ShapedType for crate::protocol::JsonObject {
    const SHAPE: JsonShape = JsonShape::Open;
}

/// Marks an optional member whose `null` is read as absent.
pub(crate) enum NullIsAbsent {}

impl ShapedType for NullIsAbsent {
    const SHAPE: JsonShape = JsonShape::NullIsAbsent;
    const OPTIONAL: bool = true;
}

/// Marks a member that versions before `ProtocolVersion::at(VERSION)` do not have.
pub(crate) struct Since<T, const VERSION: usize> {
    member: PhantomData<T>,
}

impl<T: ShapedType, const VERSION: usize> ShapedType for Since<T, VERSION> {
    const SHAPE: JsonShape = T::SHAPE;
    const OPTIONAL: bool = T::OPTIONAL;
    const SINCE: ProtocolVersion = ProtocolVersion::at(VERSION);
}
