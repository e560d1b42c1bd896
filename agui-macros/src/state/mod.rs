//! `#[derive(State)]`: every part of a state is a state.

mod attr;
mod check;
mod expand;
mod model;
mod read;

use proc_macro2::TokenStream;
use syn::{DeriveInput, Path};

pub(crate) use expand::supertraits_clause;

use crate::fallback;
use crate::krate::Runtime;
use crate::report::Report;

pub(crate) fn expand(runtime: &Runtime, item: TokenStream, report: &Report) -> TokenStream {
    let Some(input) = report.ok(syn::parse2::<DeriveInput>(item)) else {
        return TokenStream::new();
    };
    expand_input(runtime, None, &input, report)
}

/// The same for a derive that makes more of the type than a state; `krate` is where that was told the runtime is.
pub(crate) fn expand_input(
    runtime: &Runtime,
    krate: Option<&Path>,
    input: &DeriveInput,
    report: &Report,
) -> TokenStream {
    let attrs = attr::read(input, report);
    let private = runtime.private(krate.or(attrs.on_type.krate.as_ref()), report);
    let state = model::StateModel::from_syn(attrs, input);
    check::check(&state, report);
    if report.has_errors() {
        // A union lacks everything the impl would build on.
        if matches!(input.data, syn::Data::Union(_)) {
            return TokenStream::new();
        }
        return fallback::inert_state(&input.ident, &input.generics, &private);
    }
    expand::expand(&state, &private)
}
