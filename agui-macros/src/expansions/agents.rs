//! The expansions of `#[agent]`.

use quote::quote;

use super::agent;

#[test]
fn agents() {
    agent(
        "agent_with_agents",
        quote!(state = Article, tools = [price, Researcher], handoffs = [desk::Billing]),
        quote! {
            /// Writes articles.
            async fn writer(
                run: &mut Run<Writer>,
                input: Input<Writer>,
                researcher: &Arc<Researcher>,
                billing: &Arc<desk::Billing>,
            ) -> Result<(), Stop> {
                Ok(())
            }
        },
    );
    agent(
        "agent_with_a_condition",
        quote!(
            tools = [
                price,
                #[cfg(feature = "debug")]
                inspect
            ],
            events = [
                #[cfg(feature = "debug")]
                Seen
            ]
        ),
        quote! {
            /// Sells things.
            async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
                Ok(())
            }
        },
    );
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
