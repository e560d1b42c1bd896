//! `#[derive(Interrupt)]`: a reason, a message, the type's own JSON, and the response type.

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
    let interrupt = model::InterruptModel::from_syn(attr, &input);
    check::check(&interrupt, report);
    if report.has_errors() {
        return fallback::inert_interrupt(&input, interrupt.owned_response(), &private);
    }
    expand::expand(&interrupt, &private)
}
