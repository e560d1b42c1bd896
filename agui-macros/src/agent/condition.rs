//! `#[cfg(..)]` before a list item: the agent is expanded both with and without the item, and the compiler keeps one expansion.
//!
//! An attribute macro sees unresolved conditions in the arguments. So the macro emits the macro call twice before the same item,
//! with and without the items under the first condition, each below a `#[cfg_attr(..)]`, which the compiler resolves. A left-out
//! item was never written: no other expansion part knows conditions.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::krate::PrivatePath;
use crate::spelling::same;

/// Returns the item below this macro twice, with and without the list items under a condition.
pub(super) fn expand(
    condition: &TokenStream,
    arguments: TokenStream,
    item: &TokenStream,
    private: &PrivatePath,
) -> TokenStream {
    let with = resolved(arguments.clone(), condition, true);
    let without = resolved(arguments, condition, false);
    quote! {
        #[cfg_attr(#condition, #private::agent(#with))]
        #[cfg_attr(not(#condition), #private::agent(#without))]
        #item
    }
}

/// The arguments with the condition resolved.
fn resolved(arguments: TokenStream, condition: &TokenStream, holds: bool) -> TokenStream {
    arguments
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(list) if list.delimiter() == Delimiter::Bracket => {
                let items =
                    items(list.stream()).into_iter().filter_map(|item| resolved_item(item, condition, holds));
                let mut resolved =
                    Group::new(Delimiter::Bracket, items.flat_map(|item| quote!(#item,)).collect());
                resolved.set_span(list.span());
                resolved.into()
            }
            tree => tree,
        })
        .collect()
}

/// One list item with the condition before resolved; `None` if the item is left out.
fn resolved_item(item: TokenStream, condition: &TokenStream, holds: bool) -> Option<TokenStream> {
    let mut kept = TokenStream::new();
    let mut trees = item.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let is_attribute = matches!(&tree, TokenTree::Punct(mark) if mark.as_char() == '#');
        if is_attribute
            && let Some(TokenTree::Group(attribute)) = trees.peek()
            && condition_of(attribute.stream()).is_some_and(|of_item| same(&of_item, condition))
        {
            if !holds {
                return None;
            }
            trees.next();
            continue;
        }
        kept.extend([tree]);
    }
    Some(kept)
}

/// The condition inside `#[cfg(condition)]`.
fn condition_of(attribute: TokenStream) -> Option<TokenStream> {
    match attribute.into_iter().collect::<Vec<_>>().as_slice() {
        [TokenTree::Ident(cfg), TokenTree::Group(condition)] if cfg == "cfg" => Some(condition.stream()),
        _ => None,
    }
}

/// List items, split at commas that are not between angle brackets.
fn items(list: TokenStream) -> Vec<TokenStream> {
    let mut items = vec![TokenStream::new()];
    let mut depth = 0_usize;
    for tree in list {
        match &tree {
            TokenTree::Punct(mark) if mark.as_char() == ',' && depth == 0 => {
                items.push(TokenStream::new());
                continue;
            }
            TokenTree::Punct(mark) if mark.as_char() == '<' => depth += 1,
            TokenTree::Punct(mark) if mark.as_char() == '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        items.last_mut().into_iter().for_each(|item| tree.to_tokens(item));
    }
    items.retain(|item| !item.is_empty());
    items
}
