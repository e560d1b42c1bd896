//! `#[derive(SurfaceData)]`: a path for each field of the data that a surface shows.

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
    let private = runtime.private(None, report);
    let data = model::DataModel::from_syn(&input);
    check::check(&data, report);
    if report.has_errors() {
        return fallback::inert_data(&data, &private);
    }
    expand::expand(&data, &private)
}
