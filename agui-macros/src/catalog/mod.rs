//! `#[derive(Catalog)]`: a type that stands for a catalog of A2UI, with the types of its components and functions.

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
    let catalog = model::CatalogModel::from_syn(attr, &input);
    check::check(&catalog, report);
    if report.has_errors() {
        return fallback::inert_catalog(&catalog, &private);
    }
    expand::expand(&catalog, &private)
}
