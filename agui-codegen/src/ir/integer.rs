//! The ranges of Rust's integers, which all languages and comparisons take from here.

/// An integer of a fixed size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SizedInteger {
    pub(crate) is_signed: bool,
    pub(crate) bits: u32,
}

impl SizedInteger {
    /// The integer that schemars calls `format`.
    pub(crate) fn of(format: &str) -> Option<Self> {
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

    /// The smallest value.
    pub(crate) fn least(self) -> i128 {
        if self.is_signed { i128::MIN >> (128 - self.bits) } else { 0 }
    }

    /// The largest value.
    pub(crate) fn greatest(self) -> u128 {
        u128::MAX >> (128 - self.bits + u32::from(self.is_signed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATS: [&str; 12] = [
        "uint8", "uint16", "uint32", "uint64", "uint128", "uint", "int8", "int16", "int32", "int64",
        "int128", "int",
    ];

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

    /// The support code of each language is a file that users keep, so it writes the ranges in its own words.
    #[test]
    fn the_support_code_has_the_same_ranges() {
        let typescript = include_str!("../support/typescript/_check.ts");
        let python = include_str!("../support/python/_model.py");
        for format in FORMATS {
            let SizedInteger { is_signed, bits } = SizedInteger::of(format).unwrap();
            let power = if is_signed { bits - 1 } else { bits };
            let least = if is_signed { format!("-(2 ** {power})") } else { "0".to_owned() };
            // From 2^53 on a JavaScript number has no 1 to take away.
            let greatest = if bits < 64 { format!("2 ** {power} - 1") } else { format!("2 ** {power}") };
            let line = format!("  [\"{format}\", [{least}, {greatest}]],\n");
            assert!(typescript.contains(&line), "{line}");
            let name = format!("{}{bits}", if is_signed { "Int" } else { "UInt" });
            let least = least.replace(' ', "");
            let line =
                format!("\n{name} = Annotated[int, Field(strict=True, ge={least}, le=2**{power} - 1)]\n");
            assert!(python.contains(&line), "{line}");
        }
    }
}
