//! A catalog as data: the names on the wire, with the types.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{DeriveInput, Generics, Ident, LitStr, Path, Type, parse_quote};

use super::attr::{CatalogAttr, ListedFunction};
use crate::attr::{DocText, RenameRule};
use crate::case::snake;

pub(super) struct CatalogModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) generics: &'a Generics,
    pub(super) id: Option<LitStr>,
    /// True if the option was written, even wrongly.
    pub(super) has_id: bool,
    pub(super) description: String,
    pub(super) components: Vec<ComponentModel>,
    pub(super) functions: Vec<FunctionModel>,
}

pub(super) struct ComponentModel {
    pub(super) path: Path,
    pub(super) name: String,
    pub(super) span: Span,
}

pub(super) struct FunctionModel {
    pub(super) path: Path,
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) value: Type,
    /// True if the agent has the function.
    pub(super) is_agents: bool,
}

impl<'a> CatalogModel<'a> {
    pub(super) fn from_syn(attr: CatalogAttr, input: &'a DeriveInput) -> Self {
        let components = attr.components.into_iter().map(|path| {
            let (name, span) = last(&path);
            ComponentModel { path, name, span }
        });
        let renderers =
            attr.functions.into_iter().map(|function| FunctionModel::from_listed(function, false));
        let agents =
            attr.agent_functions.into_iter().map(|function| FunctionModel::from_listed(function, true));
        Self {
            ident: &input.ident,
            generics: &input.generics,
            id: attr.id,
            has_id: attr.has_id,
            description: DocText::from_attributes(&input.attrs).text,
            components: components.collect(),
            functions: renderers.chain(agents).collect(),
        }
    }
}

impl FunctionModel {
    fn from_listed(function: ListedFunction, is_agents: bool) -> Self {
        let (name, span) = last(&function.path);
        let value = function.value.unwrap_or_else(|| parse_quote!(()));
        Self { path: function.path, name: RenameRule::Camel.field(&snake(&name)), span, value, is_agents }
    }
}

fn last(path: &Path) -> (String, Span) {
    path.segments.last().map_or_else(
        || (String::new(), Span::call_site()),
        |segment| (segment.ident.unraw().to_string(), segment.ident.span()),
    )
}
