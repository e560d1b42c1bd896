//! Options for `#[catalog(…)]`.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{DeriveInput, Ident, LitStr, Path, Token, Type, bracketed};

use crate::attr::{KeyRow, KeyTable, inner_attrs, path, text};
use crate::report::Report;

#[derive(Default)]
pub(super) struct CatalogAttr {
    pub(super) id: Option<LitStr>,
    /// True if the option was written, even wrongly.
    pub(super) has_id: bool,
    pub(super) components: Vec<Path>,
    pub(super) functions: Vec<ListedFunction>,
    pub(super) agent_functions: Vec<ListedFunction>,
    pub(super) krate: Option<Path>,
}

/// A function's type, and the type of its value: `CountItems -> u32`.
pub(super) struct ListedFunction {
    pub(super) path: Path,
    pub(super) value: Option<Type>,
}

impl Parse for ListedFunction {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let path = input.parse()?;
        let value = if input.parse::<Option<Token![->]>>()?.is_some() { Some(input.parse()?) } else { None };
        Ok(Self { path, value })
    }
}

const TYPE: &str = "the type";

const KEYS: KeyTable<CatalogAttr> = KeyTable {
    attribute: "#[catalog]",
    rows: &[
        KeyRow {
            name: "id",
            place: TYPE,
            read: |catalog, key, input| {
                catalog.has_id = true;
                catalog.id = Some(text(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "components",
            place: TYPE,
            read: |catalog, key, input| {
                catalog.components = items(key, input, "[One, Two]")?;
                Ok(())
            },
        },
        KeyRow {
            name: "functions",
            place: TYPE,
            read: |catalog, key, input| {
                catalog.functions = items(key, input, "[One, Two -> bool]")?;
                Ok(())
            },
        },
        KeyRow {
            name: "agent_functions",
            place: TYPE,
            read: |catalog, key, input| {
                catalog.agent_functions = items(key, input, "[One, Two -> bool]")?;
                Ok(())
            },
        },
        KeyRow {
            name: "crate",
            place: TYPE,
            read: |catalog, key, input| {
                catalog.krate = Some(path(key, input)?);
                Ok(())
            },
        },
    ],
};

fn items<T: Parse>(key: &Ident, input: ParseStream<'_>, example: &str) -> syn::Result<Vec<T>> {
    let wanted = format!("`{key}` takes a list: write `{key} = {example}`");
    if input.parse::<Option<Token![=]>>()?.is_none() {
        return Err(syn::Error::new(key.span(), wanted));
    }
    if !input.peek(syn::token::Bracket) {
        let place = input.parse::<proc_macro2::TokenTree>().map_or_else(|_| key.span(), |tree| tree.span());
        return Err(syn::Error::new(place, wanted));
    }
    let content;
    bracketed!(content in input);
    match Punctuated::<T, Token![,]>::parse_terminated(&content) {
        Ok(items) => Ok(items.into_iter().collect()),
        Err(error) => {
            // The rest of the list is not a second mistake.
            content.parse::<proc_macro2::TokenStream>()?;
            Err(error)
        }
    }
}

pub(super) fn read(input: &DeriveInput, report: &Report) -> CatalogAttr {
    for attrs in inner_attrs(&input.data) {
        KEYS.read_helper("catalog", "", attrs, report);
    }
    KEYS.read_helper("catalog", TYPE, &input.attrs, report)
}
