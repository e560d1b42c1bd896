//! Type properties that show in the spelling, because a macro sees nothing else.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Ident, PathArguments, Type, TypeParamBound, TypePath, TypeTraitObject};

use crate::walk::{TypePart, walk};

/// The span at which the compiler reports errors in generated code: the tokens' span. Only the location is taken: names resolve as
/// in the rest of the expansion, also where a `macro_rules!` wrote some tokens.
pub(crate) fn at(tokens: &impl Spanned) -> Span {
    Span::call_site().located_at(tokens.span())
}

/// The tokens, all of them reported at one place.
pub(crate) fn located(tokens: TokenStream, span: Span) -> TokenStream {
    let at_span = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    tokens.into_iter().map(at_span).collect()
}

/// The expression, reported at one place: its brackets and punctuation are there. Its names are not, because an editor that
/// is asked about the tokens of that place would be led to what they name.
pub(crate) fn framed(tokens: TokenStream, span: Span) -> TokenStream {
    let at_span = |mut token: TokenTree| {
        if !matches!(token, TokenTree::Ident(_)) {
            token.set_span(span);
        }
        token
    };
    tokens.into_iter().map(at_span).collect()
}

/// The type itself, without the invisible brackets of a `macro_rules!` fragment, and without visible ones.
pub(crate) fn peeled(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            ty => return ty,
        };
    }
}

/// Returns true if two items have the same tokens.
pub(crate) fn same(one: &impl ToTokens, other: &impl ToTokens) -> bool {
    one.to_token_stream().to_string() == other.to_token_stream().to_string()
}

/// Syntax as a person would write it, for messages that quote it.
pub(crate) fn spelled(syntax: &impl ToTokens) -> String {
    let text = syntax.to_token_stream().to_string();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut spelled = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let between_words = spelled.ends_with(|before| is_word(before) || before == ',')
            && letters.peek().copied().is_some_and(is_word);
        if letter != ' ' || between_words {
            spelled.push(letter);
        }
    }
    spelled
}

/// The location where a type borrows: the lifetime or the `&`. `fn(&str)` and `Fn(&str)` borrow nothing themselves.
pub(crate) fn borrowed(ty: &Type) -> Option<Span> {
    let mut found = None;
    walk(&mut ty.clone(), &mut |part| {
        let borrow = match part {
            TypePart::Signature => return false,
            TypePart::Lifetime(lifetime) if lifetime.ident != "static" => lifetime.span(),
            TypePart::Type(Type::Reference(reference)) if reference.lifetime.is_none() => reference.span(),
            TypePart::Lifetime(_) | TypePart::Type(_) => return true,
        };
        found.get_or_insert(borrow);
        false
    });
    found
}

/// The first `impl Trait` in a type.
pub(crate) fn impl_trait(ty: &Type) -> Option<Span> {
    let mut found = None;
    walk(&mut ty.clone(), &mut |part| {
        if let TypePart::Type(Type::ImplTrait(ty)) = part {
            found.get_or_insert(ty.span());
        }
        found.is_none()
    });
    found
}

/// Replaces `Self` by the named type, for code that moves out of an impl block.
pub(crate) fn replace_self(ty: &mut Type, self_is: &Type) {
    walk(ty, &mut |part| match part {
        TypePart::Type(ty) if is_self(ty) => {
            *ty = self_is.clone();
            false
        }
        _ => true,
    });
}

fn is_self(ty: &Type) -> bool {
    matches!(ty, Type::Path(TypePath { qself: None, path, .. }) if path.is_ident("Self"))
}

/// Replaces every lifetime by `'static`, for types whose parts alone matter.
pub(crate) fn make_static(ty: &mut Type) {
    walk(ty, &mut |part| {
        if let TypePart::Lifetime(lifetime) = part {
            lifetime.ident = Ident::new("static", lifetime.ident.span());
        }
        true
    });
}

/// Types inside a type that are not known by name: `Ingredient` for `Vec<Option<Ingredient>>`. Known are standard library types
/// that have a JSON form and a schema if their arguments have.
pub(crate) fn parts(ty: &Type) -> Vec<&Type> {
    const SCALARS: [&str; 17] = [
        "bool", "char", "String", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
        "i128", "isize", "f32", "f64",
    ];
    const CONTAINERS: [&str; 4] = ["Option", "Vec", "VecDeque", "Box"];
    let Type::Path(TypePath { qself: None, path, .. }) = peeled(ty) else { return vec![ty] };
    let Some(last) = path.segments.last() else { return vec![ty] };
    match &last.arguments {
        PathArguments::None if SCALARS.iter().any(|known| last.ident == known) => Vec::new(),
        PathArguments::AngleBracketed(arguments) if CONTAINERS.iter().any(|known| last.ident == known) => {
            let inner = arguments.args.iter().map(|argument| match argument {
                syn::GenericArgument::Type(inner) => Some(inner),
                _ => None,
            });
            match inner.collect::<Option<Vec<_>>>() {
                Some(inner) => inner.into_iter().flat_map(parts).collect(),
                None => vec![ty],
            }
        }
        _ => vec![ty],
    }
}

/// Returns true for `Emit` under any path, with the name `Emit`.
pub(crate) fn ends_in(ty: &Type, name: &str) -> bool {
    matches!(
        peeled(ty),
        Type::Path(TypePath { qself: None, path, .. }) if path.segments.last().is_some_and(|last| last.ident == name)
    )
}

/// For `Run<Chef>` under any path, with the name `Run`: `Chef`.
pub(crate) fn generic_of<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    first_of(ty, name).filter(|(_, count)| *count == 1).map(|(first, _)| first)
}

/// Each `dyn Error` in a type, whatever its other bounds are.
pub(crate) fn dyn_errors(ty: &Type) -> Vec<TypeTraitObject> {
    let mut found = Vec::new();
    walk(&mut ty.clone(), &mut |part| {
        if let TypePart::Type(Type::TraitObject(object)) = &part
            && (has_bound(object, "Error") || has_bound(object, "StdError"))
        {
            found.push((*object).clone());
        }
        true
    });
    found
}

/// Returns true for `dyn Name`, also among other bounds.
pub(crate) fn has_bound(object: &TypeTraitObject, name: &str) -> bool {
    object.bounds.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| last.ident == name),
        _ => false,
    })
}

/// For `Result<Menu, Stop>` under any path, with the name `Result`: `Menu`.
pub(crate) fn first_generic_of<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    first_of(ty, name).map(|(first, _)| first)
}

/// For `Result<Menu, Stop>` under any path, with the name `Result`: `Menu` and `Stop`.
pub(crate) fn two_generics_of<'a>(ty: &'a Type, name: &str) -> Option<(&'a Type, &'a Type)> {
    let Type::Path(TypePath { qself: None, path, .. }) = peeled(ty) else { return None };
    let last = path.segments.last().filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut types = arguments.args.iter();
    match (types.next()?, types.next()?, types.next()) {
        (syn::GenericArgument::Type(first), syn::GenericArgument::Type(second), None) => {
            Some((first, second))
        }
        _ => None,
    }
}

/// The first argument if the type has this name, and the number of arguments.
fn first_of<'a>(ty: &'a Type, name: &str) -> Option<(&'a Type, usize)> {
    let Type::Path(TypePath { qself: None, path, .. }) = peeled(ty) else { return None };
    let last = path.segments.last().filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) => Some((peeled(ty), arguments.args.len())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn quoted_types_read_as_written() {
        assert_eq!(
            spelled(&quote!(std::collections::BTreeMap<String, Vec<u8>>)),
            "std::collections::BTreeMap<String, Vec<u8>>"
        );
        assert_eq!(spelled(&quote!(Arc<dyn Shop>)), "Arc<dyn Shop>");
        assert_eq!(spelled(&quote!([u8; 3])), "[u8;3]");
    }

    #[test]
    fn borrowing_is_found_at_any_depth() {
        let borrows = |ty: &str| borrowed(&syn::parse_str(ty).unwrap()).is_some();
        for ty in ["&str", "Cow<'_, str>", "Vec<&'a u8>", "Option<Box<dyn Shop + 'a>>"] {
            assert!(borrows(ty), "{ty}");
        }
        for ty in ["String", "&'static str", "Cow<'static, str>", "fn(&str) -> &str", "Box<dyn Fn(&str)>"] {
            assert!(!borrows(ty), "{ty}");
        }
    }
}
