//! Readers for key values: flags, texts, paths and lists.

use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, Lit, LitStr, Meta, Path, Token, bracketed};

/// A key without a value, and the location where the key was written.
#[derive(Clone, Copy)]
pub(crate) struct AttributeFlag(pub(crate) Span);

/// A key with a wrong value still counts as written, so that no second error reports a missing key.
pub(crate) fn flag(flag: &mut Option<AttributeFlag>, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
    *flag = Some(AttributeFlag(key.span()));
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    Err(input.error(format_args!("`{key}` takes no value: write just `{key}`")))
}

/// A flag that may also be turned off: `destructive`, or `destructive = false`.
#[derive(Clone, Copy)]
pub(crate) struct AttributeSwitch {
    pub(crate) span: Span,
    pub(crate) is_on: bool,
}

impl AttributeSwitch {
    /// As with a [`flag`], a key with a wrong value still counts as written.
    pub(crate) fn read(switch: &mut Option<Self>, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        *switch = Some(Self { span: key.span(), is_on: true });
        if input.is_empty() || input.peek(Token![,]) {
            return Ok(());
        }
        let wanted = format!("`{key}` takes `true`, `false` or no value: write `{key}` or `{key} = false`");
        let lit = literal(key, input, &wanted)?;
        match lit {
            Lit::Bool(value) => *switch = Some(Self { span: key.span(), is_on: value.value }),
            other => return Err(syn::Error::new(other.span(), wanted)),
        }
        Ok(())
    }
}

/// Any literal; `wanted` says which.
pub(crate) fn literal(key: &Ident, input: ParseStream<'_>, wanted: &str) -> syn::Result<Lit> {
    equals(key, input, wanted)?;
    input.parse().map_err(|error| syn::Error::new(error.span(), wanted))
}

pub(crate) fn text(key: &Ident, input: ParseStream<'_>) -> syn::Result<LitStr> {
    let wanted = format!("`{key}` takes a string: write `{key} = \"…\"`");
    equals(key, input, &wanted)?;
    match input.parse()? {
        Lit::Str(value) => Ok(value),
        other => Err(syn::Error::new(other.span(), wanted)),
    }
}

/// A path or, where `T` says so, any other syntax.
pub(crate) fn path<T: Parse>(key: &Ident, input: ParseStream<'_>) -> syn::Result<T> {
    let wanted = format!("`{key}` takes a path: write `{key} = some::path`, without quotes");
    equals(key, input, &wanted)?;
    if let Ok(text) = input.fork().parse::<Lit>() {
        return Err(syn::Error::new(text.span(), wanted));
    }
    input.parse()
}

/// A list with paths. Conditions in `#[cfg(condition)]` before an item are added to the others.
pub(crate) fn list(
    key: &Ident,
    input: ParseStream<'_>,
    conditions: &mut Vec<TokenStream>,
) -> syn::Result<Vec<Path>> {
    let wanted = format!("`{key}` takes a list: write `{key} = [one, two]`");
    equals(key, input, &wanted)?;
    if !input.peek(syn::token::Bracket) {
        let place = input.parse::<proc_macro2::TokenTree>().map_or_else(|_| key.span(), |tree| tree.span());
        return Err(syn::Error::new(place, wanted));
    }
    let content;
    bracketed!(content in input);
    let mut item = |input: ParseStream<'_>| {
        for attribute in input.call(Attribute::parse_outer)? {
            match attribute.meta {
                Meta::List(cfg) if cfg.path.is_ident("cfg") => conditions.push(cfg.tokens),
                other => {
                    return Err(syn::Error::new_spanned(
                        other,
                        "only `#[cfg(..)]` may stand before an item of a list: leave this attribute out",
                    ));
                }
            }
        }
        input.parse()
    };
    let mut items = Vec::new();
    while !content.is_empty() {
        match item(&content) {
            Ok(read) => items.push(read),
            Err(error) => {
                // The rest of the list is not a second mistake.
                content.parse::<TokenStream>()?;
                return Err(error);
            }
        }
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(items)
}

fn equals(key: &Ident, input: ParseStream<'_>, wanted: &str) -> syn::Result<()> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(key.span(), wanted));
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(syn::Error::new(key.span(), wanted));
    }
    Ok(())
}
