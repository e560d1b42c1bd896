//! `#[derive(Activity)]`: a state with a name, whose JSON is an object.

mod attr;
mod check;
mod expand;
mod fallback;
mod model;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::krate::RuntimePath;
use crate::report::Report;
use crate::state;

pub(crate) fn expand(runtime: &RuntimePath, item: TokenStream, report: &Report) -> TokenStream {
    let Some(input) = report.ok(syn::parse2::<DeriveInput>(item)) else {
        return TokenStream::new();
    };
    let attr = attr::read(&input, report);
    let private = runtime.private(attr.krate.as_ref(), report);
    let activity = model::ActivityModel::from_syn(&attr, &input);
    check::check(&activity, report);
    let mut output = state::expand_input(runtime, attr.krate.as_ref(), &input, report);
    output.extend(if report.has_errors() {
        fallback::inert_activity(&input, &private)
    } else {
        expand::expand(&activity, &private)
    });
    output
}
