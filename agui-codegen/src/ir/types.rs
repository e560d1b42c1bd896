//! Types: what a value may be.

use serde_json::{Number, Value};

/// A named type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDecl {
    /// The name, an identifier.
    pub name: String,
    /// What it is.
    pub doc: Doc,
    /// What it is made of.
    pub ty: Type,
    /// Whether it contains itself, directly or through others.
    pub recursive: bool,
}

/// What a value may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Any JSON value.
    Any,
    /// No value at all.
    Never,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer(Bounds),
    /// A number.
    Number(Bounds),
    /// A text.
    String(Text),
    /// One value.
    Literal(Literal),
    /// One of several texts.
    Enum(Vec<EnumValue>),
    /// A list.
    Array(Box<ArrayType>),
    /// A list with a type for each place.
    Tuple(Vec<Type>),
    /// An object whose keys are data.
    Map(Box<MapType>),
    /// An object whose keys are names.
    Object(Object),
    /// The type or `null`.
    Nullable(Box<Type>),
    /// One of several types, at least two, none of them `null`.
    Union(Union),
    /// All of several types at once, at least two, each an object or a union of objects.
    Intersection(Vec<Type>),
    /// The named type.
    Ref(String),
}

/// What a number may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The Rust type where schemars names it: `uint8`, `int64`, `double`, …
    pub format: Option<String>,
    /// The smallest value.
    pub minimum: Option<Number>,
    /// The largest value.
    pub maximum: Option<Number>,
    /// What it is greater than.
    pub above: Option<Number>,
    /// What it is less than.
    pub below: Option<Number>,
    /// What it is a multiple of.
    pub step: Option<Number>,
}

/// What a text may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// The format where one is named: `uuid`, `date-time`, `uri`, …
    pub format: Option<String>,
    /// The least number of characters.
    pub min: Option<u64>,
    /// The greatest number of characters.
    pub max: Option<u64>,
    /// The regular expression that matches in it.
    pub pattern: Option<String>,
}

/// A value written out.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A text.
    String(String),
    /// A whole number.
    Integer(i64),
    /// `true` or `false`.
    Bool(bool),
}

/// One of the texts of [`Type::Enum`].
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    /// The text.
    pub value: String,
    /// What it means.
    pub doc: Doc,
}

/// A list and how long it may be.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayType {
    /// What it lists.
    pub item: Type,
    /// The least number of items.
    pub min: Option<u64>,
    /// The greatest number of items.
    pub max: Option<u64>,
}

/// An object whose keys are data.
#[derive(Clone, Debug, PartialEq)]
pub struct MapType {
    /// The keys.
    pub key: MapKey,
    /// The values.
    pub value: Type,
}

/// The keys of a [`MapType`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKey {
    /// Any text.
    String,
    /// A whole number, written as text.
    Integer {
        /// Whether it may be negative.
        signed: bool,
    },
}

/// An object whose keys are names.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The members, in the order of the Rust fields.
    pub fields: Vec<Field>,
    /// What other members there may be.
    pub extra: Extra,
}

/// A member of an [`Object`].
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name on the wire.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it is always there.
    pub required: bool,
    /// What it is.
    pub doc: Doc,
}

/// What members an [`Object`] may have besides its fields.
#[derive(Clone, Debug, PartialEq)]
pub enum Extra {
    /// Unknown ones, that mean nothing.
    Open,
    /// None.
    Closed,
    /// Ones of this type, that are data.
    Typed(Box<Type>),
}

/// One of several types.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// The alternatives, in the order of the Rust variants.
    pub variants: Vec<Variant>,
    /// The member whose text tells the alternatives apart, where there is one.
    pub tag: Option<String>,
}

/// An alternative of a [`Union`].
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The type.
    pub ty: Type,
    /// What it means.
    pub doc: Doc,
}

/// What there is to say about a type or a member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doc {
    /// The doc comment.
    pub description: Option<String>,
    /// The value when absent.
    pub default: Option<Value>,
    /// Whether it should not be used any more.
    pub deprecated: bool,
}

impl Type {
    /// Calls `visit` with every named type inside.
    pub fn each_ref(&self, visit: &mut dyn FnMut(&str)) {
        self.each(&mut |ty| {
            if let Self::Ref(name) = ty {
                visit(name);
            }
        });
    }

    /// Calls `visit` with this type and every type inside.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::Array(array) => array.item.each(visit),
            Self::Tuple(items) | Self::Intersection(items) => items.iter().for_each(|item| item.each(visit)),
            Self::Map(map) => map.value.each(visit),
            Self::Object(object) => {
                object.fields.iter().for_each(|field| field.ty.each(visit));
                if let Extra::Typed(extra) = &object.extra {
                    extra.each(visit);
                }
            }
            Self::Nullable(inner) => inner.each(visit),
            Self::Union(union) => union.variants.iter().for_each(|variant| variant.ty.each(visit)),
            _ => {}
        }
    }

    /// Calls `visit` with this type and every type inside, in the order of [`each`](Self::each), to change them.
    pub fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        visit(self);
        match self {
            Self::Array(array) => array.item.each_mut(visit),
            Self::Tuple(items) | Self::Intersection(items) => {
                items.iter_mut().for_each(|item| item.each_mut(visit));
            }
            Self::Map(map) => map.value.each_mut(visit),
            Self::Object(object) => {
                object.fields.iter_mut().for_each(|field| field.ty.each_mut(visit));
                if let Extra::Typed(extra) = &mut object.extra {
                    extra.each_mut(visit);
                }
            }
            Self::Nullable(inner) => inner.each_mut(visit),
            Self::Union(union) => union.variants.iter_mut().for_each(|variant| variant.ty.each_mut(visit)),
            _ => {}
        }
    }
}
