//! `#[request]` on a parameter: a value that comes with each run's request.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Attribute, FnArg, Index, Meta, Type, TypeReference};

use crate::spelling::{at, generic_of};

pub(crate) fn is_request(attr: &Attribute) -> bool {
    attr.path().is_ident("request")
}

/// Returns true if the attribute has arguments.
pub(crate) fn has_arguments(attr: &Attribute) -> bool {
    !matches!(attr.meta, Meta::Path(_))
}

/// Takes the attribute off a parameter, because the compiler would look for a macro with that name.
pub(crate) fn take(input: &mut FnArg) -> Vec<Attribute> {
    let attrs = match input {
        FnArg::Receiver(receiver) => &mut receiver.attrs,
        FnArg::Typed(typed) => &mut typed.attrs,
    };
    attrs.extract_if(.., |attr| is_request(attr)).collect()
}

/// The reference in `Option<&Customer>`.
pub(crate) fn optional(ty: &Type) -> Option<&TypeReference> {
    match generic_of(ty, "Option")? {
        Type::Reference(reference) => Some(reference),
        _ => None,
    }
}

/// The type that an agent takes from the request: nested pairs of values, because there may be any number.
pub(crate) fn expand_type<'a>(mut values: impl DoubleEndedIterator<Item = (&'a Type, bool)>) -> TokenStream {
    let one = |(ty, is_optional): (&Type, bool)| {
        let shared = quote_spanned!(at(ty)=> ::std::sync::Arc<#ty>);
        if is_optional { quote_spanned!(at(ty)=> ::core::option::Option<#shared>) } else { shared }
    };
    let Some(last) = values.next_back() else { return quote!(()) };
    values.rfold(one(last), |rest, value| {
        let value = one(value);
        quote!((#value, #rest))
    })
}

/// The place in that type for value `number` among `count` values.
pub(crate) fn expand_place(base: TokenStream, number: usize, count: usize) -> TokenStream {
    let (first, second) = (Index::from(0), Index::from(1));
    let mut place = (0..number).fold(base, |place, _| quote!(#place.#second));
    if number + 1 < count {
        place = quote!(#place.#first);
    }
    place
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn each_value_has_its_place_in_the_pairs() {
        let types: [Type; 3] = [parse_quote!(A), parse_quote!(B), parse_quote!(C)];
        let of = |count: usize| expand_type(types.iter().take(count).map(|ty| (ty, false))).to_string();
        let place = |number, count| expand_place(quote!(all), number, count).to_string().replace(' ', "");
        assert_eq!(of(0), "()");
        assert!(!of(1).contains('('), "{}", of(1));
        assert_eq!(place(0, 1), "all");
        assert_eq!([place(0, 2), place(1, 2)], ["all.0", "all.1"]);
        assert_eq!([place(0, 3), place(1, 3), place(2, 3)], ["all.0", "all.1.0", "all.1.1"]);
        assert!(of(3).replace(' ', "").ends_with("(::std::sync::Arc<B>,::std::sync::Arc<C>))"), "{}", of(3));
    }
}
