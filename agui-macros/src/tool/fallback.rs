//! Code that remains after a mistake in a tool: the user's own code, and impls that do nothing.
//!
//! The program does not compile anyway. The impls prevent further errors wherever the item is used, so that only the reported
//! mistake shows.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, Type, parse_quote};

use super::check::{error_that_cannot_move, owned_form};
use super::expand::returned;
use super::model::{ToolModel, ToolParameter, ToolSide};
use crate::function::{Body, Function};
use crate::krate::PrivatePath;
use crate::spelling::{borrowed, impl_trait};

/// The function as far as it can compile, and a tool that cannot run.
pub(super) fn inert_tool(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let function = inert_function(tool);
    let is_method = tool.parameters.iter().any(|parameter| matches!(parameter, ToolParameter::Receiver(_)));
    if is_method {
        return function;
    }
    let strukt = inert_arguments(tool, private);
    quote!(#function #strukt)
}

/// The function, with a body removed or added as the tool kind requires.
fn inert_function(tool: &ToolModel) -> TokenStream {
    match (tool.side, tool.has_body()) {
        (ToolSide::Frontend, _) => TokenStream::new(),
        (ToolSide::Backend, true) => tool.function.to_token_stream(),
        (ToolSide::Backend, false) => {
            let function = Function { body: Body::Block(parse_quote!({ loop {} })), ..tool.function.clone() };
            quote!(#[allow(unused_variables)] #function)
        }
    }
}

/// A struct with the fields that the user expects, and the tool impls.
pub(crate) fn inert_arguments(tool: &ToolModel, private: &PrivatePath) -> TokenStream {
    let (vis, ident) = (&tool.function.vis, &tool.function.sig.ident);
    let fields = tool.parameters.iter().filter_map(inert_field).map(|(ident, ty)| quote!(#vis #ident: #ty));
    let returns = match &tool.returns {
        ty if borrowed(ty).is_some() || impl_trait(ty).is_some() => quote!(()),
        ty if error_that_cannot_move(ty).is_some() => quote!(()),
        _ => returned(tool, private),
    };
    let side = match tool.side {
        ToolSide::Backend if tool.private.is_some() => quote!(PrivateSide),
        ToolSide::Backend => quote!(BackendSide),
        ToolSide::Frontend => quote!(FrontendSide),
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
                fn outcome() -> #private::ReturnConversion<Self::Returns> { loop {} }
            }
            impl<__AguiAgent: #private::Agent> #private::InvokeTool<__AguiAgent> for #ident {
                async fn invoke(self, _: &#private::InjectScope<'_, __AguiAgent>) -> #returns { loop {} }
            }
        };
    }
}

fn inert_field(parameter: &ToolParameter) -> Option<(Ident, Type)> {
    match parameter {
        ToolParameter::Argument(argument) => {
            let usable = borrowed(&argument.ty).is_none() && impl_trait(&argument.ty).is_none();
            Some((argument.ident.clone(), if usable { argument.ty.clone() } else { parse_quote!(()) }))
        }
        // The user meant an argument: this is the field that the corrected type will have.
        ToolParameter::Dependency(dependency) => {
            let owned = owned_form(dependency)?;
            Some((dependency.name.clone()?, syn::parse_str(&owned).ok()?))
        }
        ToolParameter::Receiver(_) | ToolParameter::Pattern(_) => None,
    }
}

/// A type that claims a JSON form without field bounds.
fn inert_description(ident: &Ident, private: &PrivatePath) -> TokenStream {
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
