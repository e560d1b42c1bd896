//! `#[derive(CustomEvent)]`: a name, a description, and the type's own JSON.

mod attr;
mod check;
mod expand;
mod fallback;
mod model;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::krate::RuntimePath;
use crate::report::Report;

pub(crate) fn expand(runtime: &RuntimePath, item: TokenStream, report: &Report) -> TokenStream {
    let Some(input) = report.ok(syn::parse2::<DeriveInput>(item)) else {
        return TokenStream::new();
    };
    let attr = attr::read(&input, report);
    let private = runtime.private(attr.krate.as_ref(), report);
    let event = model::EventModel::from_syn(&attr, &input);
    check::check(&event, report);
    if report.has_errors() {
        // A union has none of the traits that the impl would need.
        if matches!(input.data, syn::Data::Union(_)) {
            return TokenStream::new();
        }
        return fallback::inert_event(&input.ident, &input.generics, &private);
    }
    expand::expand(&event, &private)
}
