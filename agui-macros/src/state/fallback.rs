//! Code that remains after a mistake in a state: the user's own code, and impls that do nothing.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident};

use super::expand::supertraits_clause;
use crate::krate::PrivatePath;

/// A state without field bounds.
pub(super) fn inert_state(ident: &Ident, generics: &Generics, private: &PrivatePath) -> TokenStream {
    let (impl_generics, type_generics, _) = generics.split_for_impl();
    let where_clause = supertraits_clause(ident, generics, private);
    quote! {
        const _: () = {
            #[diagnostic::do_not_recommend]
            impl #impl_generics #private::StateNode for #ident #type_generics #where_clause {}
        };
    }
}
