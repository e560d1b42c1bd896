//! A checked interrupt as Rust.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::attr::InterruptAttr;
use super::model::InterruptModel;
use crate::krate::PrivatePath;
use crate::spelling::at;

pub(super) fn expand(interrupt: &InterruptModel<'_>, private: &PrivatePath) -> TokenStream {
    let InterruptModel { ident, attr, description, .. } = interrupt;
    let InterruptAttr { reason, message, response, .. } = attr;
    let message = match message {
        Some(message) => quote!(::core::option::Option::Some(#message)),
        None => quote!(::core::option::Option::None),
    };
    // Spanned at the type, so that the compiler reports there a type that cannot be read.
    let response = quote_spanned!(at(response)=> type Response = #response;);
    quote! {
        const _: () = {
            #[automatically_derived]
            impl #private::Interrupt for #ident {
                const REASON: &'static ::core::primitive::str = #reason;
                const MESSAGE: ::core::option::Option<&'static ::core::primitive::str> = #message;
                const DESCRIPTION: &'static ::core::primitive::str = #description;
                #response
            }
        };
    }
}
