//! The serde attributes in typify's output.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Meta, Token};

/// The options from all `#[serde(..)]` attributes on one item.
pub(super) struct SerdeAttributes(Vec<Meta>);

impl SerdeAttributes {
    pub(super) fn from_attributes(attrs: &[Attribute]) -> Self {
        let options = attrs
            .iter()
            .filter(|attr| attr.path().is_ident("serde"))
            .filter_map(|attr| attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok());
        Self(options.flatten().collect())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|option| option.path().is_ident(name))
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.0.iter().find_map(|option| match option {
            Meta::NameValue(pair) if pair.path.is_ident(name) => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
    }

    /// Returns the JSON name for a field or a variant.
    pub(super) fn wire_name(&self, ident: Option<&Ident>) -> String {
        self.text("rename").unwrap_or_else(|| {
            let name = ident.map(Ident::to_string).unwrap_or_default();
            name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
        })
    }
}
