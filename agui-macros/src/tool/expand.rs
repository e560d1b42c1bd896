//! A checked tool as Rust.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::model::{Host, Parameter, Side, ToolModel};
use super::predict::expand_predictions;
use crate::attr::is_docs;
use crate::krate::Private;
use crate::spelling::at;

/// The user's function, as it stays in the program.
pub(crate) fn expand_function(tool: &ToolModel) -> TokenStream {
    match tool.side {
        Side::Backend => tool.function.to_token_stream(),
        Side::Frontend => TokenStream::new(),
    }
}

/// The struct beside the function, and what makes it a tool.
pub(crate) fn expand_tool(tool: &ToolModel, private: &Private) -> TokenStream {
    let strukt = expand_struct(tool, private);
    let impl_tool = expand_impl_tool(tool, private);
    let calls = expand_calls(tool, private);
    let cfgs = tool.function.cfgs();
    quote! {
        #strukt
        #(#cfgs)*
        const _: () = {
            #impl_tool
            #calls
        };
    }
}

fn expand_struct(tool: &ToolModel, private: &Private) -> TokenStream {
    let vis = &tool.function.vis;
    let ident = &tool.function.sig.ident;
    let docs = tool.function.attrs.iter().filter(|attr| is_docs(attr));
    let cfgs = tool.function.cfgs();
    let fields = tool.arguments().map(|argument| {
        let (attrs, ident, ty) = (&argument.attrs, &argument.ident, &argument.ty);
        quote!(#(#attrs)* #vis #ident: #ty)
    });
    let arguments_name = &tool.arguments_name;
    let (serde, schemars) = (private.text_of("serde"), private.text_of("schemars"));
    quote! {
        #(#docs)*
        #(#cfgs)*
        #[allow(non_camel_case_types, missing_docs, missing_debug_implementations, clippy::all, clippy::pedantic)]
        #[derive(#private::serde::Serialize, #private::serde::Deserialize, #private::schemars::JsonSchema)]
        #[serde(crate = #serde)]
        // The description is the tool's and stands beside the schema.
        #[schemars(crate = #schemars, rename = #arguments_name, description = "")]
        #vis struct #ident { #(#fields),* }
    }
}

fn expand_impl_tool(tool: &ToolModel, private: &Private) -> TokenStream {
    let ident = &tool.function.sig.ident;
    let (name, description, returns) = (&tool.name.text, &tool.description.text, &tool.returns);
    let (side, outcome) = match tool.side {
        Side::Backend => (quote!(Backend), probe(returns, private)),
        Side::Frontend => (quote!(Frontend), quote_spanned!(at(returns)=> #private::answer::<#returns>())),
    };
    quote! {
        #[automatically_derived]
        impl #private::Tool for #ident {
            const NAME: &'static ::core::primitive::str = #name;
            const DESCRIPTION: &'static ::core::primitive::str = #description;
            type Side = #private::#side;
            type Returns = #returns;

            fn outcome() -> #private::Outcome<Self::Returns> {
                #outcome
            }
        }
    }
}

/// Whether the function can fail is a question about a type, so the compiler answers it: the method of the trait that
/// fits is the one that is found.
fn probe(returns: &syn::Type, private: &Private) -> TokenStream {
    quote_spanned! {at(returns)=>
        #[allow(unused_imports)]
        use #private::{ViaError as _, ViaPublicError as _, ViaResult as _, ViaValue as _};
        (&&&&#private::Probe::<#returns>::new()).kind().outcome()
    }
}

fn expand_calls(tool: &ToolModel, private: &Private) -> TokenStream {
    let ident = &tool.function.sig.ident;
    let (generics, agent) = match &tool.host {
        Host::Any => {
            let lends = tool.dependencies().map(|dependency| {
                let ty = &dependency.reference.elem;
                quote!(#private::Inject<#ty>)
            });
            (quote!(<__AguiAgent: #private::Agent #(+ #lends)*>), quote!(__AguiAgent))
        }
        Host::Agent(agent) => (quote!(), agent.to_token_stream()),
    };
    let invoke = expand_invoke(tool, &agent, private);
    let predictions = expand_predictions(tool, &agent, private);
    quote! {
        #[automatically_derived]
        impl #generics #private::Invoke<#agent> for #ident {
            #invoke
            #predictions
        }
    }
}

fn expand_invoke(tool: &ToolModel, agent: &TokenStream, private: &Private) -> TokenStream {
    let ident = &tool.function.sig.ident;
    if tool.side == Side::Frontend {
        return quote! {
            async fn invoke(self, _: &#private::Scope<'_, #agent>) -> <Self as #private::Tool>::Returns {
                #private::in_the_user_interface().await
            }
        };
    }
    let function = match &tool.host {
        Host::Any => ident.to_token_stream(),
        Host::Agent(_) => quote!(<#agent>::#ident),
    };
    let arguments = tool.parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Argument(argument) => {
            let ident = &argument.ident;
            Some(quote!(self.#ident))
        }
        Parameter::Dependency(dependency) => {
            let ty = &dependency.reference.elem;
            // The agent as if it was written there: what it cannot lend is reported at the parameter.
            let agent = respanned(agent.clone(), at(ty));
            Some(quote!(<#agent as #private::Inject<#ty>>::inject(scope)))
        }
        Parameter::Receiver(_) => Some(quote!(scope.agent())),
        Parameter::Pattern(_) => None,
    });
    let wait = tool.is_async().then(|| quote!(.await));
    // Spanned at the name: a future that is not `Send` is reported there.
    quote_spanned! {at(ident)=>
        #[allow(deprecated)]
        async fn invoke(self, scope: &#private::Scope<'_, #agent>) -> <Self as #private::Tool>::Returns {
            #function(#(#arguments),*)#wait
        }
    }
}

pub(super) fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut tree| {
            tree.set_span(span);
            tree
        })
        .collect()
}
