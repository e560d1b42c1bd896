//! Checked data as Rust: a type with a method for each path.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use super::model::{DataModel, FieldModel};
use crate::krate::PrivatePath;
use crate::spelling::at;

pub(super) fn expand(data: &DataModel<'_>, private: &PrivatePath) -> TokenStream {
    let DataModel { ident, vis, fields, .. } = data;
    let paths = format_ident!("{ident}Paths");
    let methods = fields.iter().flatten().map(|FieldModel { ident, ty, name, .. }| {
        // Spanned at the type, so that the compiler reports there a type without paths.
        let found = quote_spanned!(at(ty)=> <#ty as #private::SurfaceData>::Paths);
        let paths = quote_spanned!(at(ty)=> <#ty as #private::SurfaceData>::paths(self.0.member(#name)));
        let docs = format!("Returns the path to `{name}`.");
        quote! {
            #[doc = #docs]
            #[allow(dead_code, reason = "a surface shows the fields that it needs")]
            #vis fn #ident(&self) -> #found {
                #paths
            }
        }
    });
    let docs = format!("The paths into [`{ident}`].");
    quote! {
        #[doc = #docs]
        #[derive(::core::fmt::Debug, ::core::clone::Clone)]
        #vis struct #paths(#private::DataPath);

        #[automatically_derived]
        impl #paths {
            #(#methods)*
        }

        #[automatically_derived]
        impl #private::SurfaceData for #ident {
            type Paths = #paths;
            fn paths(at: #private::DataPath) -> #paths {
                #paths(at)
            }
        }
    }
}
