//! The check that `as_string` has its type in brackets. Without it, rustc only says that it cannot infer a type.

use syn::{Path, Type};

use super::{SerdeAttrs, SerdeKey};
use crate::report::Report;
use crate::spelling::{generic_of, peeled, spelled};

/// The types that `as_string` writes as digits.
const WHOLE_NUMBERS: [&str; 14] = [
    "NonZeroU32",
    "NonZeroU64",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
];

/// Reports `with = "agui_runtime::as_string"` on a field of this type. Returns true if there is nothing to report.
pub(crate) fn check_as_string(serde: &SerdeAttrs, ty: &Type, report: &Report) -> bool {
    let Some(text) = serde.serde(&["with"]).and_then(SerdeKey::text) else { return true };
    let Ok(path) = text.parse::<Path>() else { return true };
    let mut segments = path.segments.iter().rev();
    let (Some(last), Some(before)) = (segments.next(), segments.next()) else { return true };
    if last.ident != "as_string" || !last.arguments.is_none() || before.ident != "agui_runtime" {
        return true;
    }
    report.error(
        &text,
        format_args!(
            "`as_string` needs its type in brackets: write `with = \"{}::<{}>\"`",
            text.value(),
            in_brackets(ty)
        ),
    );
    false
}

/// Returns the type in the brackets for a field of this type.
fn in_brackets(ty: &Type) -> String {
    for around in ["Option", "Vec"] {
        if let Some(inner) = generic_of(ty, around) {
            return format!("{around}<{}>", in_brackets(inner));
        }
    }
    match peeled(ty) {
        Type::Path(path)
            if path
                .path
                .segments
                .last()
                .is_some_and(|last| WHOLE_NUMBERS.iter().any(|name| last.ident == name)) =>
        {
            spelled(&path.path)
        }
        _ => "String".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn the_type_in_brackets_follows_the_field() {
        let cases: [(Type, &str); 6] = [
            (parse_quote!(u64), "u64"),
            (parse_quote!(std::num::NonZeroU64), "std::num::NonZeroU64"),
            (parse_quote!(Option<i64>), "Option<i64>"),
            (parse_quote!(Vec<Option<IpAddr>>), "Vec<Option<String>>"),
            (parse_quote!(Decimal), "String"),
            (parse_quote!(&'a str), "String"),
        ];
        for (ty, form) in cases {
            assert_eq!(in_brackets(&ty), form);
        }
    }
}
