//! The macros of `agui-runtime`, which re-exports and documents them: depend on that crate.
//!
//! ```text
//! tokens ─▶ attr (options) ─▶ model (data) ─▶ check (rules) ─▶ expand (tokens)
//!                                                └──────────▶ fallback, when a rule is broken
//! ```
//!
//! The macros read tokens, never types: the compiler decides questions about types, through traits of the runtime.

#![allow(
    missing_docs,
    reason = "the macros are documented where the runtime re-exports them: there the examples compile"
)]

mod activity;
mod agent;
mod attr;
mod carried;
mod case;
mod catalog;
mod dependency;
mod entry;
mod event;
mod function;
mod interrupt;
mod krate;
mod misread;
mod record;
mod report;
mod request;
mod spawned;
mod spelling;
mod state;
mod surface_data;
mod toml;
mod tool;
mod walk;

#[cfg(test)]
mod broken;
#[cfg(test)]
mod expansions;

use proc_macro::TokenStream;

use krate::RuntimePath;
use record::ExpansionRecord;
use report::Report;

#[proc_macro_attribute]
pub fn agent(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand_with("#[agent]", item, |runtime, item, report| {
        agent::expand(runtime, arguments.into(), item, report)
    })
}

#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand_with("#[tool]", item, |runtime, item, report| {
        tool::expand(runtime, arguments.into(), item, report)
    })
}

#[proc_macro_attribute]
pub fn main(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand_with("#[main]", item, |runtime, item, report| {
        entry::expand(runtime, &arguments.into(), item, report)
    })
}

#[proc_macro_derive(State, attributes(state))]
pub fn derive_state(item: TokenStream) -> TokenStream {
    expand_with("#[derive(State)]", item, state::expand)
}

// An activity is a state: the options of its fields are those of a state's.
#[proc_macro_derive(Activity, attributes(activity, state))]
pub fn derive_activity(item: TokenStream) -> TokenStream {
    expand_with("#[derive(Activity)]", item, activity::expand)
}

#[proc_macro_derive(CustomEvent, attributes(event))]
pub fn derive_custom_event(item: TokenStream) -> TokenStream {
    expand_with("#[derive(CustomEvent)]", item, event::expand)
}

#[proc_macro_derive(Interrupt, attributes(interrupt))]
pub fn derive_interrupt(item: TokenStream) -> TokenStream {
    expand_with("#[derive(Interrupt)]", item, interrupt::expand)
}

#[proc_macro_derive(Catalog, attributes(catalog))]
pub fn derive_catalog(item: TokenStream) -> TokenStream {
    expand_with("#[derive(Catalog)]", item, catalog::expand)
}

#[proc_macro_derive(SurfaceData)]
pub fn derive_surface_data(item: TokenStream) -> TokenStream {
    expand_with("#[derive(SurfaceData)]", item, surface_data::expand)
}

/// Runs an expansion and appends the mistakes that it reported.
fn expand_with(
    name: &str,
    item: TokenStream,
    expand: impl FnOnce(&RuntimePath, proc_macro2::TokenStream, &Report) -> proc_macro2::TokenStream,
) -> TokenStream {
    let report = Report::default();
    let item = item.into();
    let record = ExpansionRecord::begin(name, &item);
    let mut output = expand(&RuntimePath::find(), item, &report);
    output.extend(report.into_compile_errors());
    if let Some(record) = record {
        let again = record.end(&output);
        output.extend(again);
    }
    output.into()
}
