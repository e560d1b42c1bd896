//! The closed enums of an agent's calls, from which a model chooses by name.
//!
//! The enums take the tools as parameters, so that what they need of a tool is asked of the parameter: a path in the list
//! that is no tool has been reported where it is listed, and is not reported again here.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Path, PathArguments, Type, Visibility, parse_quote};

use super::model::{AgentModel, Form};
use crate::krate::Private;

/// The names of the two enums, for whom the agent's type has a name of its own.
pub(crate) fn expand_aliases(agent: &AgentModel, private: &Private) -> TokenStream {
    let vis = match &agent.form {
        Form::Function { strukt, .. } => strukt.vis.clone(),
        // Whether the type is public cannot be seen from here. These are as public as it is.
        Form::Block { .. } => Visibility::Public(parse_quote!(pub)),
    };
    let Some(name) = plain_name(&agent.ty) else { return TokenStream::new() };
    if agent.tools.is_empty() {
        return TokenStream::new();
    }
    let (ty, cfgs) = (&agent.ty, &agent.cfgs);
    let (open, ready) = (format_ident!("{name}OpenCall"), format_ident!("{name}ReadyCall"));
    let about = format!("one of the tools of [`{name}`], with a variant for each");
    let about_open = format!("An open call of {about}: what `run.open_call(name)` gives.");
    let about_ready = format!("A call of {about}, its arguments complete: what ending an open one gives.");
    quote! {
        #[doc = #about_open]
        #(#cfgs)*
        #[allow(dead_code, private_interfaces)]
        #vis type #open<'__agui> = <#ty as #private::ToolSet>::Open<'__agui>;
        #[doc = #about_ready]
        #(#cfgs)*
        #[allow(dead_code, private_interfaces)]
        #vis type #ready<'__agui> = <#ty as #private::ToolSet>::Ready<'__agui>;
    }
}

/// The enums, and what says that they are the agent's. `aliases` name the tools.
pub(crate) fn expand_calls(
    agent: &AgentModel,
    tools: &[Path],
    aliases: &[Ident],
    private: &Private,
) -> TokenStream {
    let ty = &agent.ty;
    if tools.is_empty() {
        return quote! {
            #[automatically_derived]
            impl #private::ToolSet for #ty {
                const NAMES: &'static [&'static ::core::primitive::str] = &[];
                type Open<'__agui> = #private::NoCall;
                type Ready<'__agui> = #private::NoCall;
            }
        };
    }
    let name = plain_name(ty).unwrap_or_else(|| Ident::new("Agent", Span::call_site()));
    let calls = Calls {
        open: format_ident!("{name}OpenCall"),
        ready: format_ident!("{name}ReadyCall"),
        variants: variants(tools),
        tools: (0..tools.len()).map(|i| format_ident!("__AguiTool{i}")).collect(),
        private,
    };
    let (open, ready) = (&calls.open, &calls.ready);
    let enums = [calls.expand_open(), calls.expand_ready()];
    quote! {
        #(#enums)*
        #[automatically_derived]
        impl #private::ToolSet for #ty {
            const NAMES: &'static [&'static ::core::primitive::str] =
                &[#(#private::tool_name::<#ty, #aliases>()),*];
            type Open<'__agui> = #open<'__agui, #ty, #(#aliases),*>;
            type Ready<'__agui> = #ready<'__agui, #ty, #(#aliases),*>;
        }
    }
}

struct Calls<'a> {
    open: Ident,
    ready: Ident,
    variants: Vec<Ident>,
    /// The parameters that stand for the tools.
    tools: Vec<Ident>,
    private: &'a Private,
}

impl Calls<'_> {
    fn expand_open(&self) -> TokenStream {
        let Self { open, ready, variants, tools, private } = self;
        let generics =
            quote!('__agui, __AguiAgent: #private::ToolSet, #(#tools: #private::ToolOf<__AguiAgent>),*);
        let debug = self.expand_debug(open);
        quote! {
            #[allow(non_camel_case_types, missing_docs, unreachable_pub, clippy::large_enum_variant)]
            pub enum #open<'__agui, __AguiAgent: #private::Agent, #(#tools: #private::ToolOf<__AguiAgent>),*> {
                #(#variants(#private::ToolCall<'__agui, __AguiAgent, #tools, #private::Streaming>)),*
            }
            #[automatically_derived]
            impl<#generics> #private::OpenToolCall<'__agui, __AguiAgent> for #open<'__agui, __AguiAgent, #(#tools),*> {
                type Ready = #ready<'__agui, __AguiAgent, #(#tools),*>;
                fn open(
                    opening: #private::Opening<'__agui, __AguiAgent>,
                ) -> ::core::result::Result<Self, #private::UnknownTool> {
                    #(
                        if opening.is::<#tools>() {
                            return ::core::result::Result::Ok(Self::#variants(opening.call()));
                        }
                    )*
                    ::core::result::Result::Err(opening.unknown())
                }
                fn push(
                    &mut self,
                    delta: impl #private::IntoText,
                ) -> #private::Do<'_, #private::PushArguments<'_>> {
                    match self { #(Self::#variants(call) => call.push(delta)),* }
                }
                fn end(self) -> ::core::result::Result<Self::Ready, #private::CallError> {
                    match self { #(Self::#variants(call) => call.end().map(#ready::#variants)),* }
                }
                fn end_with(
                    self,
                    fields: #private::EventFields,
                ) -> ::core::result::Result<Self::Ready, #private::CallError> {
                    match self { #(Self::#variants(call) => call.end_with(fields).map(#ready::#variants)),* }
                }
                fn id(&self) -> &#private::ToolCallId {
                    match self { #(Self::#variants(call) => call.id()),* }
                }
                fn tool(&self) -> &'static ::core::primitive::str {
                    match self { #(Self::#variants(_) => <#tools as #private::Tool>::NAME),* }
                }
            }
            #debug
        }
    }

    fn expand_ready(&self) -> TokenStream {
        let Self { ready, variants, tools, private, .. } = self;
        let debug = self.expand_debug(ready);
        quote! {
            #[allow(non_camel_case_types, missing_docs, unreachable_pub, clippy::large_enum_variant)]
            pub enum #ready<'__agui, __AguiAgent: #private::Agent, #(#tools: #private::ToolOf<__AguiAgent>),*> {
                #(#variants(#private::Ready<'__agui, __AguiAgent, #tools>)),*
            }
            #[automatically_derived]
            impl<__AguiAgent: #private::Agent, #(#tools: #private::ToolOf<__AguiAgent>),*>
                #private::ReadyToolCall for #ready<'_, __AguiAgent, #(#tools),*>
            {
                async fn settle(self) -> #private::Settled {
                    match self { #(Self::#variants(call) => #private::settle::<__AguiAgent, #tools>(call).await),* }
                }
                fn id(&self) -> &#private::ToolCallId {
                    match self { #(Self::#variants(call) => #private::ready_id::<__AguiAgent, #tools>(call)),* }
                }
                fn tool(&self) -> &'static ::core::primitive::str {
                    match self { #(Self::#variants(_) => <#tools as #private::Tool>::NAME),* }
                }
            }
            #debug
        }
    }

    fn expand_debug(&self, name: &Ident) -> TokenStream {
        let Self { variants, tools, private, .. } = self;
        quote! {
            #[automatically_derived]
            impl<__AguiAgent: #private::Agent, #(#tools: #private::ToolOf<__AguiAgent>),*> ::core::fmt::Debug
                for #name<'_, __AguiAgent, #(#tools),*>
            {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    match self { #(Self::#variants(call) => ::core::fmt::Debug::fmt(call, f)),* }
                }
            }
        }
    }
}

/// The name of a type that has no parameters.
fn plain_name(ty: &Type) -> Option<Ident> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    matches!(last.arguments, PathArguments::None)
        .then(|| Ident::new(&last.ident.unraw().to_string(), last.ident.span()))
}

/// A variant is called like its tool; tools of one name in several modules are told apart by the modules, and by a
/// number where that is not enough.
fn variants(tools: &[Path]) -> Vec<Ident> {
    let shared = |name: &Ident| tools.iter().filter(|other| last(other) == Some(name)).count() > 1;
    let mut names: Vec<Ident> = Vec::new();
    for (i, tool) in tools.iter().enumerate() {
        let Some(name) = last(tool) else { continue };
        let mut name = name.clone();
        if shared(&name) {
            let parts: Vec<_> = tool
                .segments
                .iter()
                .map(|part| part.ident.unraw().to_string())
                .filter(|part| !["crate", "self", "super"].contains(&part.as_str()))
                .collect();
            name = Ident::new(&parts.join("_"), name.span());
        }
        if names.contains(&name) {
            name = format_ident!("{}_{i}", name);
        }
        names.push(name);
    }
    names
}

fn last(path: &Path) -> Option<&Ident> {
    path.segments.last().map(|last| &last.ident)
}
