//! Traits for list keys and map keys.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::attr::KeyAttr;
use super::super::model::{StateModel, StateShape};
use crate::krate::PrivatePath;

pub(super) fn expand(state: &StateModel<'_>, private: &PrivatePath) -> Option<TokenStream> {
    let StateShape::Struct(strukt) = &state.shape else { return None };
    let is_key = |key: &Option<KeyAttr>| matches!(key, Some(KeyAttr::This(_)));
    let field = strukt.body.fields.iter().find(|field| is_key(&field.key))?;
    let member = &field.member;
    let same = field.same(&quote!(&self.#member), &quote!(&now.#member), private);
    let token = field.token(&quote!(&self.#member), private);
    Some(quote! {
        const KEYED: ::core::primitive::bool = true;

        #[inline]
        fn key_same(&self, now: &Self) -> ::core::primitive::bool { #same }

        fn key_token(&self, token: &mut #private::engine::ValueToken) { #token }
    })
}

pub(super) fn expand_map_key(state: &StateModel<'_>, private: &PrivatePath) -> Option<TokenStream> {
    let ident = state.ident;
    if !state.generics.params.is_empty() {
        return None;
    }
    let (condition, body) = match state.inner() {
        Some(field) if field.is_compared() => {
            let ty = field.ty;
            let body = quote! {
                const EQUAL_WITH_OTHER_NAME: ::core::primitive::bool =
                    <#ty as #private::MapKey>::EQUAL_WITH_OTHER_NAME;
            };
            // The unused lifetime turns this into a condition: without it the compiler insists that the bound holds.
            (quote!(where for<'__agui> #ty: #private::MapKey), body)
        }
        Some(_) => return None,
        None if state.is_unit_enum() => (TokenStream::new(), TokenStream::new()),
        None => return None,
    };
    Some(quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #private::MapKey for #ident #condition { #body }
    })
}
