//! Code that remains after a mistake in an agent: the user's own code, and impls that do nothing.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::Type;

use super::calls::{expand_aliases, expand_calls};
use super::expand::expand_subagent;
use super::listed::ListedTool;
use super::model::{AgentForm, AgentModel, AgentStruct, ParameterSource};
use crate::krate::PrivatePath;
use crate::spelling::same;
use crate::tool::inert_arguments;

/// The agent's type, where the macro makes it, and an agent that cannot run.
pub(super) fn inert_agent(agent: &AgentModel, private: &PrivatePath) -> TokenStream {
    let (item, tools) = match &agent.form {
        AgentForm::Function { function, strukt } => {
            let strukt = inert_struct(strukt, agent);
            (quote!(#function #strukt), Vec::new())
        }
        AgentForm::Block { block, tools } => {
            let tools = tools.iter().map(|tool| inert_arguments(tool, private)).collect();
            (block.clone(), tools)
        }
    };
    let (ty, state) = (&agent.ty, agent.state_type());
    let injections = inert_injections(agent, private);
    // The first of equal items: the second one has been reported.
    let (mut tools_once, mut listed): (Vec<ListedTool<'_>>, Vec<TokenStream>) = Default::default();
    for tool in agent.listed() {
        let ty = tool.expand(private);
        if !listed.iter().any(|first| same(first, &ty)) {
            tools_once.push(tool);
            listed.push(ty);
        }
    }
    let listed_as: Vec<_> = (0..listed.len()).map(|i| format_ident!("__AguiTool{i}")).collect();
    let calls = expand_calls(agent, &tools_once, &listed_as, private);
    let subagent = expand_subagent(agent, private);
    let call_names = expand_aliases(agent, private);
    let events_of = once(&agent.events).map(|event| quote!(impl #private::EventOf<#ty> for #event {}));
    let interrupts_of =
        once(&agent.interrupts).map(|interrupt| quote!(impl #private::InterruptOf<#ty> for #interrupt {}));
    let activities_of =
        once(&agent.activities).map(|activity| quote!(impl #private::ActivityOf<#ty> for #activity {}));
    let props_of = agent.forwarded.iter().map(|props| quote!(impl #private::PropsOf<#ty> for #props {}));
    quote! {
        #item
        #call_names
        #(#tools)*
        const _: () = {
            impl #private::Agent for #ty {
                type State = #state;
                type Request = ();
                type Output = ();
                async fn run<'__agui>(
                    &self,
                    _: &'__agui mut #private::Run<Self>,
                    _: #private::Input<Self>,
                ) -> ::core::result::Result<#private::FinishedRun<'__agui, ()>, #private::Stop> {
                    loop {}
                }
                fn source() -> #private::AgentSource { loop {} }
            }
            #(
                type #listed_as = #listed;
                impl #private::ToolOf<#ty> for #listed_as {}
            )*
            #subagent
            #(#injections)*
            #calls
            #(#events_of)*
            #(#interrupts_of)*
            #(#activities_of)*
            #(#props_of)*
        };
    }
}

fn inert_injections(agent: &AgentModel, private: &PrivatePath) -> Vec<TokenStream> {
    let agent_ty = &agent.ty;
    let mut injected: Vec<&Type> = Vec::new();
    let mut injections = Vec::new();
    for parameter in &agent.parameters {
        let ty = &parameter.ty;
        if injected.iter().any(|first| same(first, &ty)) {
            continue;
        }
        injected.push(ty);
        injections.push(if matches!(parameter.origin, ParameterSource::RequestIfAny) {
            quote! {
                impl #private::InjectOption<#ty> for #agent_ty {
                    fn inject_option<'__agui>(
                        _: &'__agui #private::InjectScope<'_, Self>,
                    ) -> ::core::option::Option<&'__agui #ty> { loop {} }
                }
            }
        } else {
            quote! {
                impl #private::InjectValue<#ty> for #agent_ty {
                    fn inject<'__agui>(_: &'__agui #private::InjectScope<'_, Self>) -> &'__agui #ty { loop {} }
                }
            }
        });
    }
    injections
}

fn inert_struct(strukt: &AgentStruct, agent: &AgentModel) -> TokenStream {
    let AgentStruct { vis, ident, docs, .. } = strukt;
    let (names, types): (Vec<_>, Vec<_>) = agent.dependencies().unzip();
    quote! {
        #(#docs)*
        #[allow(missing_docs, dead_code)]
        #vis struct #ident { #(#names: #types),* }
        const _: () = {
            #[allow(missing_docs, dead_code)]
            impl #ident {
                #vis fn new(#(#names: #types),*) -> Self { Self { #(#names),* } }
            }
        };
    }
}

/// Keeps the first of equal items: the second one has been reported.
fn once<T: ToTokens>(list: &[T]) -> impl Iterator<Item = &T> {
    list.iter()
        .enumerate()
        .filter(|(i, item)| !list.iter().take(*i).any(|first| same(first, item)))
        .map(|(_, item)| item)
}
