//! Enums, in the form each variant has.

mod sync;
mod write;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::{JsonName, Style, VariantForm, VariantModel};
use super::body::FieldAccess;
use super::{MemberParts, StateParts};
use crate::krate::PrivatePath;

pub(super) fn expand(variants: &[VariantModel<'_>], private: &PrivatePath) -> StateParts {
    let is_named_only = |variant: &VariantModel<'_>| {
        !variant.skipped
            && variant.body.style == Style::Unit
            && variant.body.fields.is_empty()
            && matches!(variant.form, VariantForm::External)
    };
    if variants.is_empty() {
        return expand_never();
    }
    if variants.iter().all(is_named_only) {
        return expand_names(variants, private);
    }
    let untagged = variants.iter().any(|variant| matches!(variant.form, VariantForm::Untagged));
    let compared = compare(variants, untagged, private);
    let min = usize::from(!untagged) + 1;
    let (write, sync) = if untagged {
        (write::write_untagged(variants, private), sync::sync_untagged(variants, private))
    } else {
        (write::write_tagged(variants, private), sync::sync_tagged(private))
    };
    let is_null = untagged.then(|| is_null(variants, private));
    let sync_members = sync::sync_members(variants, private);
    let write_members = each(variants, &|_, variant| write::write_members(variant, private));
    let any_name = each(variants, &|_, variant| variant.any_name(private));
    StateParts {
        state: quote! {
            const MIN: ::core::primitive::usize = #min;

            #compared

            fn write(&self, out: &mut #private::engine::JsonOut) { #write }

            fn sync(
                &mut self,
                now: &Self,
                at: &#private::engine::StatePath<'_>,
                out: &mut #private::engine::PatchText,
            ) {
                #sync
            }

            #is_null
        },
        members: members_of(variants).map(|inner| MemberParts {
            methods: quote! {
                fn any_name(
                    &self,
                    is: &mut dyn ::core::ops::FnMut(&::core::primitive::str) -> ::core::primitive::bool,
                ) -> ::core::primitive::bool {
                    #any_name
                }

                fn write_members(&self, out: &mut #private::engine::JsonOut) { #write_members }

                fn sync_members(
                    &mut self,
                    now: &Self,
                    at: &#private::engine::StatePath<'_>,
                    out: &mut #private::engine::PatchText,
                ) {
                    #sync_members
                }
            },
            inner,
        }),
    }
}

fn expand_never() -> StateParts {
    StateParts {
        state: quote!(
            fn same(&self, _: &Self) -> ::core::primitive::bool {
                true
            }
        ),
        members: None,
    }
}

/// The variants are names alone, with nothing to descend into.
fn expand_names(variants: &[VariantModel<'_>], private: &PrivatePath) -> StateParts {
    let names = variants.iter().map(|variant| variant.name.json().len());
    let min = names.min().unwrap_or_default();
    let write = each(variants, &|_, variant| {
        let name = variant.name.json();
        quote!(out.raw(#name);)
    });
    let same = discriminants();
    let token = each(variants, &|i, _| quote!(token.number(#i);));
    StateParts {
        state: quote! {
            const MIN: ::core::primitive::usize = #min;

            #[inline]
            fn same(&self, now: &Self) -> ::core::primitive::bool { #same }

            fn write(&self, out: &mut #private::engine::JsonOut) { #write }

            #[inline]
            fn sync(
                &mut self,
                now: &Self,
                at: &#private::engine::StatePath<'_>,
                out: &mut #private::engine::PatchText,
            ) {
                if !(#same) {
                    out.whole(self, now, at);
                }
            }

            fn token(&self, token: &mut #private::engine::ValueToken) { #token }
        },
        members: None,
    }
}

fn discriminants() -> TokenStream {
    quote!(::core::mem::discriminant::<Self>(self) == ::core::mem::discriminant::<Self>(now))
}

fn compare(variants: &[VariantModel<'_>], untagged: bool, private: &PrivatePath) -> TokenStream {
    let has_parts = |variant: &&VariantModel<'_>| variant.skipped || variant.body.written().next().is_some();
    let pairs = variants.iter().filter(has_parts).map(|variant| {
        let (mine, now) = (variant.mine(), variant.now());
        // A variant that serde cannot write is not equal to itself, so that writing it is tried and fails.
        let same = match variant.skipped {
            true => quote!(false),
            false => variant.body.same(FieldAccess::Variant, private),
        };
        quote!((#mine, #now) => #same,)
    });
    let mut others = discriminants();
    if untagged {
        // Another variant may have the same text.
        others = quote!(#others || #private::engine::opaque::same_written(self, now));
    }
    let token = each(variants, &|i, variant| {
        let number = (!untagged).then(|| quote!(token.number(#i);));
        let parts = variant.body.token(FieldAccess::Variant, private);
        let null = (untagged && parts.is_empty()).then(|| quote!(token.null();));
        quote!(#number #null #parts)
    });
    quote! {
        #[inline]
        fn same(&self, now: &Self) -> ::core::primitive::bool {
            match (self, now) { #(#pairs)* _ => #others }
        }

        fn token(&self, token: &mut #private::engine::ValueToken) {
            #token
        }
    }
}

/// A `match` on `self` with the code for each variant, and the error for variants that serde cannot write.
fn each(variants: &[VariantModel<'_>], arm: &dyn Fn(u64, &VariantModel<'_>) -> TokenStream) -> TokenStream {
    let arms = (0..).zip(variants).map(|(i, variant)| {
        let (mine, code) = (variant.mine(), arm(i, variant));
        quote!(#mine => { #code })
    });
    quote!(match self { #(#arms)* })
}

/// The types that must have members so that the enum has members; `None` if some variant is never an object.
fn members_of(variants: &[VariantModel<'_>]) -> Option<Vec<syn::Type>> {
    let mut inner = Vec::new();
    for variant in variants {
        match (&variant.form, variant.body.style) {
            (VariantForm::Untagged, Style::Tuple) => return None,
            (VariantForm::Untagged, Style::Newtype) => {
                let field = variant.body.fields.first().filter(|field| field.is_compared())?;
                inner.push(field.ty.clone());
            }
            _ => {}
        }
    }
    Some(inner)
}

/// Without a tag a variant may be written as `null`.
fn is_null(variants: &[VariantModel<'_>], private: &PrivatePath) -> TokenStream {
    let is_null = each(variants, &|_, variant| match (
        &variant.form,
        variant.body.style,
        variant.body.fields.first(),
    ) {
        _ if variant.skipped => quote!(false),
        (VariantForm::Untagged, Style::Unit, _) => quote!(true),
        (VariantForm::Untagged, Style::Newtype, Some(field)) => {
            let mine = &field.mine;
            field.is_null(&quote!(#mine), private)
        }
        _ => quote!(false),
    });
    quote!(fn is_null(&self) -> ::core::primitive::bool { #is_null })
}

impl VariantModel<'_> {
    /// An expression that is true if a member in the variant's object satisfies `is`.
    fn any_name(&self, private: &PrivatePath) -> TokenStream {
        let (names, has_content): (Vec<&JsonName>, bool) = match &self.form {
            _ if self.skipped => (Vec::new(), false),
            VariantForm::External => (vec![&self.name], false),
            VariantForm::Adjacent { tag, .. } if self.body.style == Style::Unit => (vec![tag], false),
            VariantForm::Adjacent { tag, content } => (vec![tag, content], false),
            VariantForm::Internal { tag } => (vec![tag], true),
            VariantForm::Untagged => (Vec::new(), true),
        };
        let own = names.iter().map(|name| name.0.as_str());
        let own = quote!([#(#own),*].into_iter().any(|name: &::core::primitive::str| is(name)));
        match has_content.then(|| self.body.any_name_of(private)) {
            Some(content) if names.is_empty() => content,
            Some(content) => quote!(#own || #content),
            None if names.is_empty() => quote!(false),
            None => own,
        }
    }

    /// A pattern that names the fields on the side that changes.
    fn mine(&self) -> TokenStream {
        let ident = self.ident;
        let fields = self.body.written().map(|field| {
            let (member, name) = (&field.member, &field.mine);
            quote!(#member: #name)
        });
        quote!(Self::#ident { #(#fields,)* .. })
    }

    /// The same for the other side.
    fn now(&self) -> TokenStream {
        let ident = self.ident;
        let fields = self.body.written().map(|field| {
            let (member, name) = (&field.member, &field.theirs);
            quote!(#member: #name)
        });
        quote!(Self::#ident { #(#fields,)* .. })
    }
}
