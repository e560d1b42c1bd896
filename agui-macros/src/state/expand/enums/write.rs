//! Variant text.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::model::{Style, VariantForm, VariantModel};
use super::super::body::FieldAccess;
use super::each;
use crate::krate::PrivatePath;

/// Writes a name alone, or an object with the members from `write_members`.
pub(super) fn write_tagged(variants: &[VariantModel<'_>], private: &PrivatePath) -> TokenStream {
    let alone = variants.iter().filter_map(|variant| {
        let ident = variant.ident;
        let code = match (variant.skipped, &variant.form, variant.body.style) {
            (true, ..) => fail(variant),
            (false, VariantForm::External, Style::Unit) => {
                let name = variant.name.json();
                quote!(out.raw(#name);)
            }
            _ => return None,
        };
        Some(quote!(Self::#ident { .. } => { #code }))
    });
    let object = quote! {
        out.byte(b'{');
        #private::engine::FlatMembers::write_members(self, out);
        out.byte(b'}');
    };
    let is_alone = |variant: &VariantModel<'_>| {
        variant.skipped
            || (matches!(variant.form, VariantForm::External) && variant.body.style == Style::Unit)
    };
    let rest = (!variants.iter().all(is_alone)).then(|| quote!(_ => { #object }));
    quote!(match self { #(#alone)* #rest })
}

pub(super) fn write_untagged(variants: &[VariantModel<'_>], private: &PrivatePath) -> TokenStream {
    each(variants, &|_, variant| match (variant.skipped, &variant.form, variant.body.style) {
        (true, ..) => fail(variant),
        (false, VariantForm::Untagged, _) => variant.body.write(FieldAccess::Variant, private),
        (false, VariantForm::External, Style::Unit) => {
            let name = variant.name.json();
            quote!(out.raw(#name);)
        }
        (false, ..) => {
            let members = write_members(variant, private);
            quote!(out.byte(b'{'); #members out.byte(b'}');)
        }
    })
}

/// Members in a variant's object, including the tag.
pub(super) fn write_members(variant: &VariantModel<'_>, private: &PrivatePath) -> TokenStream {
    if variant.skipped {
        let message = format!("the variant `{}` is skipped, so it has no JSON", variant.ident);
        return quote!(out.fail_with(#message););
    }
    let content = || variant.body.write(FieldAccess::Variant, private);
    let is_unit = variant.body.style == Style::Unit;
    match &variant.form {
        VariantForm::External => {
            let (name, content) = (variant.name.member(), content());
            quote!(out.member(#name); #content)
        }
        VariantForm::Internal { tag } => {
            let tag = format!("{}{}", tag.member(), variant.name.json());
            let members = (!is_unit).then(|| variant.body.write_members(FieldAccess::Variant, private));
            quote!(out.member(#tag); #members)
        }
        VariantForm::Adjacent { tag, .. } if is_unit => {
            let tag = format!("{}{}", tag.member(), variant.name.json());
            quote!(out.member(#tag);)
        }
        VariantForm::Adjacent { tag, content: name } => {
            let tag = format!("{}{},{}", tag.member(), variant.name.json(), name.member());
            let content = content();
            quote!(out.member(#tag); #content)
        }
        VariantForm::Untagged if is_unit => TokenStream::new(),
        VariantForm::Untagged => variant.body.write_members(FieldAccess::Variant, private),
    }
}

fn fail(variant: &VariantModel<'_>) -> TokenStream {
    let message = format!("the variant `{}` is skipped, so it has no JSON", variant.ident);
    quote!(out.fail_with(#message);)
}
