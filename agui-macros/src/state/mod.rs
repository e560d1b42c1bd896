//! `#[derive(State)]`: implements `State` for a type whose parts are states.

mod attr;
mod check;
mod expand;
mod fallback;
mod model;
mod read;

use proc_macro2::TokenStream;
use syn::{DeriveInput, Path};

use crate::krate::RuntimePath;
use crate::report::Report;

pub(crate) fn expand(runtime: &RuntimePath, item: TokenStream, report: &Report) -> TokenStream {
    let Some(input) = report.ok(syn::parse2::<DeriveInput>(item)) else {
        return TokenStream::new();
    };
    expand_input(runtime, None, &input, report)
}

/// The same for a derive that builds on a state; `krate` is the runtime path that the derive's own attribute gave.
pub(crate) fn expand_input(
    runtime: &RuntimePath,
    krate: Option<&Path>,
    input: &DeriveInput,
    report: &Report,
) -> TokenStream {
    let attrs = attr::read(input, report);
    let private = runtime.private(krate.or(attrs.on_type.krate.as_ref()), report);
    let state = model::StateModel::from_syn(attrs, input);
    check::check(&state, report);
    if report.has_errors() {
        // A union has none of the traits that the impl would need.
        if matches!(input.data, syn::Data::Union(_)) {
            return TokenStream::new();
        }
        return fallback::inert_state(&input.ident, &input.generics, &private);
    }
    expand::expand(&state, &private)
}
