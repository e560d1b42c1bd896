//! Tests that the macros answer any item with tokens and messages, never with a panic.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;

use crate::krate::RuntimePath;
use crate::report::Report;

type ExpandMacro = fn(&RuntimePath, TokenStream, TokenStream, &Report) -> TokenStream;

#[expect(clippy::needless_pass_by_value, reason = "one `quote!` after the other reads best")]
fn never_panics(expand: ExpandMacro, arguments: TokenStream, item: TokenStream) {
    let runtime = RuntimePath::At(quote!(::agui_runtime));
    let run = |arguments: TokenStream, item: TokenStream| {
        let report = Report::default();
        expand(&runtime, arguments, item, &report);
        report.into_compile_errors();
    };
    run(arguments.clone(), item.clone());
    for arguments in mutilated(&arguments) {
        run(arguments, item.clone());
    }
    for item in mutilated(&item) {
        run(arguments.clone(), item);
    }
}

/// The tokens with one token missing, or written twice, wherever the token stands.
fn mutilated(tokens: &TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut all = Vec::new();
    for (i, tree) in trees.iter().enumerate() {
        let with = |instead: &[TokenTree]| -> TokenStream {
            trees.iter().take(i).chain(instead).chain(trees.iter().skip(i + 1)).cloned().collect()
        };
        all.push(with(&[]));
        all.push(with(&[tree.clone(), tree.clone()]));
        if let TokenTree::Group(group) = tree {
            let inside = mutilated(&group.stream());
            all.extend(
                inside.into_iter().map(|inside| with(&[Group::new(group.delimiter(), inside).into()])),
            );
        }
    }
    all
}

#[test]
fn tools() {
    never_panics(
        crate::tool::expand,
        quote!(frontend, name = "price", description = "Counts", crate = some::path),
        quote! {
            /// Counts.
            #[cfg(test)]
            pub async fn price<'a>(shop: &'a Shop, #[serde(default)] mut name: Vec<String>, &self) -> Result<u32, E>;
        },
    );
    never_panics(
        crate::tool::expand,
        quote!(),
        quote!(
            fn __(&mut self, (a, b): [u8; 3], _: &[&str]) -> &str {
                a
            }
        ),
    );
}

#[test]
fn agents() {
    never_panics(
        crate::agent::expand,
        quote!(state = Map<A, B>, tools = [a, b::c], events = [D], interrupts = [E], name = "n", strict),
        quote! {
            /// Cooks.
            pub async fn chef<'r>(run: &'r mut Run<Chef>, input: Input<Chef>, shop: &Shop) -> Result<Menu, Stop> {
                run.x()
            }
        },
    );
    never_panics(
        crate::agent::expand,
        quote!(),
        quote!(
            async fn __() {}
        ),
    );
    never_panics(
        crate::agent::expand,
        quote!(state = S),
        quote! {
            impl<T> some::Path<T> where T: X {
                const N: u8 = 3;
                async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<Self, Stop> { x }
                #[tool(frontend, name = "b")] fn b(q: Self) -> bool;
                #[tool] fn a(&self, q: &Q) -> bool { true }
            }
        },
    );
}

#[test]
fn states_events_interrupts_and_activities() {
    let state: ExpandMacro = |runtime, _, item, report| crate::state::expand(runtime, item, report);
    let event: ExpandMacro = |runtime, _, item, report| crate::event::expand(runtime, item, report);
    let activity: ExpandMacro = |runtime, _, item, report| crate::activity::expand(runtime, item, report);
    let interrupt: ExpandMacro = |runtime, _, item, report| crate::interrupt::expand(runtime, item, report);
    for expand in [state, event, interrupt, activity] {
        never_panics(
            expand,
            quote!(),
            quote! {
                #[serde(tag = "type", into = "X")] #[state(opaque, crate = a::b)] #[event(name = "a.b", reserved)] #[activity(type = "A", crate = a::b)] #[interrupt(reason = "a", message = "b", response = &'a str)]
                enum E<'a, T: X, const N: u8> where T: Y { A(#[state(opaque)] &'a T), #[event] #[activity] B { #[serde(with = "m")] x: u8 }, C }
            },
        );
        never_panics(
            expand,
            quote!(),
            quote!(
                struct S<T>(
                    #[state(key = "id")]
                    #[serde(skip, getter = "g")]
                    Vec<T>,
                );
            ),
        );
        never_panics(expand, quote!(), quote!(union U { #[state(key)] a: u8 }));
        never_panics(
            expand,
            quote!(),
            quote! {
                #[serde(rename_all(serialize = "camelCase", deserialize = "x"), transparent)] #[state(live, exact)]
                pub struct S {
                    #[serde(flatten, skip_serializing_if = "a::b", rename = "~/")] #[state(opaque, key = "a b")]
                    x: Option<X>,
                    #[serde(with = "m")] y: PhantomData<Y>,
                }
            },
        );
        never_panics(
            expand,
            quote!(),
            quote! {
                #[serde(tag = "t", content = "c", untagged)]
                enum E { A(), B(u8), C(u8, #[serde(skip)] u8), #[serde(untagged, skip)] D { x: u8 }, F(Option<u8>) }
            },
        );
    }
}

#[test]
fn programs() {
    never_panics(
        |runtime, arguments, item, report| crate::entry::expand(runtime, &arguments, item, report),
        quote!(x = "y"),
        quote!(
            #[allow(unused)]
            pub async fn main<T>(a: u8) -> Result<(), E>
            where
                T: X,
            {
                Ok(())
            }
        ),
    );
}
