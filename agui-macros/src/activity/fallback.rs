//! Code that remains after a mistake in an activity: the user's own code, and impls that do nothing.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::krate::PrivatePath;

/// An unnamed activity for a type that is a state.
pub(super) fn inert_activity(input: &DeriveInput, private: &PrivatePath) -> TokenStream {
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
                const DESCRIPTION: &'static ::core::primitive::str = "";
                fn activity_derived(_: #private::DerivedActivity) {}
            }
            #[automatically_derived]
            impl<__A: ?::core::marker::Sized> #private::ActivityListOf<__A> for #ident where for<'__agui> #ident: #private::ActivityOf<__A> {}
        };
    }
}
