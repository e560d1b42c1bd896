//! The parts of a value that operations reach without reading the whole anew.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::super::model::{Body, FieldModel, Form, Style, VariantModel};
use super::body::Access;
use crate::krate::Private;
use crate::spelling::at;

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
            let (value, target) = (access.value(field), target(access, field, private));
            let present = field.is_absent(&value).map(|absent| quote!(if absent || !#absent));
            quote!(#segment #present => ::core::option::Option::Some(#target),)
        })
        .collect();
    let mut flat: Vec<_> = body
        .written()
        .filter(|field| reached(field) && field.flatten && field.absent.is_none())
        .map(|field| {
            let (ty, mine) = (field.ty, access.sides(field).mine);
            quote!(<#ty as #private::Node>::child(#mine, segment, absent))
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
        return quote!({ let _ = (segment, absent); #rest });
    }
    quote!(match segment { #(#arms)* _ => { #rest } })
}

/// The field as something operations reach, by a method of its type: like every other use of the type it is blamed where
/// that is written when it is no state, and so it is one error.
fn target(access: Access, field: &FieldModel<'_>, private: &Private) -> TokenStream {
    let (ty, mine) = (field.ty, access.sides(field).mine);
    let target = quote_spanned!(at(ty)=> <#ty as #private::Node>::target);
    quote!(#target(#mine))
}

/// The same for a variant whose fields the pattern has named, or nothing where the whole must be read anew.
pub(super) fn of_variant(variant: &VariantModel<'_>, private: &Private) -> Option<TokenStream> {
    let body = &variant.body;
    let only = body.fields.first().filter(|field| body.style == Style::Newtype && field.is_compared());
    match (&variant.form, only) {
        (Form::External, Some(field)) => Some(named(&variant.name.0, field, private)),
        (Form::Adjacent { content, .. }, Some(field)) => Some(named(&content.0, field, private)),
        (Form::Internal { .. }, Some(field)) => {
            let (ty, mine) = (field.ty, &field.mine);
            Some(quote!(<#ty as #private::Node>::child(#mine, segment, absent)))
        }
        (Form::Internal { .. }, None) if body.style == Style::Named => {
            Some(of_body(body, Access::Variant, private))
        }
        // With another part the value may be that of another variant.
        (Form::Untagged, _) => None,
        (Form::External | Form::Internal { .. } | Form::Adjacent { .. }, _) => None,
    }
}

fn named(name: &str, field: &FieldModel<'_>, private: &Private) -> TokenStream {
    let target = target(Access::Variant, field, private);
    quote!(match segment { #name => ::core::option::Option::Some(#target), _ => ::core::option::Option::None })
}
