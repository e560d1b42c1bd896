//! Code that remains after a mistake in a catalog: the user's own code, and an impl that does nothing.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::CatalogModel;
use crate::krate::PrivatePath;

/// A catalog without components.
pub(super) fn inert_catalog(catalog: &CatalogModel<'_>, private: &PrivatePath) -> TokenStream {
    if !catalog.generics.params.is_empty() {
        return TokenStream::new();
    }
    let ident = catalog.ident;
    quote! {
        const _: () = {
            impl #private::Catalog for #ident {
                const ID: &'static ::core::primitive::str = "";
                fn definition() -> #private::ComponentCatalog {
                    #private::catalog(Self::ID, [])
                }
                fn source() -> #private::CatalogSource { loop {} }
            }
        };
    }
}
