//! The expansions of `#[tool]`.

use quote::quote;

use super::tool;

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
        "tool_with_closures_as_policies",
        quote!(approval = |refund, shop| refund.cents > shop.limit),
        quote! {
            /// Refunds an order.
            async fn refund(shop: &Shop, who: Option<&Clerk>, cents: u32) -> u32 {
                cents
            }
        },
    );
    tool(
        "tool_with_an_async_policy",
        quote!(approval = async |refund, who| ask(who, refund.cents).await),
        quote! {
            /// Refunds an order.
            async fn refund(shop: &Shop, who: Option<&Clerk>, cents: u32) -> u32 {
                cents
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
