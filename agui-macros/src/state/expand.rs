//! A checked state as Rust.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Generics, Ident, WhereClause, parse_quote};

use super::attr::KeyAttr;
use super::model::StateModel;
use crate::krate::Private;
use crate::spelling::at;

pub(super) fn expand(state: &StateModel<'_>, private: &Private) -> TokenStream {
    let ident = state.ident;
    let (impl_generics, type_generics, _) = state.generics.split_for_impl();
    let mut where_clause = supertraits_clause(ident, state.generics, private);
    if !state.generics.params.is_empty() {
        let bounds = state.compared_params().into_iter().map(|param| &param.ident);
        let bounds: Vec<_> = bounds.map(|param| parse_quote!(#param: #private::State)).collect();
        where_clause
            .get_or_insert_with(|| parse_quote!(where))
            .predicates
            .extend::<Vec<syn::WherePredicate>>(bounds);
    }
    // One call for each field, so that a field that is no state is underlined where it is written.
    let parts = state.compared().map(|field| {
        let ty = field.ty;
        quote_spanned!(at(ty)=> #private::part::<#ty>();)
    });
    let lists = state.fields.iter().filter_map(|field| match &field.key {
        Some(KeyAttr::Member(_)) => {
            let ty = field.ty;
            Some(quote_spanned!(at(ty)=> #private::list::<#ty>();))
        }
        Some(KeyAttr::This(_)) | None => None,
    });
    let map_key = expand_map_key(state, private);
    quote! {
        const _: () = {
            #[automatically_derived]
            impl #impl_generics #private::State for #ident #type_generics #where_clause {
                fn derived(_: #private::Derived) {
                    #(#parts)*
                    #(#lists)*
                }
            }
            #map_key
        };
    }
}

fn expand_map_key(state: &StateModel<'_>, private: &Private) -> Option<TokenStream> {
    let ident = state.ident;
    if !state.generics.params.is_empty() {
        return None;
    }
    let condition = match state.newtype_of() {
        Some(field) => {
            let ty = field.ty;
            // The unused lifetime makes it a condition: without one the compiler insists that it is met.
            quote!(where for<'__agui> #ty: #private::MapKey)
        }
        None if state.is_unit_enum() => TokenStream::new(),
        None => return None,
    };
    Some(quote! {
        #[automatically_derived]
        impl #private::MapKey for #ident #condition {
            fn derived(_: #private::Derived) {}
        }
    })
}

/// The where clause under which a generic type is what `State` builds on; a type without parameters simply is, or the
/// compiler says at its name that it is not.
pub(crate) fn supertraits_clause(
    ident: &Ident,
    generics: &Generics,
    private: &Private,
) -> Option<WhereClause> {
    let mut clause = generics.where_clause.clone();
    if generics.params.is_empty() {
        return clause;
    }
    let (_, type_generics, _) = generics.split_for_impl();
    clause.get_or_insert_with(|| parse_quote!(where)).predicates.push(parse_quote! {
        #ident #type_generics: #private::serde::Serialize
            + #private::serde::de::DeserializeOwned
            + #private::schemars::JsonSchema
            + ::core::clone::Clone
            + ::core::marker::Send
            + 'static
    });
    clause
}
