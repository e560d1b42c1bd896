//! The change from one enum value to another.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::model::{VariantForm, VariantModel};
use super::super::body::FieldAccess;
use super::discriminants;
use crate::krate::PrivatePath;

/// Within one variant, only the changes are sent; for another variant, the whole value.
pub(super) fn sync_tagged(private: &PrivatePath) -> TokenStream {
    let is_same = discriminants();
    quote! {
        if #is_same {
            let mark = out.mark();
            #private::engine::FlatMembers::sync_members(self, now, at, out);
            out.settle(mark, at, now);
        } else {
            out.whole(self, now, at);
        }
    }
}

pub(super) fn sync_untagged(variants: &[VariantModel<'_>], private: &PrivatePath) -> TokenStream {
    let arms = sync_arms(variants, false, private);
    quote! {
        let mark = out.mark();
        match (&mut *self, now) {
            #(#arms)*
            (mine, now) => out.whole(mine, now, at),
        }
        out.settle(mark, at, now);
    }
}

pub(super) fn sync_members(variants: &[VariantModel<'_>], private: &PrivatePath) -> TokenStream {
    let arms = sync_arms(variants, true, private);
    quote! {
        match (&mut *self, now) {
            #(#arms)*
            (mine, now) => {
                #private::engine::members::exchange(
                    ::core::option::Option::Some(&*mine),
                    ::core::option::Option::Some(now),
                    at,
                    out,
                );
                ::core::clone::Clone::clone_from(mine, now);
            }
        }
    }
}

/// One arm for each variant that can change without becoming another variant. With `is_merged` the value's members are members in
/// the owner.
fn sync_arms(variants: &[VariantModel<'_>], is_merged: bool, private: &PrivatePath) -> Vec<TokenStream> {
    let arm = |variant: &VariantModel<'_>| {
        let below = match &variant.form {
            VariantForm::External => Some(variant.name.token()),
            VariantForm::Adjacent { content, .. } => Some(content.token()),
            VariantForm::Internal { .. } | VariantForm::Untagged => None,
        };
        let below = below.map(|token| quote!(let at = &at.lit(#token);));
        let is_merged = match &variant.form {
            VariantForm::Internal { .. } => true,
            VariantForm::Untagged => is_merged,
            VariantForm::External | VariantForm::Adjacent { .. } => false,
        };
        let (mine, now) = (variant.mine(), variant.now());
        let sync = variant.body.sync(FieldAccess::Variant, is_merged, private);
        let tag = match &variant.form {
            VariantForm::Internal { tag } => Some(tag),
            _ => None,
        };
        let sync = variant.body.without_collisions(tag, FieldAccess::Variant, &sync, private);
        let below = (!sync.is_empty()).then_some(below);
        quote!((#mine, #now) => { #below #sync })
    };
    variants.iter().map(arm).collect()
}
