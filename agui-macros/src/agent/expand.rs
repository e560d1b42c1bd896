//! A checked agent as Rust.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::calls::{expand_aliases, expand_calls};
use super::lists::{ACTIVITIES, EVENTS, INTERRUPTS, TOOLS, aliases, expand_list, expand_tools};
use super::lookup::{expand_lookups, lookups};
use super::model::{AgentForm, AgentModel, AgentParameter, AgentStruct, ParameterSource};
use crate::krate::PrivatePath;
use crate::request;
use crate::spelling::{at, located};
use crate::tool::expand_tool;

pub(super) fn expand(agent: &AgentModel, private: &PrivatePath) -> TokenStream {
    let item = expand_item(agent, private);
    let impl_agent = expand_impl_agent(agent, private);
    let listed = agent.listed();
    let lookups = lookups(&listed);
    let lists = [
        expand_tools(agent, &listed, &lookups, private),
        expand_list(&agent.events, &EVENTS, agent, private),
        expand_list(&agent.interrupts, &INTERRUPTS, agent, private),
        expand_list(&agent.activities, &ACTIVITIES, agent, private),
        expand_forwarded(agent, private),
    ];
    let calls = expand_calls(agent, &listed, &aliases(listed.len(), TOOLS.alias), private);
    let subagent = expand_subagent(agent, private);
    let call_names = expand_aliases(agent, private);
    let injections = expand_injections(agent, private);
    let (ty, cfgs) = (&agent.ty, &agent.cfgs);
    let within = expand_lookups(
        &lookups,
        quote! {
            #(#lists)*
            #impl_agent
            #subagent
            #(#injections)*
            #calls
            #private::inventory::submit! {
                #private::AgentEntry {
                    source: <#ty as #private::Agent>::source,
                    crate_name: ::core::env!("CARGO_PKG_NAME"),
                    crate_version: ::core::env!("CARGO_PKG_VERSION"),
                }
            }
        },
        private,
    );
    quote! {
        #item
        #call_names
        #(#cfgs)*
        const _: () = {
            #within
        };
    }
}

fn expand_item(agent: &AgentModel, private: &PrivatePath) -> TokenStream {
    match &agent.form {
        AgentForm::Function { function, strukt } => {
            let strukt = expand_struct(strukt, agent);
            quote!(#function #strukt)
        }
        AgentForm::Block { block, tools } => {
            let tools = tools.iter().map(|tool| expand_tool(tool, private));
            quote!(#block #(#tools)*)
        }
    }
}

fn expand_struct(strukt: &AgentStruct, agent: &AgentModel) -> TokenStream {
    let AgentStruct { vis, ident, name, docs } = strukt;
    // Its definition is the function: an editor would take the first use of the name for it.
    let mut declared = ident.clone();
    declared.set_span(name.span());
    let cfgs = &agent.cfgs;
    let (names, types): (Vec<_>, Vec<_>) = agent.dependencies().unzip();
    quote! {
        #(#docs)*
        #(#cfgs)*
        #[allow(missing_docs, missing_debug_implementations, private_interfaces)]
        #vis struct #declared { #(pub(crate) #names: #types),* }

        #(#cfgs)*
        const _: () = {
            #[allow(clippy::new_without_default, clippy::too_many_arguments)]
            impl #ident {
                /// The agent with what it depends on, which all its runs share.
                #[must_use]
                #vis fn new(#(#names: #types),*) -> Self {
                    Self { #(#names),* }
                }
            }
        };
    }
}

/// The impls by which the agent provides values to its tools, and its dependencies to helpers.
fn expand_injections(agent: &AgentModel, private: &PrivatePath) -> Vec<TokenStream> {
    let agent_ty = &agent.ty;
    let count = agent.requested().count();
    let mut taken = 0;
    let inject = |parameter: &AgentParameter| {
        let ty = &parameter.ty;
        if let ParameterSource::Agent(name) = &parameter.origin {
            return quote! {
                #[automatically_derived]
                impl #private::InjectValue<#ty> for #agent_ty {
                    fn inject<'__agui>(scope: &'__agui #private::InjectScope<'_, Self>) -> &'__agui #ty {
                        &scope.agent().#name
                    }
                }

                #[automatically_derived]
                impl ::core::convert::AsRef<#ty> for #agent_ty {
                    fn as_ref(&self) -> &#ty {
                        &self.#name
                    }
                }
            };
        }
        let place = request::expand_place(quote!((*scope.request())), taken, count);
        taken += 1;
        if matches!(parameter.origin, ParameterSource::RequestIfAny) {
            return quote! {
                #[automatically_derived]
                impl #private::InjectOption<#ty> for #agent_ty {
                    fn inject_option<'__agui>(
                        scope: &'__agui #private::InjectScope<'_, Self>,
                    ) -> ::core::option::Option<&'__agui #ty> {
                        ::core::option::Option::as_deref(&#place)
                    }
                }
            };
        }
        quote! {
            #[automatically_derived]
            impl #private::InjectValue<#ty> for #agent_ty {
                fn inject<'__agui>(scope: &'__agui #private::InjectScope<'_, Self>) -> &'__agui #ty {
                    &#place
                }
            }
        }
    };
    agent.parameters.iter().map(inject).collect()
}

fn expand_impl_agent(agent: &AgentModel, private: &PrivatePath) -> TokenStream {
    let AgentModel { ty, name, description, returns, .. } = agent;
    let (name, state) = (&name.text, agent.state_type());
    let output = if agent.strict.is_some() { quote!(StrictReturn) } else { quote!(AgentReturn) };
    let output = quote_spanned!(at(returns)=> <#returns as #private::#output>::Output);
    let run = expand_run(agent, private);
    let request = request::expand_type(agent.requested());
    // Spanned at the types: a type that is less visible than the agent is reported there.
    let state = quote_spanned!(at(&state)=> type State = #state;);
    let output = quote_spanned!(at(returns)=> type Output = #output;);
    let tools = aliases(agent.listed().len(), TOOLS.alias);
    let events = aliases(agent.events.len(), EVENTS.alias);
    let interrupts = aliases(agent.interrupts.len(), INTERRUPTS.alias);
    let activities = aliases(agent.activities.len(), ACTIVITIES.alias);
    // Spanned at the path, where a type that is no catalog is reported.
    let catalogs =
        agent.catalogs.iter().map(|path| quote_spanned!(at(path)=> <#path as #private::Catalog>::source()));
    let restarts = agent.restart.as_ref().map(|_| {
        quote!(
            const RESTARTS: bool = true;
        )
    });
    let served = agent.served.is_some();
    let tool_sources =
        quote!(#private::public_tools::<Self>(::std::vec![#(#private::tool_source::<Self, #tools>()),*]));
    let forwarded = match &agent.forwarded {
        Some(_) => quote!(::core::option::Option::Some(#private::props_source::<Self, __AguiProps>())),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        #[automatically_derived]
        impl #private::Agent for #ty {
            #state
            type Request = #request;
            #output

            #restarts

            #run

            fn source() -> #private::AgentSource {
                #private::AgentSource {
                    name: #name,
                    description: #description,
                    version: ::core::env!("CARGO_PKG_VERSION"),
                    rust_path: ::core::any::type_name::<Self>(),
                    state: #private::state_source::<Self>(),
                    tools: #tool_sources,
                    has_private_tools: #private::has_private_tools::<Self>(),
                    events: ::std::vec![#(#private::event_source::<Self, #events>()),*],
                    interrupts: ::std::vec![#(#private::interrupt_source::<Self, #interrupts>()),*],
                    activities: ::std::vec![#(#private::activity_source::<Self, #activities>()),*],
                    output: #private::output_source::<Self>(),
                    forwarded: #forwarded,
                    catalogs: ::std::vec![#(#catalogs),*],
                    subagents: #private::subagent_sources::<Self>(),
                    served: #served,
                }
            }
        }
    }
}

fn expand_run(agent: &AgentModel, private: &PrivatePath) -> TokenStream {
    let ty = &agent.ty;
    // Spanned at the return type: a type that cannot end a run, or a future that is not `Send`, is reported there.
    let at_returns = at(&agent.returns);
    let arguments = expand_arguments(agent);
    let call = match &agent.form {
        AgentForm::Function { function, .. } => {
            let ident = &function.sig.ident;
            quote_spanned!(at_returns=> #ident(&mut *run, input #(, #arguments)*))
        }
        AgentForm::Block { .. } => {
            quote_spanned!(at_returns=> <#ty>::run(self, &mut *run, input #(, #arguments)*))
        }
    };
    // Its own value, because the function borrows the run mutably.
    let request = agent.requested().next().map(|_| {
        quote_spanned!(at_returns=> let request = ::core::clone::Clone::clone(#private::Run::request(run));)
    });
    let body = if agent.strict.is_some() {
        quote_spanned! {at_returns=>
            let returned = #call.await;
            <_ as #private::StrictReturn>::finished(returned)
        }
    } else {
        quote_spanned! {at_returns=>
            let returned = #call.await;
            <_ as #private::AgentReturn>::finish(returned, run)
        }
    };
    let may_move = located(quote!(#private::may_move), at_returns);
    // Not an `async fn`: the compiler reports a wrong return type at its signature once more, as if it were another place.
    quote_spanned! {at_returns=>
        #[allow(deprecated, clippy::manual_async_fn)]
        fn run<'__agui>(
            &self,
            run: &'__agui mut #private::Run<Self>,
            input: #private::Input<Self>,
        ) -> impl ::core::future::Future<
            Output = ::core::result::Result<#private::FinishedRun<'__agui, Self::Output>, #private::Stop>,
        > + ::core::marker::Send {
            #may_move(async move {
                #request
                #body
            })
        }
    }
}

/// The arguments of the function after its input.
fn expand_arguments(agent: &AgentModel) -> Vec<TokenStream> {
    let at_returns = at(&agent.returns);
    let count = agent.requested().count();
    let mut taken = 0;
    let argument = |parameter: &AgentParameter| {
        if let ParameterSource::Agent(name) = &parameter.origin {
            return quote_spanned!(at_returns=> &self.#name);
        }
        let place = request::expand_place(quote_spanned!(at_returns=> request), taken, count);
        taken += 1;
        match parameter.origin {
            ParameterSource::RequestIfAny => {
                quote_spanned!(at_returns=> ::core::option::Option::as_deref(&#place))
            }
            _ => quote_spanned!(at_returns=> &#place),
        }
    };
    agent.parameters.iter().map(argument).collect()
}

/// Ties the type of the forwarded props to the agent.
fn expand_forwarded(agent: &AgentModel, private: &PrivatePath) -> TokenStream {
    let (Some(forwarded), ty) = (&agent.forwarded, &agent.ty) else { return TokenStream::new() };
    quote_spanned! {at(forwarded)=>
        type __AguiProps = #forwarded;
        #[automatically_derived]
        impl #private::PropsOf<#ty> for __AguiProps {}
    }
}

/// The impl by which other agents list this one among their tools.
pub(super) fn expand_subagent(agent: &AgentModel, private: &PrivatePath) -> TokenStream {
    let AgentModel { ty, name, description, .. } = agent;
    let name = &name.text;
    let of_parents = expand_subagent_of(agent, private);
    let handoff = format!("transfer_to_{name}");
    let handoff_description =
        format!("Hands the conversation over to `{name}`, which answers the user. {description}");
    quote! {
        #[automatically_derived]
        impl #private::Subagent for #ty {
            const NAME: &'static ::core::primitive::str = #name;
            const DESCRIPTION: &'static ::core::primitive::str = #description;
            const HANDOFF: &'static ::core::primitive::str = #handoff;
            const HANDOFF_DESCRIPTION: &'static ::core::primitive::str = #handoff_description;
        }
        #of_parents
    }
}

/// The impl by which any parent that has the agent, and a place for its state, may list it.
fn expand_subagent_of(agent: &AgentModel, private: &PrivatePath) -> TokenStream {
    let ty = &agent.ty;
    let state = quote!(<__AguiParent as #private::Agent>::State);
    // The state is named by way of the agent: a type that is no state is then reported where it is listed alone.
    let (clause, place) = match &agent.state {
        None => (None, None),
        Some(_) => (
            Some(quote!(#state: #private::HoldsState<<#ty as #private::Agent>::State>,)),
            Some(quote! {
                fn place() -> ::core::option::Option<fn(&mut #state) -> &mut <Self as #private::Agent>::State> {
                    ::core::option::Option::Some(::core::convert::AsMut::as_mut)
                }
            }),
        ),
    };
    quote! {
        #[automatically_derived]
        impl<__AguiParent> #private::SubagentOf<__AguiParent> for #ty
        where
            __AguiParent: #private::InjectValue<::std::sync::Arc<Self>>,
            #clause
        {
            fn shared<'__agui>(
                scope: &'__agui #private::InjectScope<'_, __AguiParent>,
            ) -> &'__agui ::std::sync::Arc<Self> {
                __AguiParent::inject(scope)
            }
            #place
        }
    }
}
