//! Snapshots of the generated code, one case for each shape. Update them with `INSTA_UPDATE=always cargo test -p
//! agui-runtime-macros`, then read the difference like code.

mod agents;
mod states;
mod surfaces;
mod tools;

use proc_macro2::TokenStream;
use quote::quote;

use crate::krate::RuntimePath;
use crate::report::Report;

fn check(name: &str, expand: impl FnOnce(&RuntimePath, &Report) -> TokenStream) {
    let report = Report::default();
    let mut output = expand(&RuntimePath::At(quote!(::agui_runtime)), &report);
    output.extend(report.into_compile_errors());
    let file =
        syn::parse2(output.clone()).unwrap_or_else(|error| panic!("{name} is no Rust: {error}\n{output}"));
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, prettyplease::unparse(&file));
    });
}

fn tool(name: &str, arguments: TokenStream, item: TokenStream) {
    check(name, |runtime, report| crate::tool::expand(runtime, arguments, item, report));
}

fn agent(name: &str, arguments: TokenStream, item: TokenStream) {
    check(name, |runtime, report| crate::agent::expand(runtime, arguments, item, report));
}

fn state(name: &str, item: TokenStream) {
    check(name, |runtime, report| crate::state::expand(runtime, item, report));
}

fn catalog(name: &str, item: TokenStream) {
    check(name, |runtime, report| crate::catalog::expand(runtime, item, report));
}

fn surface_data(name: &str, item: TokenStream) {
    check(name, |runtime, report| crate::surface_data::expand(runtime, item, report));
}

fn event(name: &str, item: TokenStream) {
    check(name, |runtime, report| crate::event::expand(runtime, item, report));
}

fn interrupt(name: &str, item: TokenStream) {
    check(name, |runtime, report| crate::interrupt::expand(runtime, item, report));
}

fn activity(name: &str, item: TokenStream) {
    check(name, |runtime, report| crate::activity::expand(runtime, item, report));
}

#[test]
fn events() {
    event(
        "event_struct",
        quote!(
            #[doc = " The pan is hot."]
            struct PanSizzles {
                loud: bool,
            }
        ),
    );
    event(
        "event_named",
        quote!(
            #[event(name = "PredictState", reserved)]
            enum Prediction {
                A,
                B,
            }
        ),
    );
    event(
        "event_with_mistakes",
        quote!(
            #[event(name = "sizzle")]
            struct Sizzle {
                loud: bool,
            }
        ),
    );
}

#[test]
fn interrupts() {
    interrupt(
        "interrupt_struct",
        quote!(
            #[doc = " Asks before a file is deleted."]
            #[interrupt(reason = "confirm_delete", message = "Delete it?", response = Approval)]
            struct ConfirmDelete {
                path: String,
            }
        ),
    );
    interrupt(
        "interrupt_of_a_renamed_runtime",
        quote!(
            #[interrupt(reason = "input_required", response = Vec<(String, u32)>, crate = crate::reexported)]
            enum Input {
                Portions,
                Dish { course: String },
            }
        ),
    );
    interrupt(
        "interrupt_with_mistakes",
        quote!(
            #[interrupt(message = "")]
            struct ConfirmDelete {
                path: String,
            }
        ),
    );
}

#[test]
fn activities() {
    activity(
        "activity_struct",
        quote!(
            struct TripPlan {
                #[state(key = "id")]
                stops: Vec<Stop>,
                at: usize,
            }
        ),
    );
    activity(
        "activity_named",
        quote!(
            #[activity(type = "SEARCH", crate = crate::reexported)]
            #[serde(tag = "kind")]
            enum Search {
                Running { query: String },
                Done,
            }
        ),
    );
    activity(
        "activity_with_mistakes",
        quote!(
            #[activity(type = "")]
            struct Plan(String, u32);
        ),
    );
}

#[test]
fn programs() {
    check("main", |runtime, report| {
        let item = quote! {
            #[allow(unused)]
            async fn main() -> Result<(), agui_runtime::Error> {
                agui_runtime::serve(Chef::new()).await
            }
        };
        crate::entry::expand(runtime, &quote!(), item, report)
    });
}
