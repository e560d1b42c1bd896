//! An impl block whose methods may have no body: `#[tool(frontend)] fn confirm(total: Euro) -> bool;`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Generics, ImplItem, Token, Type, braced, token};

use crate::function::Function;

pub(super) struct AgentBlock {
    pub(super) attrs: Vec<Attribute>,
    pub(super) generics: Generics,
    /// The `for` of an impl of a trait.
    pub(super) for_token: Option<Token![for]>,
    pub(super) self_ty: Type,
    pub(super) brace: token::Brace,
    pub(super) items: Vec<BlockItem>,
    /// Everything before the braces, as written.
    pub(super) head: TokenStream,
}

#[expect(clippy::large_enum_variant, reason = "almost all of them are functions")]
pub(super) enum BlockItem {
    Function(Function),
    Other(ImplItem),
}

impl AgentBlock {
    pub(super) fn comes_next(input: ParseStream<'_>) -> bool {
        let ahead = input.fork();
        ahead.call(Attribute::parse_outer).is_ok() && ahead.peek(Token![impl])
    }
}

impl Parse for AgentBlock {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let head = head(&input.fork())?;
        input.parse::<Token![impl]>()?;
        let mut generics: Generics = if input.peek(Token![<]) { input.parse()? } else { Generics::default() };
        let mut self_ty = input.parse()?;
        let for_token: Option<Token![for]> = input.parse()?;
        if for_token.is_some() {
            self_ty = input.parse()?;
        }
        generics.where_clause = input.parse()?;
        let content;
        let brace = braced!(content in input);
        let mut items = Vec::new();
        while !content.is_empty() {
            items.push(if Function::comes_next(&content) {
                BlockItem::Function(content.parse()?)
            } else {
                BlockItem::Other(content.parse()?)
            });
        }
        Ok(Self { attrs, generics, for_token, self_ty, brace, items, head })
    }
}

fn head(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut head = TokenStream::new();
    while !input.is_empty() && !input.peek(token::Brace) {
        input.parse::<proc_macro2::TokenTree>()?.to_tokens(&mut head);
    }
    Ok(head)
}

impl ToTokens for BlockItem {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Function(function) => function.to_tokens(tokens),
            Self::Other(item) => item.to_tokens(tokens),
        }
    }
}

impl ToTokens for AgentBlock {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, head, items, .. } = self;
        tokens.extend(quote!(#(#attrs)* #head));
        self.brace.surround(tokens, |inside| inside.extend(quote!(#(#items)*)));
    }
}
