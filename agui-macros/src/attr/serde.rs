//! serde and schemars attributes that change a type's wire form.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta, MetaNameValue};

/// One option in `#[serde(…)]` or `#[schemars(…)]`, with its tokens for the error that names the option.
#[derive(Clone)]
pub(crate) struct SerdeKey {
    pub(crate) name: String,
    pub(crate) tokens: TokenStream,
}

impl ToTokens for SerdeKey {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

/// Options from both attributes at one place. The attributes' own macros check combinations.
#[derive(Clone, Default)]
pub(crate) struct SerdeAttrs {
    serde: Vec<SerdeKey>,
    schemars: Vec<SerdeKey>,
}

impl SerdeAttrs {
    pub(crate) fn from_attributes(attrs: &[Attribute]) -> Self {
        Self { serde: keys(attrs, "serde"), schemars: keys(attrs, "schemars") }
    }

    pub(crate) fn serde(&self, names: &[&str]) -> Option<&SerdeKey> {
        self.serde.iter().find(|key| names.contains(&key.name.as_str()))
    }

    pub(crate) fn schemars(&self, names: &[&str]) -> Option<&SerdeKey> {
        self.schemars.iter().find(|key| names.contains(&key.name.as_str()))
    }

    /// Returns the option by which serde writes or reads a field in a way that schemars does not see.
    pub(crate) fn unseen_by_schemars(&self) -> Option<&SerdeKey> {
        self.untold(&["serialize_with", "deserialize_with"])
    }

    /// `with` as a module path: schemars takes the path for a type.
    pub(crate) fn with_module(&self) -> Option<&SerdeKey> {
        self.untold(&["with"]).filter(|key| key.names_a_module())
    }

    fn untold(&self, names: &[&str]) -> Option<&SerdeKey> {
        let custom = self.serde(names)?;
        self.schemars(&["with", "schema_with"]).is_none().then_some(custom)
    }
}

impl SerdeKey {
    /// The text after the `=`; the text for writing, where reading and writing differ.
    pub(crate) fn text(&self) -> Option<LitStr> {
        match syn::parse2::<Meta>(self.tokens.clone()).ok()? {
            Meta::NameValue(pair) => literal(&pair.value),
            Meta::List(list) => side(list.tokens, "serialize"),
            Meta::Path(_) => None,
        }
    }

    /// The texts for reading and for writing, where they differ.
    pub(crate) fn both_sides(&self) -> Option<(Option<LitStr>, Option<LitStr>)> {
        match syn::parse2::<Meta>(self.tokens.clone()).ok()? {
            Meta::List(list) => {
                Some((side(list.tokens.clone(), "deserialize"), side(list.tokens, "serialize")))
            }
            Meta::NameValue(_) | Meta::Path(_) => None,
        }
    }

    /// Type names are in upper case, except for the primitive types, which have no functions for serde to call.
    fn names_a_module(&self) -> bool {
        let Ok(pair) = syn::parse2::<MetaNameValue>(self.tokens.clone()) else { return false };
        let Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) = pair.value else { return false };
        let path = path.value();
        let last = path.rsplit("::").next().unwrap_or_default();
        last.starts_with(|letter: char| letter.is_lowercase() || letter == '_')
    }
}

fn side(tokens: TokenStream, name: &str) -> Option<LitStr> {
    split(tokens).iter().find(|key| key.name == name)?.text()
}

fn literal(value: &Expr) -> Option<LitStr> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.clone()),
        Expr::Group(group) => literal(&group.expr),
        _ => None,
    }
}

fn keys(attrs: &[Attribute], name: &str) -> Vec<SerdeKey> {
    let mut keys = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        if let Meta::List(list) = &attr.meta {
            keys.extend(split(list.tokens.clone()));
        }
    }
    keys
}

/// Splits at commas and reads the first word only: schemars' values are expressions, and schemars reports the mistakes
/// in them.
fn split(tokens: TokenStream) -> Vec<SerdeKey> {
    let mut parts = vec![TokenStream::new()];
    for tree in tokens {
        match &tree {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            _ => parts.last_mut().into_iter().for_each(|part| part.extend([tree.clone()])),
        }
    }
    parts.into_iter().filter_map(|part| Some(SerdeKey { name: first_word(&part)?, tokens: part })).collect()
}

fn first_word(tokens: &TokenStream) -> Option<String> {
    match tokens.clone().into_iter().next()? {
        TokenTree::Ident(ident) => Some(Ident::to_string(&ident)),
        _ => None,
    }
}
