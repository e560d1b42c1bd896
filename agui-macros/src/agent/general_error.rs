//! Agent errors that hold any error, such as anyhow's: `?` cannot make them from run errors, and the compiler reports each `?`,
//! not the place where the error is named.

use syn::{ReturnType, Type};

use crate::function::Function;
use crate::report::Report;
use crate::spelling::{dyn_errors, first_generic_of, peeled, spelled, two_generics_of};

/// Crates that have such an error.
const CRATES: [&str; 3] = ["anyhow", "color_eyre", "eyre"];

/// Reports such an error in the return type, then removes the body: the compiler would report each `?` there.
pub(super) fn check(function: &mut Function, report: &Report) {
    let ReturnType::Type(_, ty) = &function.sig.output else { return };
    let Some(error) = general_error(ty) else { return };
    let value = first_generic_of(ty, "Result").map_or_else(|| "()".to_owned(), spelled);
    report.error(
        error,
        format_args!(
            "the error of an agent is `Stop`, which `?` makes from any other error, this one too: write `Result<{value}, Stop>`"
        ),
    );
    function.remove_body();
}

/// The return type part that names such an error.
fn general_error(ty: &Type) -> Option<Type> {
    if let Some((_, error)) = two_generics_of(ty, "Result") {
        return (is_of_a_crate(error, "Error")
            || is_of_a_crate(error, "Report")
            || !dyn_errors(error).is_empty())
        .then(|| error.clone());
    }
    is_of_a_crate(ty, "Result").then(|| peeled(ty).clone())
}

/// Returns true for `anyhow::Name`, whatever its arguments are.
fn is_of_a_crate(ty: &Type, name: &str) -> bool {
    let Type::Path(path) = peeled(ty) else { return false };
    let mut segments = path.path.segments.iter().rev();
    segments.next().is_some_and(|last| last.ident == name)
        && segments.next().is_some_and(|krate| CRATES.iter().any(|known| krate.ident == known))
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn errors_that_hold_any_error_are_found() {
        let general: [Type; 6] = [
            parse_quote!(anyhow::Result<()>),
            parse_quote!(::anyhow::Result<Plan>),
            parse_quote!(Result<(), anyhow::Error>),
            parse_quote!(Result<(), eyre::Report>),
            parse_quote!(Result<(), Box<dyn std::error::Error>>),
            parse_quote!(std::result::Result<(), Box<dyn Error + Send + Sync + 'static>>),
        ];
        for ty in general {
            assert!(general_error(&ty).is_some(), "{}", spelled(&ty));
        }
        let others: [Type; 5] = [
            parse_quote!(Result<(), Stop>),
            parse_quote!(Result<()>),
            parse_quote!(Result<(), ShopError>),
            parse_quote!(Result<Box<dyn Error>, Stop>),
            parse_quote!(io::Result<()>),
        ];
        for ty in others {
            assert!(general_error(&ty).is_none(), "{}", spelled(&ty));
        }
    }
}
