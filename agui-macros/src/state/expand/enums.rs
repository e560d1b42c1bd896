//! Enums, in the form each variant has.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::{Form, Style, VariantModel};
use super::body::Access;
use super::{Members, Parts, apply};
use crate::krate::Private;

pub(super) fn expand(variants: &[VariantModel<'_>], private: &Private) -> Parts {
    let is_named_only = |variant: &VariantModel<'_>| {
        !variant.skipped
            && variant.body.style == Style::Unit
            && variant.body.fields.is_empty()
            && matches!(variant.form, Form::External)
    };
    if variants.is_empty() {
        return expand_never();
    }
    if variants.iter().all(is_named_only) {
        return expand_names(variants, private);
    }
    let untagged = variants.iter().any(|variant| matches!(variant.form, Form::Untagged));
    let compared = compare(variants, untagged, private);
    let child = expand_child(variants, private);
    let min = usize::from(!untagged) + 1;
    let (write, sync) = if untagged {
        (write_untagged(variants, private), sync_untagged(variants, private))
    } else {
        (write_tagged(variants, private), sync_tagged(private))
    };
    let is_null = untagged.then(|| is_null(variants, private));
    let sync_members = sync_members(variants, private);
    let write_members = each(variants, |_, variant| write_members(variant, private));
    Parts {
        state: quote! {
            const MIN: ::core::primitive::usize = #min;

            #compared

            fn write(&self, out: &mut #private::engine::Out) { #write }

            fn sync(
                &mut self,
                now: &Self,
                at: &#private::engine::Path<'_>,
                out: &mut #private::engine::Patch,
            ) {
                #sync
            }

            #is_null

            #child
        },
        members: members_of(variants).map(|inner| Members {
            methods: quote! {
                fn write_members(&self, out: &mut #private::engine::Out) { #write_members }

                fn sync_members(
                    &mut self,
                    now: &Self,
                    at: &#private::engine::Path<'_>,
                    out: &mut #private::engine::Patch,
                ) {
                    #sync_members
                }
            },
            inner,
        }),
    }
}

fn expand_never() -> Parts {
    Parts {
        state: quote!(
            fn same(&self, _: &Self) -> ::core::primitive::bool {
                true
            }
        ),
        members: None,
    }
}

/// Only names: nothing to descend into.
fn expand_names(variants: &[VariantModel<'_>], private: &Private) -> Parts {
    let names = variants.iter().map(|variant| variant.name.json().len());
    let min = names.min().unwrap_or_default();
    let write = each(variants, |_, variant| {
        let name = variant.name.json();
        quote!(out.raw(#name);)
    });
    let same = discriminants();
    let token = each(variants, |i, _| quote!(token.number(#i);));
    Parts {
        state: quote! {
            const MIN: ::core::primitive::usize = #min;

            #[inline]
            fn same(&self, now: &Self) -> ::core::primitive::bool { #same }

            fn write(&self, out: &mut #private::engine::Out) { #write }

            #[inline]
            fn sync(
                &mut self,
                now: &Self,
                at: &#private::engine::Path<'_>,
                out: &mut #private::engine::Patch,
            ) {
                if !(#same) {
                    out.whole(self, now, at);
                }
            }

            fn token(&self, token: &mut #private::engine::Token) { #token }
        },
        members: None,
    }
}

fn discriminants() -> TokenStream {
    quote!(::core::mem::discriminant::<Self>(self) == ::core::mem::discriminant::<Self>(now))
}

fn compare(variants: &[VariantModel<'_>], untagged: bool, private: &Private) -> TokenStream {
    let has_parts = |variant: &&VariantModel<'_>| variant.skipped || variant.body.written().next().is_some();
    let pairs = variants.iter().filter(has_parts).map(|variant| {
        let (mine, now) = (variant.mine(), variant.now());
        // What serde has no JSON for is not even the same as itself, so that writing it is tried and fails.
        let same = match variant.skipped {
            true => quote!(false),
            false => variant.body.same(Access::Variant, private),
        };
        quote!((#mine, #now) => #same,)
    });
    let mut others = discriminants();
    if untagged {
        // Another variant may have the same text, and none of its own in the token.
        others = quote!(#others || #private::engine::opaque::same_written(self, now));
    }
    let token = each(variants, |i, variant| {
        let number = (!untagged).then(|| quote!(token.number(#i);));
        let parts = variant.body.token(Access::Variant, private);
        let null = (untagged && parts.is_empty()).then(|| quote!(token.null();));
        quote!(#number #null #parts)
    });
    quote! {
        #[inline]
        fn same(&self, now: &Self) -> ::core::primitive::bool {
            match (self, now) { #(#pairs)* _ => #others }
        }

        fn token(&self, token: &mut #private::engine::Token) {
            #token
        }
    }
}

/// A `match` on `self` with the code that each variant wants; the error for variants that serde has no JSON for.
fn each(variants: &[VariantModel<'_>], arm: impl Fn(u64, &VariantModel<'_>) -> TokenStream) -> TokenStream {
    let arms = (0..).zip(variants).map(|(i, variant)| {
        let (mine, code) = (variant.mine(), arm(i, variant));
        quote!(#mine => { #code })
    });
    quote!(match self { #(#arms)* })
}

fn fail(variant: &VariantModel<'_>) -> TokenStream {
    let message = format!("the variant `{}` is skipped, so it has no JSON", variant.ident);
    quote!(out.fail_with(#message);)
}

/// A name alone, or an object of what `write_members` writes.
fn write_tagged(variants: &[VariantModel<'_>], private: &Private) -> TokenStream {
    let alone = variants.iter().filter_map(|variant| {
        let ident = variant.ident;
        let code = match (variant.skipped, &variant.form, variant.body.style) {
            (true, ..) => fail(variant),
            (false, Form::External, Style::Unit) => {
                let name = variant.name.json();
                quote!(out.raw(#name);)
            }
            _ => return None,
        };
        Some(quote!(Self::#ident { .. } => { #code }))
    });
    let object = quote! {
        out.byte(b'{');
        #private::engine::Members::write_members(self, out);
        out.byte(b'}');
    };
    let is_alone = |variant: &VariantModel<'_>| {
        variant.skipped || (matches!(variant.form, Form::External) && variant.body.style == Style::Unit)
    };
    let rest = (!variants.iter().all(is_alone)).then(|| quote!(_ => { #object }));
    quote!(match self { #(#alone)* #rest })
}

fn write_untagged(variants: &[VariantModel<'_>], private: &Private) -> TokenStream {
    each(variants, |_, variant| match (variant.skipped, &variant.form, variant.body.style) {
        (true, ..) => fail(variant),
        (false, Form::Untagged, _) => variant.body.write(Access::Variant, private),
        (false, Form::External, Style::Unit) => {
            let name = variant.name.json();
            quote!(out.raw(#name);)
        }
        (false, ..) => {
            let members = write_members(variant, private);
            quote!(out.byte(b'{'); #members out.byte(b'}');)
        }
    })
}

/// The members that a variant's object has, its tag among them.
fn write_members(variant: &VariantModel<'_>, private: &Private) -> TokenStream {
    if variant.skipped {
        let message = format!("the variant `{}` is skipped, so it has no JSON", variant.ident);
        return quote!(out.fail_with(#message););
    }
    let content = || variant.body.write(Access::Variant, private);
    let is_unit = variant.body.style == Style::Unit;
    match &variant.form {
        Form::External => {
            let (name, content) = (variant.name.member(), content());
            quote!(out.member(#name); #content)
        }
        Form::Internal { tag } => {
            let tag = format!("{}{}", tag.member(), variant.name.json());
            let members = (!is_unit).then(|| variant.body.write_members(Access::Variant, private));
            quote!(out.member(#tag); #members)
        }
        Form::Adjacent { tag, .. } if is_unit => {
            let tag = format!("{}{}", tag.member(), variant.name.json());
            quote!(out.member(#tag);)
        }
        Form::Adjacent { tag, content: name } => {
            let tag = format!("{}{},{}", tag.member(), variant.name.json(), name.member());
            let content = content();
            quote!(out.member(#tag); #content)
        }
        Form::Untagged if is_unit => TokenStream::new(),
        Form::Untagged => variant.body.write_members(Access::Variant, private),
    }
}

/// The same variant: what changed in it. Another one: all of it.
fn sync_tagged(private: &Private) -> TokenStream {
    let is_same = discriminants();
    quote! {
        if #is_same {
            let mark = out.mark();
            #private::engine::Members::sync_members(self, now, at, out);
            out.settle(mark, at, now);
        } else {
            out.whole(self, now, at);
        }
    }
}

fn sync_untagged(variants: &[VariantModel<'_>], private: &Private) -> TokenStream {
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

fn sync_members(variants: &[VariantModel<'_>], private: &Private) -> TokenStream {
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

/// One arm for each variant that can change in itself. With `is_merged` the value is its owner's members.
fn sync_arms(variants: &[VariantModel<'_>], is_merged: bool, private: &Private) -> Vec<TokenStream> {
    let arm = |variant: &VariantModel<'_>| {
        let below = match &variant.form {
            Form::External => Some(variant.name.token()),
            Form::Adjacent { content, .. } => Some(content.token()),
            Form::Internal { .. } | Form::Untagged => None,
        };
        let below = below.map(|token| quote!(let at = &at.lit(#token);));
        let is_merged = match &variant.form {
            Form::Internal { .. } => true,
            Form::Untagged => is_merged,
            Form::External | Form::Adjacent { .. } => false,
        };
        let (mine, now) = (variant.mine(), variant.now());
        let sync = variant.body.sync(Access::Variant, is_merged, private);
        let tag = match &variant.form {
            Form::Internal { tag } => Some(tag),
            _ => None,
        };
        let sync = variant.body.without_collisions(tag, Access::Variant, &sync, private);
        let below = (!sync.is_empty()).then_some(below);
        quote!((#mine, #now) => { #below #sync })
    };
    variants.iter().map(arm).collect()
}

/// What must have members itself so that the enum has; `None` when some variant is never an object.
fn members_of(variants: &[VariantModel<'_>]) -> Option<Vec<syn::Type>> {
    let mut inner = Vec::new();
    for variant in variants {
        match (&variant.form, variant.body.style) {
            (Form::Untagged, Style::Tuple) => return None,
            (Form::Untagged, Style::Newtype) => {
                let field = variant.body.fields.first().filter(|field| field.is_compared())?;
                inner.push(field.ty.clone());
            }
            _ => {}
        }
    }
    Some(inner)
}

/// Without a tag a variant may be written as `null`.
fn is_null(variants: &[VariantModel<'_>], private: &Private) -> TokenStream {
    let is_null =
        each(variants, |_, variant| match (&variant.form, variant.body.style, variant.body.fields.first()) {
            _ if variant.skipped => quote!(false),
            (Form::Untagged, Style::Unit, _) => quote!(true),
            (Form::Untagged, Style::Newtype, Some(field)) => {
                let mine = &field.mine;
                field.is_null(&quote!(#mine), private)
            }
            _ => quote!(false),
        });
    quote!(fn is_null(&self) -> ::core::primitive::bool { #is_null })
}

fn expand_child(variants: &[VariantModel<'_>], private: &Private) -> Option<TokenStream> {
    let reached: Vec<_> = variants
        .iter()
        .filter_map(|variant| {
            let (mine, child) = (variant.mine(), apply::of_variant(variant, private)?);
            Some(quote!(#mine => { #child }))
        })
        .collect();
    let rest = (reached.len() < variants.len())
        .then(|| quote!(#[allow(unreachable_patterns)] _ => ::core::option::Option::None,));
    (!reached.is_empty()).then(|| {
        quote! {
            fn child(
                &mut self,
                segment: &::core::primitive::str,
            ) -> ::core::option::Option<&mut dyn #private::apply::Target> {
                match self { #(#reached)* #rest }
            }
        }
    })
}

impl VariantModel<'_> {
    /// A pattern that names the fields of the side that changes.
    fn mine(&self) -> TokenStream {
        let ident = self.ident;
        let fields = self.body.written().map(|field| {
            let (member, name) = (&field.member, &field.mine);
            quote!(#member: #name)
        });
        quote!(Self::#ident { #(#fields,)* .. })
    }

    /// The same of the side that is looked at.
    fn now(&self) -> TokenStream {
        let ident = self.ident;
        let fields = self.body.written().map(|field| {
            let (member, name) = (&field.member, &field.theirs);
            quote!(#member: #name)
        });
        quote!(Self::#ident { #(#fields,)* .. })
    }
}
