//! Names in a syntax tree, and the types they tell of.

use syn::{Attribute, Expr, GenericArgument, Pat, PathArguments, ReturnType, Type, parse_quote};

/// The names a pattern binds.
pub fn names_of(pat: &Pat) -> Vec<String> {
    match pat {
        Pat::Ident(ident) => {
            let inner = ident.subpat.iter().flat_map(|(_, inner)| names_of(inner));
            inner.chain([ident.ident.to_string()]).collect()
        }
        Pat::Guard(guarded) => names_of(&guarded.pat),
        Pat::Or(or) => or.cases.iter().flat_map(names_of).collect(),
        Pat::Paren(inner) => names_of(&inner.pat),
        Pat::Reference(inner) => names_of(&inner.pat),
        Pat::Slice(all) => all.elems.iter().flat_map(names_of).collect(),
        Pat::Struct(all) => all.fields.iter().flat_map(|field| names_of(&field.pat)).collect(),
        Pat::Tuple(all) => all.elems.iter().flat_map(names_of).collect(),
        Pat::TupleStruct(all) => all.elems.iter().flat_map(names_of).collect(),
        Pat::Type(typed) => names_of(&typed.pat),
        _ => Vec::new(),
    }
}

/// The last name of a pattern's path.
pub fn last_ident(pat: &Pat) -> String {
    let last =
        |path: &syn::Path| path.segments.last().map_or_else(String::new, |last| last.ident.to_string());
    match pat {
        Pat::Guard(guarded) => last_ident(&guarded.pat),
        Pat::Ident(ident) => match &ident.subpat {
            Some((_, inner)) => last_ident(inner),
            None => ident.ident.to_string(),
        },
        Pat::Or(or) => or.cases.iter().map(last_ident).collect::<Vec<_>>().join(" | "),
        Pat::Path(path) => last(&path.path),
        Pat::Reference(inner) => last_ident(&inner.pat),
        Pat::Struct(all) => last(&all.path),
        Pat::Tuple(all) => all.elems.iter().map(last_ident).collect::<Vec<_>>().join(", "),
        Pat::TupleStruct(all) => last(&all.path),
        _ => "_".to_owned(),
    }
}

pub fn is_some_pattern(pat: &Pat) -> bool {
    match pat {
        Pat::TupleStruct(all) => all.path.is_ident("Some"),
        Pat::Guard(guarded) => is_some_pattern(&guarded.pat),
        _ => false,
    }
}

/// The function that is called: its last name, with `mem` before it where it stands there.
pub fn callee(function: &Expr) -> String {
    let Expr::Path(path) = function else { return "_".to_owned() };
    let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match names.as_slice() {
        [.., outer, last] if outer == "mem" => format!("mem::{last}"),
        [.., last] => last.clone(),
        [] => "_".to_owned(),
    }
}

/// Returns true if a type is an `Option`; [`WriteFields`] is one.
///
/// [`WriteFields`]: agui_runtime::EventFields
pub fn is_option(ty: &Type) -> bool {
    name(ty).is_some_and(|name| name == "Option" || name == "WriteFields")
}

/// The empty value of a return type.
pub fn returns_nothing_as(output: &ReturnType) -> Option<Expr> {
    let ReturnType::Type(_, ty) = output else { return None };
    if is_option(ty) {
        return Some(parse_quote!(None));
    }
    match name(ty)?.as_str() {
        "HashMap" | "HashSet" | "String" | "Vec" | "VecDeque" => Some(parse_quote!(Default::default())),
        "Result"
            if argument(ty).is_some_and(|ok| matches!(ok, Type::Tuple(unit) if unit.elems.is_empty())) =>
        {
            Some(parse_quote!(Ok(())))
        }
        _ => None,
    }
}

fn name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    path.path.segments.last().map(|last| last.ident.to_string())
}

fn argument(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// Returns true if the item exists only in the runtime's own tests.
pub fn has_test_gate(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        attr.path().is_ident("cfg")
            && matches!(&attr.meta, syn::Meta::List(list) if list.tokens.to_string() == "test")
    })
}
