//! A walk over the types inside a type. Expressions, such as array lengths, macros, and the names that `for<…>` and `use<…>` list
//! are passed over.
//!
//! syn's visitors would compile a function for each syntax kind, and cost every user more time than this file.

use syn::punctuated::Punctuated;
use syn::{
    AngleBracketedGenericArguments, GenericArgument, Lifetime, NamedArg, Path, PathArguments, ReturnType,
    Token, Type, TypeParamBound,
};

/// A type part that a walk meets.
pub(crate) enum TypePart<'a> {
    Type(&'a mut Type),
    Lifetime(&'a mut Lifetime),
    /// Parameters and result in `fn(A) -> B` and `Fn(A) -> B`.
    Signature,
}

/// Calls `enter` with the type, and with every type and lifetime inside, from left to right. Where `enter` returns `false`, the
/// part's inside is passed over.
pub(crate) fn walk(ty: &mut Type, enter: &mut dyn FnMut(TypePart<'_>) -> bool) {
    if !enter(TypePart::Type(ty)) {
        return;
    }
    match ty {
        Type::Array(array) => walk(&mut array.elem, enter),
        Type::FnPtr(function) => signature(&mut function.inputs, &mut function.output, enter),
        Type::Group(group) => walk(&mut group.elem, enter),
        Type::ImplTrait(object) => bounds(&mut object.bounds, enter),
        Type::Paren(paren) => walk(&mut paren.elem, enter),
        Type::Path(named) => {
            if let Some(qself) = &mut named.qself {
                walk(&mut qself.ty, enter);
            }
            path(&mut named.path, enter);
        }
        Type::Ptr(pointer) => walk(&mut pointer.elem, enter),
        Type::Reference(reference) => {
            if let Some(lifetime) = &mut reference.lifetime {
                enter(TypePart::Lifetime(lifetime));
            }
            walk(&mut reference.elem, enter);
        }
        Type::Slice(slice) => walk(&mut slice.elem, enter),
        Type::TraitObject(object) => bounds(&mut object.bounds, enter),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|ty| walk(ty, enter)),
        _ => {}
    }
}

fn path(path: &mut Path, enter: &mut dyn FnMut(TypePart<'_>) -> bool) {
    for segment in &mut path.segments {
        match &mut segment.arguments {
            PathArguments::None => {}
            PathArguments::AngleBracketed(inside) => arguments(inside, enter),
            PathArguments::Parenthesized(function) => {
                signature(&mut function.inputs, &mut function.output, enter);
            }
        }
    }
}

fn arguments(inside: &mut AngleBracketedGenericArguments, enter: &mut dyn FnMut(TypePart<'_>) -> bool) {
    for argument in &mut inside.args {
        match argument {
            GenericArgument::Lifetime(lifetime) => {
                enter(TypePart::Lifetime(lifetime));
            }
            GenericArgument::Type(ty) => walk(ty, enter),
            GenericArgument::AssocType(named) => {
                named.generics.iter_mut().for_each(|inside| arguments(inside, enter));
                walk(&mut named.ty, enter);
            }
            GenericArgument::Constraint(named) => {
                named.generics.iter_mut().for_each(|inside| arguments(inside, enter));
                bounds(&mut named.bounds, enter);
            }
            _ => {}
        }
    }
}

fn bounds(bounds: &mut Punctuated<TypeParamBound, Token![+]>, enter: &mut dyn FnMut(TypePart<'_>) -> bool) {
    for bound in bounds {
        match bound {
            TypeParamBound::Trait(bound) => path(&mut bound.path, enter),
            TypeParamBound::Lifetime(lifetime) => {
                enter(TypePart::Lifetime(lifetime));
            }
            _ => {}
        }
    }
}

fn signature(
    inputs: &mut Punctuated<NamedArg, Token![,]>,
    output: &mut ReturnType,
    enter: &mut dyn FnMut(TypePart<'_>) -> bool,
) {
    if !enter(TypePart::Signature) {
        return;
    }
    for input in inputs {
        walk(&mut input.ty, enter);
    }
    if let ReturnType::Type(_, ty) = output {
        walk(ty, enter);
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::parse_quote;

    use super::*;

    #[test]
    fn every_type_and_lifetime_is_met_once() {
        let mut ty: Type = parse_quote! {
            (
                &'l0 T0,
                &mut [T1],
                *const [T2; 3],
                (T3),
                fn(T4, name: T5) -> T6,
                a::B<'l1, T7>::C<T8>,
                <T9 as D<T10>>::E,
                impl Fn(T11) -> T12 + 'l2,
                Box<dyn for<'x> F<'l3, G<'l4, T13> = T14, H<T15>: I<T16> + 'l5>>,
            )
        };
        let mut met = Vec::new();
        walk(&mut ty, &mut |part| {
            let text = match part {
                TypePart::Type(ty) => ty.to_token_stream().to_string(),
                TypePart::Lifetime(lifetime) => lifetime.to_string(),
                TypePart::Signature => return true,
            };
            met.extend(
                Some(text).filter(|text| text.trim_start_matches(['\'', 'T', 'l']).parse::<u8>().is_ok()),
            );
            true
        });
        let (lifetimes, types): (Vec<_>, Vec<_>) = met.into_iter().partition(|text| text.starts_with('\''));
        assert_eq!(types, (0..17).map(|number| format!("T{number}")).collect::<Vec<_>>());
        assert_eq!(lifetimes, (0..6).map(|number| format!("'l{number}")).collect::<Vec<_>>());
    }

    #[test]
    fn a_refused_part_is_not_entered() {
        let met = |refused: fn(&TypePart<'_>) -> bool| {
            let mut met = 0;
            walk(&mut parse_quote!((A, fn(B), Box<dyn Fn(C) -> D>)), &mut |part| {
                met += 1;
                !refused(&part)
            });
            met
        };
        assert_eq!(met(|_| false), 10);
        assert_eq!(met(|part| matches!(part, TypePart::Signature)), 7);
        assert_eq!(met(|_| true), 1);
    }
}
