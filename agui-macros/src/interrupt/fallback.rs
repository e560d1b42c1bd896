//! Code that remains after a mistake in an interrupt: the user's own code, and impls that do nothing.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Type, parse_quote};

use crate::krate::PrivatePath;

/// An interrupt without a reason. It has no response either where that is not known.
pub(super) fn inert_interrupt(
    input: &DeriveInput,
    response: Option<&Type>,
    private: &PrivatePath,
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
