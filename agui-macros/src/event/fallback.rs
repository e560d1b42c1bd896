//! Code that remains after a mistake in a custom event: the user's own code, and impls that do nothing.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident};

use crate::krate::PrivatePath;

/// A custom event without a name.
pub(super) fn inert_event(ident: &Ident, generics: &Generics, private: &PrivatePath) -> TokenStream {
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
            #[automatically_derived]
            impl<__A: ?::core::marker::Sized> #private::EventListOf<__A> for #ident where for<'__agui> #ident: #private::EventOf<__A> {}
        };
    }
}
