//! The expansions of `#[derive(Catalog)]` and `#[derive(SurfaceData)]`.

use quote::quote;

use super::{catalog, surface_data};

#[test]
fn catalogs() {
    catalog(
        "catalog_struct",
        quote!(
            #[doc = " The shop's components."]
            #[catalog(
                id = "https://shop.example/catalog.json",
                components = [Stack, parts::Label],
                functions = [CountItems -> u32, OpenCart],
                agent_functions = [QuotePrice -> Vec<String>],
            )]
            struct Shop;
        ),
    );
    catalog(
        "catalog_of_a_renamed_runtime",
        quote!(
            #[catalog(id = "https://shop.example/catalog.json", crate = crate::reexported)]
            enum Shop {}
        ),
    );
    catalog(
        "catalog_with_mistakes",
        quote!(
            #[catalog(components = [Stack, parts::Stack])]
            struct Shop<T>(T);
        ),
    );
}

#[test]
fn surface_data_structs() {
    surface_data(
        "surface_data_struct",
        quote!(
            #[serde(rename_all = "camelCase")]
            pub(crate) struct Order {
                cart_id: String,
                #[serde(rename = "a/b")]
                odd: Option<Line>,
                lines: Vec<Line>,
                #[serde(skip)]
                secret: Secret,
            }
        ),
    );
    surface_data(
        "surface_data_with_mistakes",
        quote!(
            struct Order(String);
        ),
    );
}
