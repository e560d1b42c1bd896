//! A deserializer that measures untyped values.
//!
//! A type with its own shape requests each part by kind, and takes the type's memory. A type that holds any JSON requests "any
//! value" (`deserialize_any`), and so does serde where values must be kept until their type is known: in internally tagged and
//! untagged enums, and beside flattened fields.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::meter::{JsonMeter, LIST, MEMBER, OBJECT};

/// Returns false for types no larger than a text, which hold no tree by themselves: dates, numbers in any size.
fn may_hold_a_tree<T>() -> bool {
    size_of::<T>() > size_of::<String>()
}

/// The deserializer `inner`, measured.
pub(in crate::protocol) struct MeteredDeserializer<'m, D> {
    inner: D,
    meter: &'m JsonMeter,
}

impl<'m, D> MeteredDeserializer<'m, D> {
    pub(in crate::protocol) fn new(inner: D, meter: &'m JsonMeter) -> Self {
        Self { inner, meter }
    }

    fn typed<V>(&self, visitor: V) -> MeteredValue<'m, V> {
        MeteredValue { inner: visitor, meter: self.meter, is_typed: true }
    }
}

/// Forwards requests for values without parts.
macro_rules! scalars {
    ($($deserialize:ident)*) => {$(
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$deserialize(visitor)
        }
    )*};
}

/// Forwards requests for values of a known kind, and measures their parts.
macro_rules! composites {
    ($($deserialize:ident($($name:ident: $Type:ty),*))*) => {$(
        fn $deserialize<V: Visitor<'de>>(self, $($name: $Type,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.typed(visitor);
            self.inner.$deserialize($($name,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for MeteredDeserializer<'_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        if may_hold_a_tree::<V::Value>() {
            self.meter.spend(2 * size_of::<V::Value>())?;
        }
        self.inner.deserialize_any(MeteredValue { inner: visitor, meter: self.meter, is_typed: false })
    }

    scalars! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
        deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit
        deserialize_identifier deserialize_ignored_any
    }

    composites! {
        deserialize_option()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_seq()
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_map()
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// A visitor, list, object or variant with measured parts.
struct MeteredValue<'m, T> {
    inner: T,
    meter: &'m JsonMeter,
    /// True if the value has a type that accounts for the memory.
    is_typed: bool,
}

impl<'m, T> MeteredValue<'m, T> {
    fn with<U>(&self, inner: U) -> MeteredValue<'m, U> {
        MeteredValue { inner, meter: self.meter, is_typed: self.is_typed }
    }
}

/// Forwards values without parts.
macro_rules! visits {
    ($($visit:ident($Type:ty))*) => {$(
        fn $visit<E: Error>(self, value: $Type) -> Result<V::Value, E> {
            self.inner.$visit(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for MeteredValue<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visits! {
        visit_bool(bool) visit_i8(i8) visit_i16(i16) visit_i32(i32) visit_i64(i64) visit_i128(i128)
        visit_u8(u8) visit_u16(u16) visit_u32(u32) visit_u64(u64) visit_u128(u128) visit_f32(f32) visit_f64(f64)
        visit_char(char) visit_str(&str) visit_borrowed_str(&'de str) visit_string(String)
        visit_bytes(&[u8]) visit_borrowed_bytes(&'de [u8]) visit_byte_buf(Vec<u8>)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, some: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(MeteredDeserializer::new(some, self.meter))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, content: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(MeteredDeserializer::new(content, self.meter))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<V::Value, A::Error> {
        let parts = MeteredElements::new(self.with(elements));
        self.inner.visit_seq(parts)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        let parts = MeteredElements::new(self.with(members));
        self.inner.visit_map(parts)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        let variant = self.with(variant);
        self.inner.visit_enum(variant)
    }
}

/// List elements, or object members.
struct MeteredElements<'m, A> {
    inner: MeteredValue<'m, A>,
    is_first: bool,
    /// True if the owner keeps the part unchanged until the end: serde does so beside flattened fields.
    is_kept: bool,
}

impl<'m, A> MeteredElements<'m, A> {
    fn new(inner: MeteredValue<'m, A>) -> Self {
        Self { inner, is_first: true, is_kept: false }
    }

    /// Counts a part: `each` bytes, and more for the first part.
    fn place<E: Error>(&mut self, each: usize, first: usize) -> Result<(), E> {
        let is_first = std::mem::take(&mut self.is_first);
        if self.inner.is_typed {
            return Ok(());
        }
        self.inner.meter.spend(each + if is_first { first } else { 0 })
    }

    fn end(&self, spent: usize) {
        if self.inner.is_typed && !self.is_kept {
            self.inner.meter.end(spent);
        }
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for MeteredElements<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        let spent = self.inner.meter.spent();
        let seed = self.inner.with(seed);
        let Some(element) = self.inner.inner.next_element_seed(seed)? else { return Ok(None) };
        self.place(0, LIST)?;
        self.end(spent);
        Ok(Some(element))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for MeteredElements<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let seed = self.inner.with(seed);
        let Some(key) = self.inner.inner.next_key_seed(seed)? else { return Ok(None) };
        self.place(MEMBER, OBJECT)?;
        // Beside flattened fields a key can be any value; elsewhere it is a text, or the number of a field.
        self.is_kept = may_hold_a_tree::<K::Value>();
        Ok(Some(key))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        let spent = self.inner.meter.spent();
        let value = self.inner.inner.next_value_seed(self.inner.with(seed))?;
        self.end(spent);
        Ok(value)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.inner.size_hint()
    }
}

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for MeteredValue<'_, T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T::Value, D::Error> {
        self.inner.deserialize(MeteredDeserializer::new(deserializer, self.meter))
    }
}

impl<'de, 'm, A: EnumAccess<'de>> EnumAccess<'de> for MeteredValue<'m, A> {
    type Error = A::Error;
    type Variant = MeteredValue<'m, A::Variant>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant), A::Error> {
        let (meter, is_typed) = (self.meter, self.is_typed);
        let seed = self.with(seed);
        let (name, variant) = self.inner.variant_seed(seed)?;
        Ok((name, MeteredValue { inner: variant, meter, is_typed }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for MeteredValue<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.with(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.with(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.with(visitor);
        self.inner.struct_variant(fields, visitor)
    }
}
