//! A checked custom event as Rust.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{EventModel, EventName};
use crate::krate::PrivatePath;

pub(super) fn expand(event: &EventModel<'_>, private: &PrivatePath) -> TokenStream {
    let EventModel { ident, description, .. } = event;
    let name = match &event.name {
        EventName::Prefixed(name) => quote!(::core::concat!(::core::env!("CARGO_PKG_NAME"), ".", #name)),
        EventName::Given { text, .. } => quote!(#text),
    };
    quote! {
        const _: () = {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl #private::CustomEvent for #ident {
                const NAME: &'static ::core::primitive::str = #name;
                const DESCRIPTION: &'static ::core::primitive::str = #description;
            }
            #[automatically_derived]
            impl<__A: ?::core::marker::Sized> #private::EventListOf<__A> for #ident where for<'__agui> #ident: #private::EventOf<__A> {}
        };
    }
}
