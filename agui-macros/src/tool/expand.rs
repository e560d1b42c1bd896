//! A checked tool as Rust.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Ident, Type};

use super::model::{Dependency, ToolHost, ToolModel, ToolParameter, ToolSide};
use super::predict::expand_predictions;
use super::{default, serde, stream};
use crate::attr::is_docs;
use crate::krate::PrivatePath;
use crate::spelling::{at, parts, same};

/// The user's function, as it stays in the program.
pub(crate) fn expand_function(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    match tool.side {
        ToolSide::Backend => tool.function.to_token_stream(),
        ToolSide::Frontend => expand_uncallable(tool, private),
    }
}

/// A function that replaces a frontend tool's: calling the function is an error that explains how a tool is called.
fn expand_uncallable(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let (vis, ident, returns) = (&tool.function.vis, &tool.function.sig.ident, &tool.returns);
    let cfgs = tool.function.cfgs();
    let types = tool.arguments().map(|argument| &argument.ty);
    let (output, body) = if tool.is_async() {
        (quote!(#private::Pending<#returns>), quote!(#private::pending()))
    } else {
        (returns.to_token_stream(), quote!(loop {}))
    };
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(dead_code, private_interfaces, clippy::all, clippy::pedantic)]
        #vis fn #ident(#(_: #types),*) -> #output
        where
            for<'__agui> #ident: #private::RunsInTheAgent<'__agui>,
        {
            #body
        }
    }
}

/// The struct beside the function, and the impls that make the struct a tool.
pub(crate) fn expand_tool(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let strukt = expand_struct(tool, private);
    let declarations = expand_declarations(tool, private);
    let schema = expand_schema(tool, private);
    let serde = serde::is_plain(tool).then(|| serde::expand(tool, &clause(tool, private), private));
    let impl_tool = expand_impl_tool(tool, private);
    let calls = expand_calls(tool, private);
    let defaults = default::expand(tool);
    let cfgs = tool.function.cfgs();
    quote! {
        #strukt
        #(#cfgs)*
        const _: () = {
            #(#declarations)*
            #schema
            #serde
            #impl_tool
            #calls
            #defaults
        };
    }
}

fn expand_struct(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let vis = &tool.function.vis;
    let ident = &tool.function.sig.ident;
    let docs = tool.function.attrs.iter().filter(|attr| is_docs(attr));
    let cfgs = tool.function.cfgs();
    let has_derive = assumed(tool).is_empty();
    let fields = tool.arguments().map(|argument| {
        // Without the derive of schemars its attributes do not exist: they are on the struct with a lifetime.
        let attrs = argument.attrs.iter().filter(|attr| has_derive || !attr.path().is_ident("schemars"));
        let (ident, ty) = (&argument.ident, &argument.ty);
        quote!(#(#attrs)* #vis #ident: #ty)
    });
    let serde = expand_derives_of_serde(tool, private);
    let json_schema = has_derive.then(|| {
        let shape = expand_schema_attribute(tool, private);
        quote!(#[derive(#private::schemars::JsonSchema)] #shape)
    });
    quote! {
        #(#docs)*
        #(#cfgs)*
        #[allow(
            non_camel_case_types,
            missing_docs,
            missing_debug_implementations,
            private_interfaces,
            clippy::all,
            clippy::pedantic
        )]
        #serde
        #json_schema
        #vis struct #ident { #(#fields),* }
    }
}

/// serde derives, for arguments with attributes that only the derives understand.
fn expand_derives_of_serde(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    if serde::is_plain(tool) {
        return TokenStream::new();
    }
    let krate = private.text_of("serde");
    let bound = (!assumed(tool).is_empty()).then(|| {
        let bound = clause(tool, private).to_string();
        quote!(, bound = #bound)
    });
    quote! {
        #[derive(#private::serde::Serialize, #private::serde::Deserialize)]
        #[serde(crate = #krate #bound)]
    }
}

fn expand_schema_attribute(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let (name, schemars) = (&tool.arguments_name, private.text_of("schemars"));
    // The schema has no description: it stands beside the schema, as that of the tool.
    quote!(#[schemars(crate = #schemars, rename = #name, description = "")])
}

/// Argument types that may lack serde and schemars derives. The struct's derived impls assume the derives; only the declarations
/// are checked.
fn assumed(tool: &ToolModel) -> Vec<&Type> {
    let mut assumed: Vec<&Type> = Vec::new();
    // Other attributes than doc comments may need other traits of the type, or none. A path with `$crate` has no text.
    let plain = tool.arguments().filter(|argument| argument.attrs.iter().all(is_docs));
    for ty in plain.flat_map(|argument| parts(&argument.ty)) {
        if !ty.to_token_stream().to_string().contains('$') && !assumed.iter().any(|first| same(first, &ty)) {
            assumed.push(ty);
        }
    }
    assumed
}

/// Declares the assumed types, each where the type is written, so that a missing JSON form is an error there.
fn expand_declarations(tool: &ToolModel, private: &PrivatePath) -> Vec<TokenStream> {
    let ident = &tool.function.sig.ident;
    let declare = |(i, ty): (usize, &Type)| {
        quote_spanned! {at(ty)=>
            #[automatically_derived]
            impl<'__agui> #private::ArgumentOf<'__agui, #ident, #i> for #ty {}
        }
    };
    assumed(tool).into_iter().enumerate().map(declare).collect()
}

/// The clause that states the assumption.
fn clause(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let ident = &tool.function.sig.ident;
    let assume =
        |(i, ty): (usize, &Type)| quote!(for<'__agui> #ty: #private::ArgumentOf<'__agui, #ident, #i>);
    let assumed = assumed(tool).into_iter().enumerate().map(assume);
    quote!(#(#assumed),*)
}

/// The schema of a struct with assumptions, by way of a struct with a lifetime: the derive of schemars takes the clause
/// from there.
fn expand_schema(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    if assumed(tool).is_empty() {
        return TokenStream::new();
    }
    let clause = clause(tool, private);
    let ident = &tool.function.sig.ident;
    let fields = tool.arguments().map(|argument| {
        let (attrs, ident, ty) = (&argument.attrs, &argument.ident, &argument.ty);
        quote!(#(#attrs)* #ident: #ty)
    });
    let attribute = expand_schema_attribute(tool, private);
    let shape = quote!(<__AguiShape<'static> as #private::schemars::JsonSchema>);
    quote! {
        #[allow(dead_code, clippy::all, clippy::pedantic)]
        #[derive(#private::schemars::JsonSchema)]
        #attribute
        struct __AguiShape<'__shape>
        where
            #clause
        {
            #(#fields,)*
            #[serde(skip)]
            __agui: ::core::marker::PhantomData<&'__shape ()>,
        }
        #[automatically_derived]
        impl #private::schemars::JsonSchema for #ident
        where
            #clause
        {
            fn inline_schema() -> ::core::primitive::bool {
                #shape::inline_schema()
            }
            fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                #shape::schema_name()
            }
            fn schema_id() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                #shape::schema_id()
            }
            fn json_schema(generator: &mut #private::schemars::SchemaGenerator) -> #private::schemars::Schema {
                #shape::json_schema(generator)
            }
        }
    }
}

fn expand_impl_tool(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let ident = &tool.function.sig.ident;
    let (name, description, returns) = (&tool.name.text, &tool.description.text, &tool.returns);
    let (side, outcome) = match tool.side {
        ToolSide::Backend if tool.approval.is_some() => (quote!(ApprovalSide), probe(tool, private)),
        ToolSide::Backend if tool.private.is_some() => (quote!(PrivateSide), probe(tool, private)),
        ToolSide::Backend => (quote!(BackendSide), probe(tool, private)),
        ToolSide::Frontend => {
            (quote!(FrontendSide), quote_spanned!(at(returns)=> #private::answer::<#returns>()))
        }
    };
    // Spanned at the type: a type that is less visible than the tool is reported there.
    let returned = returned(tool, private);
    let returned = quote_spanned!(at(returns)=> type Returns = #returned;);
    let (facts, limits) = (tool.facts.expand(private), tool.limits.expand(private));
    let unread = expand_unread(tool, private);
    let read = serde::is_plain(tool)
        .then(|| quote!(const READ: #private::ArgumentReadFn<Self> = #private::read_by_member::<Self>;));
    quote! {
        #[automatically_derived]
        impl #private::Tool for #ident {
            const NAME: &'static ::core::primitive::str = #name;
            const DESCRIPTION: &'static ::core::primitive::str = #description;
            #facts
            #limits
            type Side = #private::#side;
            #returned

            #unread
            #read

            fn outcome() -> #private::ReturnConversion<Self::Returns> {
                #outcome
            }
        }
    }
}

/// The call's return type.
pub(super) fn returned(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let returns = &tool.returns;
    match &tool.limits.timeout {
        Some(_) => quote!(::core::result::Result<#returns, #private::TimeoutError>),
        None => returns.to_token_stream(),
    }
}

/// For arguments of types that check a value while it is read: then the position of an error is exact, and the arguments
/// need not be read again to find its place.
fn expand_unread(tool: &ToolModel, private: &PrivatePath) -> Option<TokenStream> {
    let is_plain =
        tool.arguments().all(|argument| argument.attrs.iter().all(is_docs) && parts(&argument.ty).is_empty());
    is_plain.then(|| quote!(const UNREAD: #private::ArgumentFaultFn = #private::unread_at;))
}

/// The return type decides if the function can fail, so the compiler answers: method lookup finds the trait that fits.
fn probe(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let (returns, has_timeout) = (&tool.returns, tool.limits.timeout.is_some());
    let outcome = match &tool.streams {
        Some(item) => stream::expand_outcome(item, has_timeout, private),
        None => {
            let outcome = Ident::new(if has_timeout { "timed" } else { "outcome" }, at(returns));
            let probe =
                quote_spanned!(at(returns)=> #private::ReturnProbe::<#returns>(::core::marker::PhantomData));
            quote_spanned!(at(returns)=> (&&&&&#probe).kind().#outcome())
        }
    };
    quote_spanned! {at(returns)=>
        #[allow(unused_imports)]
        use #private::{ViaError as _, ViaPublicCauses as _, ViaPublicError as _, ViaResult as _, ViaValue as _};
        #outcome
    }
}

fn expand_calls(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let ident = &tool.function.sig.ident;
    let (generics, agent) = match &tool.host {
        ToolHost::Any => {
            let bounds = tool.dependencies().map(|dependency| {
                let ty = &dependency.reference.elem;
                if dependency.is_optional {
                    quote!(#private::InjectOption<#ty>)
                } else {
                    quote!(#private::InjectValue<#ty>)
                }
            });
            (quote!(<__AguiAgent: #private::Agent #(+ #bounds)*>), quote!(__AguiAgent))
        }
        ToolHost::Agent(agent) => (quote!(), agent.to_token_stream()),
    };
    let invoke = expand_invoke(tool, &agent, private);
    let approval = expand_approval(tool, &agent, private);
    let predictions = expand_predictions(tool, &agent, private);
    let private_tool = tool.private.map(|_| {
        quote! {
            const PRIVATE: ::core::option::Option<#private::PrivateTool<#agent>> =
                ::core::option::Option::Some(#private::private_tool::<#agent, Self>());
        }
    });
    quote! {
        #[automatically_derived]
        impl #generics #private::InvokeTool<#agent> for #ident {
            #invoke
            #approval
            #private_tool
            #predictions
        }
    }
}

fn expand_invoke(tool: &ToolModel, agent: &TokenStream, private: &PrivatePath) -> TokenStream {
    let ident = &tool.function.sig.ident;
    if tool.side == ToolSide::Frontend {
        return quote! {
            fn invoke(
                self,
                _: &#private::InjectScope<'_, #agent>,
            ) -> impl ::core::future::Future<Output = <Self as #private::Tool>::Returns> + ::core::marker::Send {
                #private::pending()
            }
        };
    }
    let function = match &tool.host {
        ToolHost::Any => ident.to_token_stream(),
        ToolHost::Agent(_) => quote!(<#agent>::#ident),
    };
    let arguments = tool.parameters.iter().filter_map(|parameter| match parameter {
        ToolParameter::Argument(argument) => {
            let ident = &argument.ident;
            Some(quote!(self.#ident))
        }
        ToolParameter::Dependency(dependency) => Some(injected_value(dependency, agent, private)),
        ToolParameter::Receiver(_) => Some(quote!(scope.agent())),
        ToolParameter::Pattern(_) => None,
    });
    let call = quote_spanned!(at(ident)=> #function(#(#arguments),*));
    let (call, waits) = match &tool.streams {
        Some(item) => (stream::expand(&call, private, item), true),
        None => (call, tool.is_async()),
    };
    // The function's own future, and not one around it, which would be compiled once more for each tool.
    let future = match (waits, &tool.limits.timeout) {
        (true, Some(_)) => quote_spanned!(at(ident)=> #private::within::<_, Self, _>(scope, #call)),
        (true, None) => call,
        (false, _) => quote_spanned!(at(ident)=> ::core::future::ready(#call)),
    };
    // Spanned at the name: a future that is not `Send` is reported there.
    quote_spanned! {at(ident)=>
        #[allow(deprecated, clippy::manual_async_fn)]
        fn invoke(
            self,
            scope: &#private::InjectScope<'_, #agent>,
        ) -> impl ::core::future::Future<Output = <Self as #private::Tool>::Returns> + ::core::marker::Send {
            #future
        }
    }
}

/// The value that the agent provides.
fn injected_value(dependency: &Dependency, agent: &TokenStream, private: &PrivatePath) -> TokenStream {
    let ty = &dependency.reference.elem;
    // The agent with the span of the parameter, so that a value it cannot provide is reported there.
    let agent = respanned(agent.clone(), at(ty));
    if dependency.is_optional {
        quote!(<#agent as #private::InjectOption<#ty>>::inject_option(scope))
    } else {
        quote!(<#agent as #private::InjectValue<#ty>>::inject(scope))
    }
}

/// The approval policy, which borrows what the tool borrows.
fn expand_approval(tool: &ToolModel, agent: &TokenStream, private: &PrivatePath) -> TokenStream {
    let Some(policy) = tool.approval.as_ref().and_then(|approval| approval.policy.as_ref()) else {
        return TokenStream::new();
    };
    let decision = policy.expand(tool, |dependency| injected_value(dependency, agent, private), private);
    quote! {
        #[allow(unused_variables)]
        const APPROVAL: ::core::option::Option<#private::PolicyFn<#agent, Self>> =
            ::core::option::Option::Some(|arguments, scope| #decision);
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
