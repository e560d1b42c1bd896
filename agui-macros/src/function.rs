//! A function whose body is not parsed, so that a half-typed body keeps the help of the editor.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Signature, Token, Visibility, token};

/// A function, or the declaration of one.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: Body,
}

#[derive(Clone)]
pub(crate) enum Body {
    Block(Group),
    /// `fn name();`
    Missing(Token![;]),
}

impl Function {
    /// Returns true if a function comes next; attributes and visibility may stand before it.
    pub(crate) fn comes_next(input: ParseStream<'_>) -> bool {
        let ahead = input.fork();
        let prefix = ahead.call(Attribute::parse_outer).and_then(|_| ahead.parse::<Visibility>());
        if prefix.is_err() {
            return false;
        }
        // `const fn` is a function, `const NAME` is not.
        while ahead.peek(Token![const]) || ahead.peek(Token![async]) || ahead.peek(Token![unsafe]) {
            if ahead.parse::<proc_macro2::TokenTree>().is_err() {
                return false;
            }
        }
        ahead.peek(Token![fn]) || ahead.peek(Token![extern])
    }

    /// The function's `#[cfg]` attributes, for items beside the function.
    pub(crate) fn cfgs(&self) -> impl Iterator<Item = &Attribute> {
        self.attrs.iter().filter(|attr| is_cfg(attr))
    }

    /// Removes the body after a mistake that the compiler would report once more in it.
    pub(crate) fn remove_body(&mut self) {
        self.body = Body::Block(Group::new(Delimiter::Brace, quote!(loop {})));
        self.attrs.push(syn::parse_quote!(#[allow(unused)]));
    }

    /// The span to underline when a message is about the whole function: the name.
    pub(crate) fn name_span(&self) -> Span {
        self.sig.ident.span()
    }
}

pub(crate) fn is_cfg(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig = input.parse()?;
        let body = if input.peek(token::Brace) {
            Body::Block(input.parse()?)
        } else {
            Body::Missing(input.parse().map_err(|error| {
                syn::Error::new(error.span(), "expected the function's body, or `;` where it has none")
            })?)
        };
        Ok(Self { attrs, vis, sig, body })
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, vis, sig, body } = self;
        tokens.extend(quote!(#(#attrs)* #vis #sig #body));
    }
}

impl ToTokens for Body {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Block(block) => block.to_tokens(tokens),
            Self::Missing(semi) => semi.to_tokens(tokens),
        }
    }
}
