//! A checked catalog as Rust.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use super::model::{CatalogModel, ComponentModel, FunctionModel};
use crate::krate::PrivatePath;

pub(super) fn expand(catalog: &CatalogModel<'_>, private: &PrivatePath) -> TokenStream {
    let CatalogModel { ident, id, description, components, functions, .. } = catalog;
    let component_items =
        components.iter().map(|ComponentModel { path, .. }| quote!(#private::component::<#ident, #path>()));
    let function_items = functions.iter().map(|FunctionModel { path, is_agents, .. }| {
        if *is_agents {
            quote!(#private::agent_function::<#ident, #path>())
        } else {
            quote!(#private::function::<#ident, #path>())
        }
    });
    let items = component_items.chain(function_items);
    let component_sources = components
        .iter()
        .map(|ComponentModel { path, .. }| quote!(#private::component_source::<#ident, #path>()));
    let function_sources = functions.iter().map(|FunctionModel { path, is_agents, .. }| {
        let side = if *is_agents { quote!(Backend) } else { quote!(Frontend) };
        quote!(#private::function_source::<#ident, #path>(#private::ToolSide::#side))
    });
    let name = ident.unraw().to_string();
    let listed = listed(catalog, private);
    quote! {
        const _: () = {
            #[automatically_derived]
            impl #private::Catalog for #ident {
                const ID: &'static ::core::primitive::str = #id;
                fn definition() -> #private::ComponentCatalog {
                    #private::catalog(Self::ID, [#(#items),*])
                }
                fn source() -> #private::CatalogSource {
                    #private::CatalogSource {
                        id: Self::ID,
                        name: #name,
                        description: #description,
                        components: ::std::vec![#(#component_sources),*],
                        functions: ::std::vec![#(#function_sources),*],
                    }
                }
            }
            #listed
        };
    }
}

/// The impls by which the compiler knows the catalog's components and functions.
pub(super) fn listed(catalog: &CatalogModel<'_>, private: &PrivatePath) -> TokenStream {
    let ident = catalog.ident;
    let components = catalog.components.iter().map(|ComponentModel { path, name, .. }| {
        quote! {
            #[automatically_derived]
            impl #private::CatalogComponent<#ident> for #path {
                const NAME: &'static ::core::primitive::str = #name;
            }
        }
    });
    let functions = catalog.functions.iter().map(|FunctionModel { path, name, value, is_agents, .. }| {
        let agents = is_agents.then(|| {
            quote! {
                #[automatically_derived]
                impl #private::AgentFunction<#ident> for #path {}
            }
        });
        quote! {
            #[automatically_derived]
            impl #private::CatalogFunction<#ident> for #path {
                const NAME: &'static ::core::primitive::str = #name;
                type Value = #value;
            }
            #agents
        }
    });
    quote!(#(#components)* #(#functions)*)
}
