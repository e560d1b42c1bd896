//! Closed enums for an agent's calls, from which a model chooses by name.
//!
//! The enums have no parameters for the tools, so that call types name no tool: an agent may be more visible than the agent's
//! tools. The enums know a tool through `ListedTool`: a listed path that is no tool has been reported in the list, and is not
//! reported again here. Where an agent is listed as a tool, that takes a bound, whose lifetime defers the check. Each bound is a
//! candidate for all others, so there is none for what is no agent.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Path, PathArguments, Type, Visibility, parse_quote};

use super::listed::ListedTool;
use super::model::{AgentForm, AgentModel};
use crate::krate::PrivatePath;

/// Aliases for the two enums, for an agent whose type has an own name.
pub(crate) fn expand_aliases(agent: &AgentModel, private: &PrivatePath) -> TokenStream {
    let vis = match &agent.form {
        AgentForm::Function { strukt, .. } => strukt.vis.clone(),
        // A macro cannot see if the type is public. The aliases are as public as the type.
        AgentForm::Block { .. } => Visibility::Public(parse_quote!(pub)),
    };
    let Some(name) = plain_name(&agent.ty) else { return TokenStream::new() };
    if agent.tools.is_empty() && agent.handoffs.is_empty() {
        return TokenStream::new();
    }
    let (ty, cfgs) = (&agent.ty, &agent.cfgs);
    let (open, ready) = (format_ident!("{name}OpenCall"), format_ident!("{name}ReadyCall"));
    let about = format!("one of the tools of [`{name}`], with a variant for each");
    let about_open = format!("An open call of {about}. `run.open_call(name)` returns it.");
    let about_ready =
        format!("A call of {about}. Its arguments are complete: ending an open call returns it.");
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

/// The enums, and the impls that tie them to the agent. `aliases` name the tools.
pub(crate) fn expand_calls(
    agent: &AgentModel,
    tools: &[ListedTool<'_>],
    aliases: &[Ident],
    private: &PrivatePath,
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
    let calls = CallTypes {
        open: format_ident!("{name}OpenCall"),
        ready: format_ident!("{name}ReadyCall"),
        variants: variants(&tools.iter().map(|tool| tool.path).collect::<Vec<_>>()),
        agents: aliases
            .iter()
            .zip(tools)
            .filter(|(_, tool)| tool.runs_agent())
            .map(|(alias, _)| alias)
            .collect(),
        agent: ty,
        aliases,
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
            const ENTRIES: &'static [#private::ToolEntry<Self>] =
                &[#(#private::tool_entry::<Self, #aliases>()),*];
            type Open<'__agui> = #open<'__agui>;
            type Ready<'__agui> = #ready<'__agui>;
        }
    }
}

struct CallTypes<'a> {
    open: Ident,
    ready: Ident,
    variants: Vec<Ident>,
    agent: &'a Type,
    /// Tool names.
    aliases: &'a [Ident],
    /// Aliases for listed agents.
    agents: Vec<&'a Ident>,
    private: &'a PrivatePath,
}

impl CallTypes<'_> {
    /// The tools as the enums see them.
    fn tools(&self) -> Vec<TokenStream> {
        let Self { agent, aliases, private, .. } = self;
        aliases.iter().map(|alias| quote!(<#alias as #private::ListedTool<'__agui, #agent>>::Tool)).collect()
    }

    fn clause(&self) -> TokenStream {
        let Self { agent, agents, private, .. } = self;
        quote!(where #(#agents: #private::ListedTool<'__agui, #agent>),*)
    }

    fn expand_open(&self) -> TokenStream {
        let Self { open, ready, variants, agent, private, .. } = self;
        let (tools, clause) = (self.tools(), self.clause());
        let attrs = attributes(
            "push its arguments, and answer it: `run.dispatch(vec![call.end()?]).await`; a call that is dropped is answered with an error",
        );
        let places = 0..variants.len();
        // One pattern for all variants: nothing is compiled for each tool.
        let untyped = quote!(#(Self::#variants(#private::Call { untyped, .. }))|*);
        quote! {
            #attrs
            pub enum #open<'__agui> #clause {
                #(#variants(#private::Call<'__agui, #agent, #tools, #private::OpenPhase>)),*
            }
            #[automatically_derived]
            impl<'__agui> #private::OpenToolCall<'__agui, #agent> for #open<'__agui> #clause {
                type Ready = #ready<'__agui>;
                fn open(
                    opening: #private::NamedCallOpening<'__agui, #agent>,
                ) -> ::core::result::Result<Self, #private::UnknownTool> {
                    ::core::result::Result::Ok(match opening.place() {
                        #(::core::option::Option::Some(#places) => Self::#variants(opening.call()),)*
                        _ => return ::core::result::Result::Err(opening.unknown()),
                    })
                }
                fn untyped(&self) -> &#private::UntypedCall<'_, #agent> {
                    match self { #untyped => untyped }
                }
                fn push_text(
                    &mut self,
                    delta: ::std::string::String,
                ) -> #private::WriteFuture<'_, #private::PushArguments<'_>> {
                    match self { #untyped => untyped.push(delta) }
                }
                fn complete(
                    self,
                    fields: ::core::option::Option<::std::boxed::Box<#private::EventFields>>,
                ) -> ::core::result::Result<Self::Ready, #private::CallError> {
                    // `?` would compile a conversion of the error for each tool.
                    match self {
                        #(Self::#variants(call) => match #private::complete(call, fields) {
                            ::core::result::Result::Ok(call) => ::core::result::Result::Ok(#ready::#variants(call)),
                            ::core::result::Result::Err(error) => ::core::result::Result::Err(error),
                        }),*
                    }
                }
                fn boxed(self) -> #private::BoxedCall<'__agui> {
                    #private::boxed_call::<#agent, Self>(self)
                }
            }
            #[automatically_derived]
            impl<'__agui> ::core::fmt::Debug for #open<'__agui> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    #private::debug_open(self, f)
                }
            }
        }
    }

    fn expand_ready(&self) -> TokenStream {
        let Self { ready, variants, agent, private, .. } = self;
        let (tools, clause) = (self.tools(), self.clause());
        let attrs = attributes("settle it: `run.dispatch(vec![call]).await`");
        quote! {
            #attrs
            pub enum #ready<'__agui> #clause {
                #(#variants(#private::Ready<'__agui, #agent, #tools>)),*
            }
            #[automatically_derived]
            impl<'__agui> #private::ReadyToolCall for #ready<'__agui> #clause {
                fn decide<'__w>(self) -> #private::SettlementStage<'__w>
                where
                    Self: '__w,
                {
                    match self { #(Self::#variants(call) => #private::decide::<#agent, #tools>(call)),* }
                }
                fn head(&self) -> #private::CallHead<'_> {
                    match self { #(Self::#variants(call) => #private::head::<#agent, #tools>(call)),* }
                }
            }
            #[automatically_derived]
            impl<'__agui> ::core::fmt::Debug for #ready<'__agui> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    #private::debug_ready(self, f)
                }
            }
        }
    }
}

fn attributes(must_use: &str) -> TokenStream {
    quote! {
        #[must_use = #must_use]
        #[allow(
            non_camel_case_types,
            missing_docs,
            unreachable_pub,
            private_interfaces,
            private_bounds,
            clippy::large_enum_variant
        )]
    }
}

/// The name if the type has no parameters.
fn plain_name(ty: &Type) -> Option<Ident> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    matches!(last.arguments, PathArguments::None)
        .then(|| Ident::new(&last.ident.unraw().to_string(), last.ident.span()))
}

/// A variant has the tool's name. If tools in several modules share a name, the variants also get module names, and a number where
/// module names are not enough.
fn variants(tools: &[&Path]) -> Vec<Ident> {
    let shared = |name: &Ident| tools.iter().filter(|other| last(other) == Some(name)).count() > 1;
    let mut names: Vec<Ident> = Vec::new();
    for (i, tool) in tools.iter().enumerate() {
        let Some(name) = last(tool) else { continue };
        let is_shared = shared(name);
        let mut name = name.clone();
        // An editor that is asked about the tool in the list is not led to the variant.
        name.set_span(Span::call_site());
        if is_shared {
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
