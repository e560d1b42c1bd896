//! The ranges for Rust's integers in each language's support code.

pub(crate) use agui_runtime::manifest::SizedInteger;

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATS: [&str; 12] = [
        "uint8", "uint16", "uint32", "uint64", "uint128", "uint", "int8", "int16", "int32", "int64",
        "int128", "int",
    ];

    /// Each language's support code is a file that users keep, so the ranges are written literally there.
    #[test]
    fn the_support_code_has_the_same_ranges() {
        let typescript = include_str!("../support/typescript/_check.ts");
        let python = include_str!("../support/python/_model.py");
        for format in FORMATS {
            let SizedInteger { is_signed, bits } = SizedInteger::of(format).unwrap();
            let power = if is_signed { bits - 1 } else { bits };
            let least = if is_signed { format!("-(2 ** {power})") } else { "0".to_owned() };
            // From 2^53 on, JavaScript rounds 2^n - 1 to 2^n.
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
