//! A checked activity as Rust.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

use super::model::{ActivityModel, ActivityName};
use crate::krate::PrivatePath;
use crate::spelling::at;

pub(super) fn expand(activity: &ActivityModel<'_>, private: &PrivatePath) -> TokenStream {
    let ActivityModel { ident, description, .. } = activity;
    // serde alone writes an opaque type: whether that is an object is seen when a value is written.
    let is_object = (!activity.is_opaque).then(|| {
        let (written, span) = match activity.inner {
            Some(inner) => (inner.to_token_stream(), at(inner)),
            None => (ident.to_token_stream(), ident.span()),
        };
        quote_spanned!(span=> const _: () = #private::engine::members::written_as_object::<#written>();)
    });
    let name = match &activity.name {
        ActivityName::Prefixed(name) => quote!(::core::concat!(::core::env!("CARGO_PKG_NAME"), ".", #name)),
        ActivityName::Given { text, .. } => quote!(#text),
    };
    quote! {
        #is_object
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
            impl<__A: ?::core::marker::Sized> #private::ActivityListOf<__A> for #ident where for<'__agui> #ident: #private::ActivityOf<__A> {}
        };
    }
}
