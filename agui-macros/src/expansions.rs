//! Snapshots of the generated code, one case for each shape. Update them with `INSTA_UPDATE=always cargo test -p
//! agui-macros`, then read the difference like code.

use proc_macro2::TokenStream;
use quote::quote;

use crate::krate::Runtime;
use crate::report::Report;

fn check(name: &str, expand: impl FnOnce(&Runtime, &Report) -> TokenStream) {
    let report = Report::default();
    let mut output = expand(&Runtime::At(quote!(::agui_runtime)), &report);
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
fn tools() {
    tool(
        "tool_backend",
        quote!(),
        quote! {
            /// Looks up what an ingredient costs.
            pub async fn price(
                shop: &Shop,
                /** ingredient name, singular */ name: String,
                #[serde(default)] kilos: Option<u32>,
            ) -> Result<Euro, ShopError> {
                shop.price(name, kilos).await
            }
        },
    );
    tool(
        "tool_sync_without_arguments",
        quote!(name = "time-now", description = "Says what time it is"),
        quote! {
            #[cfg(feature = "clock")]
            fn now() -> u64 {
                0
            }
        },
    );
    tool(
        "tool_stream",
        quote!(timeout = "10s"),
        quote! {
            /// Finds things.
            fn find(shop: &Shop, word: String) -> impl Stream<Item = Result<Hit, ShopError>> {
                shop.find(word)
            }
        },
    );
    tool(
        "tool_frontend",
        quote!(frontend),
        quote! {
            /// Asks the person to confirm.
            async fn confirm_order(total: Euro) -> Confirmation;
        },
    );
    tool(
        "tool_with_predictions",
        quote!(frontend, predict(document = "doc.body", title = "doc.head.title")),
        quote! {
            /// Shows a draft.
            async fn write(doc: &StateHandle<Doc>, document: String, #[serde(rename = "heading")] title: Option<String>);
        },
    );
    tool(
        "tool_of_a_renamed_runtime",
        quote!(crate = crate::reexported),
        quote! {
            /// Does nothing.
            fn nothing() {}
        },
    );
    tool(
        "tool_with_an_optional_dependency",
        quote!(),
        quote! {
            /// Looks up what an ingredient costs.
            async fn price(who: Option<&Customer>, name: String) -> u32 {
                1
            }
        },
    );
    tool(
        "tool_with_approval",
        quote!(approval = is_large),
        quote! {
            /// Refunds an order.
            async fn refund(cents: u32) -> u32 {
                cents
            }
        },
    );
    tool(
        "tool_with_facts_and_limits",
        quote!(title = "Refund", destructive, closed_world, timeout = "10s", max_result = "64KB"),
        quote! {
            /// Refunds an order.
            async fn refund(#[tool(default = 500)] cents: u32, #[tool(default = "none")] reason: String) -> u32 {
                cents
            }
        },
    );
    tool(
        "tool_with_mistakes",
        quote!(),
        quote!(
            async fn price(name: &str, n: u32) -> u32 {
                n
            }
        ),
    );
}

#[test]
fn agents() {
    agent(
        "agent_function",
        quote!(
            state = Recipe,
            tools = [price, shop::order],
            events = [Sizzle, oven::Heat],
            interrupts = [Confirm, Choose],
            activities = [Plan, kitchen::Progress],
            forwarded = Page
        ),
        quote! {
            /// Cooks with you.
            pub async fn chef(run: &mut Run<Chef>, input: Input<Chef>, shop: &Shop) -> Result<Menu, Stop> {
                Ok(shop.menu())
            }
        },
    );
    agent(
        "agent_function_strict",
        quote!(strict),
        quote! {
            async fn chef<'r>(run: &'r mut Run<Chef>, input: Input<Chef>) -> Result<Finished<'r, ()>, Stop> {
                Ok(run.finish(()))
            }
        },
    );
    agent(
        "agent_block",
        quote!(state = Doc, events = [Progress]),
        quote! {
            /// Searches.
            impl Searcher {
                const LIMIT: usize = 3;

                async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<String, Stop> {
                    Ok(String::new())
                }

                /// Searches.
                #[tool]
                pub async fn search(&self, emit: &Emit, query: Query) -> Result<Vec<Self>, SearchError> {
                    self.index.search(query).await
                }

                /// Asks.
                #[tool(frontend)]
                fn confirm(query: Query) -> bool;
            }
        },
    );
    agent(
        "agent_with_requests",
        quote!(tools = [price]),
        quote! {
            /// Cooks with you.
            async fn chef(
                run: &mut Run<Chef>,
                input: Input<Chef>,
                #[request] who: &Customer,
                shop: &Shop,
                #[request] _: Option<&Session>,
            ) -> Result<(), Stop> {
                Ok(())
            }
        },
    );
    agent(
        "agent_block_with_a_request",
        quote!(),
        quote! {
            /// Searches.
            impl Searcher {
                async fn run(
                    &self,
                    run: &mut Run<Self>,
                    input: Input<Self>,
                    #[request] who: &Customer,
                ) -> Result<(), Stop> {
                    Ok(())
                }
            }
        },
    );
    agent(
        "agent_with_mistakes",
        quote!(tools = [price, price], activities = [Plan, Plan]),
        quote!(
            fn chef(run: &mut Run<Chef>) {}
        ),
    );
}

#[test]
fn states() {
    state(
        "state_struct",
        quote! {
            struct Recipe {
                title: String,
                #[state(key = "id")]
                steps: Vec<Step>,
                #[state(opaque)]
                photo: Photo,
                #[serde(skip)]
                cache: Cache,
            }
        },
    );
    state(
        "state_generic",
        quote!(
            struct Page<T: Ord, U>
            where
                U: Copy,
            {
                items: BTreeSet<T>,
                #[state(opaque)]
                next: U,
            }
        ),
    );
    state(
        "state_unit_enum",
        quote!(
            #[serde(rename_all = "camelCase")]
            enum Course {
                Starter,
                Main,
            }
        ),
    );
    state(
        "state_tagged_enum",
        quote!(
            #[serde(tag = "type")]
            enum Step {
                Wait,
                Stir { minutes: u32 },
            }
        ),
    );
    state(
        "state_presence_and_flatten",
        quote! {
            #[serde(rename_all = "camelCase")]
            struct Recipe {
                #[serde(skip_serializing_if = "Option::is_none", rename = "a/b")]
                first_note: Option<String>,
                #[serde(flatten)]
                rest: BTreeMap<String, u32>,
            }
        },
    );
    state(
        "state_live",
        quote! {
            #[state(live, exact)]
            pub struct Doc {
                pub version: u32,
                #[state(key = "id")]
                sections: Vec<Section>,
                #[serde(skip)]
                cache: Cache,
            }
        },
    );
    state(
        "state_external_enum",
        quote!(
            #[serde(rename_all = "snake_case")]
            enum Shape {
                NoShape,
                Circle(Circle),
                Line(u8, u8),
                Named {
                    name: String,
                },
                #[serde(skip)]
                Unknown,
            }
        ),
    );
    state(
        "state_adjacent_enum",
        quote!(
            #[serde(tag = "t", content = "c")]
            enum Shape {
                Nothing,
                Circle(Circle),
            }
        ),
    );
    state(
        "state_untagged_enum",
        quote!(
            #[serde(untagged)]
            enum Shape {
                Nothing,
                Text(String),
                Named { name: String },
            }
        ),
    );
    state(
        "state_by_hand",
        quote! {
            struct Price {
                #[serde(with = "cents")]
                #[schemars(with = "String")]
                cents: u32,
                #[serde(with = "agui_runtime::as_string::<u64>")]
                id: u64,
            }
        },
    );
    state(
        "state_opaque",
        quote!(
            #[serde(into = "String")]
            struct Celsius {
                tenths: i32,
            }
        ),
    );
    state(
        "state_tuple",
        quote!(
            struct Point(i32, Option<String>);
        ),
    );
    state(
        "state_newtype",
        quote!(
            struct RecipeId(String);
        ),
    );
    state(
        "state_with_mistakes",
        quote!(
            struct Recipe<'a> {
                title: &'a str,
            }
        ),
    );
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
