//! The ranges of Rust's integers, shared by all languages and comparisons.

/// A fixed-size integer, identified by the `format` that schemars writes.
///
/// ```
/// use agui_runtime::manifest::SizedInteger;
///
/// let byte = SizedInteger::of("uint8").unwrap();
/// assert_eq!((byte.least(), byte.greatest()), (0, 255));
/// assert_eq!(SizedInteger::of("date-time"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizedInteger {
    /// True for integers with negative values.
    pub is_signed: bool,
    /// The number of bits, the sign included.
    pub bits: u32,
}

impl SizedInteger {
    /// Returns the integer that schemars calls `format`. `isize` and `usize` have 64 bits.
    #[must_use]
    pub fn of(format: &str) -> Option<Self> {
        let (is_signed, bits) = match format {
            "uint8" => (false, 8),
            "uint16" => (false, 16),
            "uint32" => (false, 32),
            "uint64" | "uint" => (false, 64),
            "uint128" => (false, 128),
            "int8" => (true, 8),
            "int16" => (true, 16),
            "int32" => (true, 32),
            "int64" | "int" => (true, 64),
            "int128" => (true, 128),
            _ => return None,
        };
        Some(Self { is_signed, bits })
    }

    /// Returns the smallest value.
    #[must_use]
    pub fn least(self) -> i128 {
        if self.is_signed { i128::MIN >> (128 - self.bits) } else { 0 }
    }

    /// Returns the largest value.
    #[must_use]
    pub fn greatest(self) -> u128 {
        u128::MAX >> (128 - self.bits + u32::from(self.is_signed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_those_of_rust() {
        let range = |format| SizedInteger::of(format).map(|integer| (integer.least(), integer.greatest()));
        assert_eq!(range("uint8"), Some((0, u8::MAX.into())));
        assert_eq!(range("uint16"), Some((0, u16::MAX.into())));
        assert_eq!(range("uint32"), Some((0, u32::MAX.into())));
        assert_eq!(range("uint64"), Some((0, u64::MAX.into())));
        assert_eq!(range("uint"), range("uint64"));
        assert_eq!(range("uint128"), Some((0, u128::MAX)));
        assert_eq!(range("int8"), Some((i8::MIN.into(), i8::MAX.unsigned_abs().into())));
        assert_eq!(range("int16"), Some((i16::MIN.into(), i16::MAX.unsigned_abs().into())));
        assert_eq!(range("int32"), Some((i32::MIN.into(), i32::MAX.unsigned_abs().into())));
        assert_eq!(range("int64"), Some((i64::MIN.into(), i64::MAX.unsigned_abs().into())));
        assert_eq!(range("int"), range("int64"));
        assert_eq!(range("int128"), Some((i128::MIN, i128::MAX.unsigned_abs())));
        assert_eq!(range("double"), None);
    }
}
