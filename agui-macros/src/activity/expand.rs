//! A checked activity as Rust.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::{ActivityModel, Name};
use crate::krate::Private;

pub(super) fn expand(activity: &ActivityModel<'_>, private: &Private) -> TokenStream {
    let ActivityModel { ident, description, .. } = activity;
    let name = match &activity.name {
        Name::Prefixed(name) => quote!(::core::concat!(::core::env!("CARGO_PKG_NAME"), ".", #name)),
        Name::Given { text, .. } => quote!(#text),
    };
    quote! {
        const _: () = {
            #[automatically_derived]
            impl #private::Activity for #ident
            where
                // The unused lifetime turns this into a condition: the impl of `State` alone reports what the type
                // lacks.
                for<'__agui> #ident: #private::State,
            {
                const TYPE: &'static ::core::primitive::str = #name;
                const DESCRIPTION: &'static ::core::primitive::str = #description;
                fn activity_derived(_: #private::DerivedActivity) {}
            }
            #[automatically_derived]
            impl<__A: ?::core::marker::Sized> #private::ActivityListOf<__A> for #ident where #ident: #private::ActivityOf<__A> {}
        };
    }
}
