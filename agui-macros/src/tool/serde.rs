//! Serialize and Deserialize for tool arguments, without the derives, which are most compiler work for a tool.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::model::{Argument, ToolModel};
use crate::krate::PrivatePath;

/// Returns true if no argument has a serde attribute.
pub(super) fn is_plain(tool: &ToolModel) -> bool {
    tool.arguments().all(|argument| !argument.attrs.iter().any(|attr| attr.path().is_ident("serde")))
}

/// The impls. `clause` has the type bounds.
pub(super) fn expand(tool: &ToolModel, clause: &TokenStream, private: &PrivatePath) -> TokenStream {
    let ident = &tool.function.sig.ident;
    let strukt = ident.unraw().to_string();
    let expecting = format!("struct {strukt}");
    let arguments: Vec<&Argument> = tool.arguments().collect();
    let fields: Vec<_> = arguments.iter().map(|argument| &argument.ident).collect();
    let names: Vec<_> = fields.iter().map(|field| field.unraw().to_string()).collect();
    let values: Vec<_> = (0..fields.len()).map(|i| format_ident!("__agui_{i}")).collect();
    let (len, places) = (fields.len(), 0..fields.len());
    let serde = quote!(#private::serde);
    quote! {
        #[automatically_derived]
        impl #serde::Serialize for #ident where #clause {
            fn serialize<__S: #serde::Serializer>(
                &self,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                #[allow(unused_mut)]
                let mut members = #serde::Serializer::serialize_struct(serializer, #strukt, #len)?;
                #(#serde::ser::SerializeStruct::serialize_field(&mut members, #names, &self.#fields)?;)*
                #serde::ser::SerializeStruct::end(members)
            }
        }
        #[automatically_derived]
        impl #private::ReadMembers for #ident where #clause {
            const EXPECTING: &'static ::core::primitive::str = #expecting;

            fn read_members<'de, __M: #serde::de::MapAccess<'de>>(
                mut members: __M,
            ) -> ::core::result::Result<Self, __M::Error> {
                #(let mut #values = ::core::option::Option::None;)*
                while let ::core::option::Option::Some((place, name)) =
                    #private::next_known(&mut members, &[#(#names),*])?
                {
                    match place {
                        #(#places => #private::read_new(&mut #values, &mut members, name)?,)*
                        _ => {}
                    }
                }
                ::core::result::Result::Ok(Self {
                    #(#fields: #private::found_or_none(#values, #names)?),*
                })
            }
        }
        #[automatically_derived]
        impl<'de> #serde::Deserialize<'de> for #ident where #clause {
            fn deserialize<__D: #serde::Deserializer<'de>>(
                deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                #private::read_object(deserializer)
            }
        }
    }
}
