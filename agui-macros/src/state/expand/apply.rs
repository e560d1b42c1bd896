//! The parts of a value that operations reach without reading the whole anew.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::{Body, FieldModel, Form, Style, VariantModel};
use super::body::Access;
use crate::krate::Private;

/// The field that is at `segment`, as an `Option`.
pub(super) fn of_body(body: &Body<'_>, access: Access, private: &Private) -> TokenStream {
    let reached = |field: &&FieldModel<'_>| field.is_compared();
    let own = body.written().enumerate().filter(|(_, field)| reached(field) && !field.flatten);
    let arms: Vec<_> = own
        .map(|(i, field)| {
            let segment = match body.style {
                Style::Tuple => i.to_string(),
                Style::Named | Style::Newtype | Style::Unit => field.name.0.clone(),
            };
            let (value, target) = (access.value(field), target(access, field));
            let present = field.is_absent(&value).map(|absent| quote!(if !#absent));
            quote!(#segment #present => ::core::option::Option::Some(#target),)
        })
        .collect();
    let mut flat: Vec<_> = body
        .written()
        .filter(|field| reached(field) && field.flatten && field.absent.is_none())
        .map(|field| {
            let (ty, target) = (field.ty, target(access, field));
            quote!(<#ty as #private::Node>::child(#target, segment))
        })
        .collect();
    let last = flat.pop().unwrap_or_else(|| quote!(::core::option::Option::None));
    let rest = quote! {
        #(if let ::core::option::Option::Some(found) = #flat {
            return ::core::option::Option::Some(found);
        })*
        #last
    };
    if arms.is_empty() {
        return quote!({ let _ = segment; #rest });
    }
    quote!(match segment { #(#arms)* _ => { #rest } })
}

fn target(access: Access, field: &FieldModel<'_>) -> TokenStream {
    let (member, mine) = (&field.member, &field.mine);
    match access {
        Access::Struct => quote!(&mut self.#member),
        Access::Variant => quote!(&mut *#mine),
    }
}

/// The same for a variant whose fields the pattern has named, or nothing where the whole must be read anew.
pub(super) fn of_variant(variant: &VariantModel<'_>, private: &Private) -> Option<TokenStream> {
    let body = &variant.body;
    let only = body.fields.first().filter(|field| body.style == Style::Newtype && field.is_compared());
    match (&variant.form, only) {
        (Form::External, Some(field)) => Some(named(&variant.name.0, field)),
        (Form::Adjacent { content, .. }, Some(field)) => Some(named(&content.0, field)),
        (Form::Internal { .. }, Some(field)) => {
            let (ty, mine) = (field.ty, &field.mine);
            Some(quote!(<#ty as #private::Node>::child(#mine, segment)))
        }
        (Form::Internal { .. }, None) if body.style == Style::Named => {
            Some(of_body(body, Access::Variant, private))
        }
        // With another part the value may be that of another variant.
        (Form::Untagged, _) => None,
        (Form::External | Form::Internal { .. } | Form::Adjacent { .. }, _) => None,
    }
}

fn named(name: &str, field: &FieldModel<'_>) -> TokenStream {
    let mine = &field.mine;
    quote!(match segment { #name => ::core::option::Option::Some(&mut *#mine), _ => ::core::option::Option::None })
}
