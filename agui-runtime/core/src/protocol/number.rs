//! Protocol integers: no larger than JavaScript represents exactly.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use super::forms::shape::{JsonShape, ShapedType};

/// The largest integer up to which a double represents every integer exactly: 2^53 − 1.
pub(crate) const MAX_SAFE: i64 = (1 << 53) - 1;

/// An integer outside the protocol's range, refused by [`Timestamp`] and [`Count`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{value} is outside {min}..={max}")]
pub struct OutOfRange {
    value: i128,
    min: i64,
    max: i64,
}

/// Event time: milliseconds since 1970 by convention, between −(2^53−1) and 2^53−1.
///
/// For display only: events are ordered by arrival (AG-UI 1.0, section "Fields of every event"). A whole number written with a
/// fraction (`1.0`) is read, any other fraction is refused.
///
/// ```
/// use agui_runtime::protocol::Timestamp;
///
/// assert_eq!(serde_json::from_str::<Timestamp>("1.0").unwrap().millis(), 1);
/// assert!(serde_json::from_str::<Timestamp>("1.5").is_err());
/// assert!(Timestamp::from_millis(1 << 53).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a [`Timestamp`] from milliseconds since 1970.
    ///
    /// # Errors
    /// [`OutOfRange`] beyond 2^53−1 in either direction.
    pub fn from_millis(millis: i64) -> Result<Self, OutOfRange> {
        let max = MAX_SAFE;
        if (-max..=max).contains(&millis) {
            Ok(Self(millis))
        } else {
            Err(OutOfRange { value: millis.into(), min: -max, max })
        }
    }

    /// Returns the milliseconds since 1970.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for Timestamp {
    type Error = OutOfRange;

    fn try_from(millis: i64) -> Result<Self, OutOfRange> {
        Self::from_millis(millis)
    }
}

impl From<i32> for Timestamp {
    fn from(millis: i32) -> Self {
        Self(millis.into())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(SafeInteger { min: -MAX_SAFE }).map(Self)
    }
}

/// A number of tokens, iterations or milliseconds, between 0 and 2^53−1.
///
/// ```
/// use agui_runtime::protocol::Count;
///
/// assert_eq!(Count::from(41_u32).get(), 41);
/// assert!(Count::try_from(u64::MAX).is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(u64);

impl Count {
    /// Returns the number.
    #[must_use]
    pub fn get(self) -> u64 {
        self.0
    }

    /// Returns the sum, limited to 2^53−1.
    #[must_use]
    pub fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0).min(MAX_SAFE.unsigned_abs()))
    }
}

impl From<u32> for Count {
    fn from(count: u32) -> Self {
        Self(count.into())
    }
}

impl TryFrom<u64> for Count {
    type Error = OutOfRange;

    fn try_from(count: u64) -> Result<Self, OutOfRange> {
        if count <= MAX_SAFE.unsigned_abs() {
            Ok(Self(count))
        } else {
            Err(OutOfRange { value: count.into(), min: 0, max: MAX_SAFE })
        }
    }
}

impl From<Count> for u64 {
    fn from(count: Count) -> Self {
        count.get()
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(SafeInteger { min: 0 }).map(|count| Self(count.unsigned_abs()))
    }
}

impl ShapedType for Timestamp {
    const SHAPE: JsonShape = JsonShape::Integer { min: -MAX_SAFE };
}

impl ShapedType for Count {
    const SHAPE: JsonShape = JsonShape::Integer { min: 0 };
}

/// Reads an integer between `min` and [`MAX_SAFE`], in any JSON spelling for a whole number.
struct SafeInteger {
    min: i64,
}

impl Visitor<'_> for SafeInteger {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an integer between {} and {MAX_SAFE}", self.min)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<i64, E> {
        if (self.min..=MAX_SAFE).contains(&value) {
            Ok(value)
        } else {
            Err(E::invalid_value(Unexpected::Signed(value), &self))
        }
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<i64, E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(value), &self)),
        }
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<i64, E> {
        let whole = value.trunc() == value && value.abs() <= MAX_SAFE as f64;
        // The cast is exact: the line above checked that the value is whole and in range.
        let integer = value as i64;
        if whole && integer >= self.min {
            Ok(integer)
        } else {
            Err(E::invalid_value(Unexpected::Float(value), &self))
        }
    }
}
