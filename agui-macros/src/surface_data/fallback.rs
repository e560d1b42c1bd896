//! Code that remains after a mistake in data: the user's own code, and an impl without paths.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::DataModel;
use crate::krate::PrivatePath;

pub(super) fn inert_data(data: &DataModel<'_>, private: &PrivatePath) -> TokenStream {
    if !data.generics.params.is_empty() {
        return TokenStream::new();
    }
    let ident = data.ident;
    quote! {
        const _: () = {
            impl #private::SurfaceData for #ident {
                type Paths = ();
                fn paths(_: #private::DataPath) {}
            }
        };
    }
}
