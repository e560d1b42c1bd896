//! Tools that return a stream: `fn find(..) -> impl Stream<Item = Hit>`.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{
    AssocType, GenericArgument, Ident, PathArguments, Type, TypeImplTrait, TypeParamBound, parse_quote,
};

use super::model::{ToolModel, ToolSide};
use crate::krate::PrivatePath;
use crate::report::Report;
use crate::spelling::{at, two_generics_of};

/// Returns the item type in `impl Stream<Item = T>`. The trait is recognised by name, because no other type in the function says
/// what the items are.
pub(super) fn item_of(returns: &Type) -> Option<&Type> {
    let Type::ImplTrait(TypeImplTrait { bounds, .. }) = returns else { return None };
    bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last().filter(|segment| segment.ident == "Stream")?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::AssocType(AssocType { ident, ty, .. }) if ident == "Item" => Some(ty),
            _ => None,
        })
    })
}

/// Returns the gathered items' type: a list, or a `Result` with a list.
pub(super) fn gathered(item: &Type) -> Type {
    match two_generics_of(item, "Result") {
        Some((value, error)) => parse_quote!(::core::result::Result<::std::vec::Vec<#value>, #error>),
        None => parse_quote!(::std::vec::Vec<#item>),
    }
}

/// The future that gathers the items.
pub(super) fn expand(call: &TokenStream, private: &PrivatePath, item: &Type) -> TokenStream {
    let returns = gathered(item);
    quote_spanned!(at(item)=> #private::streamed::<_, Self, #returns, _>(scope, #call))
}

/// The gathered items' outcome, by item kind.
pub(super) fn expand_outcome(item: &Type, has_timeout: bool, private: &PrivatePath) -> TokenStream {
    let (returns, at) = (gathered(item), at(item));
    let outcome = Ident::new(if has_timeout { "gathered_timed" } else { "gathered" }, at);
    quote_spanned! {at=>
        #private::GatherItems::<#returns>::#outcome((&&&&#private::ReturnProbe::<#item>(::core::marker::PhantomData)).kind())
    }
}

pub(super) fn check(tool: &ToolModel, report: &Report) {
    let Some(item) = &tool.streams else { return };
    if tool.side == ToolSide::Frontend {
        report.error(item, "a frontend tool has one answer: write its type, without `impl Stream`");
    } else if let Some(asyncness) = &tool.function.sig.asyncness {
        report.error(
            asyncness,
            "a function that returns a stream does its work when the stream is read: leave out `async`",
        );
    }
}
