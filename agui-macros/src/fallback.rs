//! The code that remains of an item with a mistake: the user's own code, and impls that do nothing.
//!
//! The program does not compile anyway. The impls prevent further errors wherever the item is used, so that the
//! reported mistake is the only one.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{DeriveInput, Generics, Ident, Type, parse_quote};

use crate::agent::{AgentModel, Form, Origin, StructModel, expand_aliases, expand_calls, same};
use crate::function::{Body, Function};
use crate::krate::Private;
use crate::spelling::{borrowed, impl_trait};
use crate::tool::{Parameter, Side, ToolModel, owned_form};

/// The function as far as it can compile, and a tool that cannot run.
pub(crate) fn inert_tool(tool: &ToolModel, private: &Private) -> TokenStream {
    let function = inert_function(tool);
    let is_method = tool.parameters.iter().any(|parameter| matches!(parameter, Parameter::Receiver(_)));
    if is_method {
        return function;
    }
    let strukt = inert_arguments(tool, private);
    quote!(#function #strukt)
}

/// The function, with a body removed or added as the kind of tool wants it.
pub(crate) fn inert_function(tool: &ToolModel) -> TokenStream {
    match (tool.side, tool.has_body()) {
        (Side::Frontend, _) => TokenStream::new(),
        (Side::Backend, true) => tool.function.to_token_stream(),
        (Side::Backend, false) => {
            let function = Function { body: Body::Block(parse_quote!({ loop {} })), ..tool.function.clone() };
            quote!(#[allow(unused_variables)] #function)
        }
    }
}

/// A struct with the fields the user expects, and the impls of a tool.
pub(crate) fn inert_arguments(tool: &ToolModel, private: &Private) -> TokenStream {
    let (vis, ident) = (&tool.function.vis, &tool.function.sig.ident);
    let fields = tool.parameters.iter().filter_map(inert_field).map(|(ident, ty)| quote!(#vis #ident: #ty));
    let returns = match &tool.returns {
        ty if borrowed(ty).is_some() || impl_trait(ty).is_some() => parse_quote!(()),
        ty => ty.clone(),
    };
    let side = match tool.side {
        Side::Backend => quote!(Backend),
        Side::Frontend => quote!(Frontend),
    };
    let described = inert_description(ident, private);
    quote! {
        #[allow(non_camel_case_types, missing_docs, dead_code)]
        #vis struct #ident { #(#fields),* }
        const _: () = {
            #described
            impl #private::Tool for #ident {
                const NAME: &'static ::core::primitive::str = "";
                const DESCRIPTION: &'static ::core::primitive::str = "";
                type Side = #private::#side;
                type Returns = #returns;
                fn outcome() -> #private::Outcome<Self::Returns> { loop {} }
            }
            impl<__AguiAgent: #private::Agent> #private::Invoke<__AguiAgent> for #ident {
                async fn invoke(self, _: &#private::InjectScope<'_, __AguiAgent>) -> #returns { loop {} }
            }
        };
    }
}

fn inert_field(parameter: &Parameter) -> Option<(Ident, Type)> {
    match parameter {
        Parameter::Argument(argument) => {
            let usable = borrowed(&argument.ty).is_none() && impl_trait(&argument.ty).is_none();
            Some((argument.ident.clone(), if usable { argument.ty.clone() } else { parse_quote!(()) }))
        }
        // The user meant an argument: this is the field that the corrected type will have.
        Parameter::Dependency(dependency) => {
            let owned = owned_form(dependency)?;
            Some((dependency.name.clone()?, syn::parse_str(&owned).ok()?))
        }
        Parameter::Receiver(_) | Parameter::Pattern(_) => None,
    }
}

/// A type that claims a JSON form without a bound on its fields.
fn inert_description(ident: &Ident, private: &Private) -> TokenStream {
    quote! {
        impl #private::serde::Serialize for #ident {
            fn serialize<S: #private::serde::Serializer>(&self, _: S) -> ::core::result::Result<S::Ok, S::Error> {
                loop {}
            }
        }
        impl<'de> #private::serde::Deserialize<'de> for #ident {
            fn deserialize<D: #private::serde::Deserializer<'de>>(_: D) -> ::core::result::Result<Self, D::Error> {
                loop {}
            }
        }
        impl #private::schemars::JsonSchema for #ident {
            fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> { loop {} }
            fn json_schema(_: &mut #private::schemars::SchemaGenerator) -> #private::schemars::Schema { loop {} }
        }
    }
}

/// A state without bounds on its fields.
pub(crate) fn inert_state(ident: &Ident, generics: &Generics, private: &Private) -> TokenStream {
    let (impl_generics, type_generics, _) = generics.split_for_impl();
    let where_clause = crate::state::supertraits_clause(ident, generics, private);
    quote! {
        const _: () = {
            impl #impl_generics #private::Node for #ident #type_generics #where_clause {}
        };
    }
}

/// A custom event without a name.
pub(crate) fn inert_event(ident: &Ident, generics: &Generics, private: &Private) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    if !generics.params.is_empty() {
        return TokenStream::new();
    }
    quote! {
        const _: () = {
            impl #impl_generics #private::CustomEvent for #ident #type_generics #where_clause {
                const NAME: &'static ::core::primitive::str = "";
                const DESCRIPTION: &'static ::core::primitive::str = "";
            }
        };
    }
}

/// An interrupt without a reason. It has no response either where that is not known.
pub(crate) fn inert_interrupt(
    input: &DeriveInput,
    response: Option<&Type>,
    private: &Private,
) -> TokenStream {
    let ident = &input.ident;
    // A union has none of the traits that the impl would need.
    if !input.generics.params.is_empty() || matches!(input.data, syn::Data::Union(_)) {
        return TokenStream::new();
    }
    let response = response.cloned().unwrap_or_else(|| parse_quote!(()));
    quote! {
        const _: () = {
            impl #private::Interrupt for #ident {
                const REASON: &'static ::core::primitive::str = "";
                const MESSAGE: ::core::option::Option<&'static ::core::primitive::str> = ::core::option::Option::None;
                const DESCRIPTION: &'static ::core::primitive::str = "";
                type Response = #response;
            }
        };
    }
}

/// An activity without a name, of a type that is a state.
pub(crate) fn inert_activity(input: &DeriveInput, private: &Private) -> TokenStream {
    let ident = &input.ident;
    if !input.generics.params.is_empty() || matches!(input.data, syn::Data::Union(_)) {
        return TokenStream::new();
    }
    quote! {
        const _: () = {
            impl #private::Activity for #ident
            where
                for<'__agui> #ident: #private::State,
            {
                const TYPE: &'static ::core::primitive::str = "";
                fn activity_derived(_: #private::DerivedActivity) {}
            }
        };
    }
}

/// The agent's type, where the macro makes it, and an agent that cannot run.
pub(crate) fn inert_agent(agent: &AgentModel, private: &Private) -> TokenStream {
    let (item, tools) = match &agent.form {
        Form::Function { function, strukt } => {
            let strukt = inert_struct(strukt, agent);
            (quote!(#function #strukt), Vec::new())
        }
        Form::Block { block, tools } => {
            let tools = tools.iter().map(|tool| inert_arguments(tool, private)).collect();
            (block.clone(), tools)
        }
    };
    let (ty, state) = (&agent.ty, &agent.state);
    let lent = inert_lends(agent, private);
    let listed: Vec<_> = once(&agent.tools).cloned().collect();
    let listed_as: Vec<_> = (0..listed.len()).map(|i| format_ident!("__AguiTool{i}")).collect();
    let calls = expand_calls(agent, &listed, &listed_as, private);
    let call_names = expand_aliases(agent, private);
    let events_of = once(&agent.events).map(|event| quote!(impl #private::EventOf<#ty> for #event {}));
    let interrupts_of =
        once(&agent.interrupts).map(|interrupt| quote!(impl #private::InterruptOf<#ty> for #interrupt {}));
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
                ) -> ::core::result::Result<#private::Finished<'__agui, ()>, #private::Stop> {
                    loop {}
                }
                fn source() -> #private::AgentSource { loop {} }
            }
            #(
                type #listed_as = #listed;
                impl #private::ToolOf<#ty> for #listed_as {}
            )*
            #(#lent)*
            #calls
            #(#events_of)*
            #(#interrupts_of)*
        };
    }
}

fn inert_lends(agent: &AgentModel, private: &Private) -> Vec<TokenStream> {
    let agent_ty = &agent.ty;
    let mut lent: Vec<&Type> = Vec::new();
    let mut lends = Vec::new();
    for parameter in &agent.parameters {
        let ty = &parameter.ty;
        if lent.iter().any(|first| same(first, &ty)) {
            continue;
        }
        lent.push(ty);
        lends.push(if matches!(parameter.origin, Origin::RequestIfAny) {
            quote! {
                impl #private::InjectOption<#ty> for #agent_ty {
                    fn inject_option<'__agui>(
                        _: &'__agui #private::InjectScope<'_, Self>,
                    ) -> ::core::option::Option<&'__agui #ty> { loop {} }
                }
            }
        } else {
            quote! {
                impl #private::Inject<#ty> for #agent_ty {
                    fn inject<'__agui>(_: &'__agui #private::InjectScope<'_, Self>) -> &'__agui #ty { loop {} }
                }
            }
        });
    }
    lends
}

fn inert_struct(strukt: &StructModel, agent: &AgentModel) -> TokenStream {
    let StructModel { vis, ident, docs } = strukt;
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
