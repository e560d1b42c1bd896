//! Structs: objects, arrays, or the only field's JSON.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::{FieldModel, StructModel, Style};
use super::body::FieldAccess;
use super::{MemberParts, StateParts};
use crate::krate::PrivatePath;

pub(super) fn expand(strukt: &StructModel<'_>, private: &PrivatePath) -> StateParts {
    match (strukt.inner(), strukt.body.style) {
        (Some(inner), _) => expand_inner(inner, private),
        (None, Style::Named) => expand_object(strukt, private),
        (None, Style::Unit) => expand_unit(private),
        (None, Style::Tuple | Style::Newtype) => expand_array(strukt, private),
    }
}

fn expand_object(strukt: &StructModel<'_>, private: &PrivatePath) -> StateParts {
    let body = &strukt.body;
    let tag = strukt.tag.as_ref().map(|(tag, name)| format!("{}{}", tag.member(), name.json()));
    let write_tag = tag.as_ref().map(|tag| quote!(out.member(#tag);));
    let tag_min = tag.as_ref().map(|tag| {
        let length = tag.len();
        quote!(+ #length)
    });
    let write = body.write_members(FieldAccess::Struct, private);
    let own_tag = strukt.tag.as_ref().map(|(tag, _)| tag);
    let sync = body.sync(FieldAccess::Struct, true, private);
    let sync = body.without_collisions(own_tag, FieldAccess::Struct, &sync, private);
    let any_name = body.any_name(own_tag, private);
    let compared = compare(strukt, private);
    let (min, floor) = (body.min(private), body.floor(FieldAccess::Struct, private));
    StateParts {
        state: quote! {
            const MIN: ::core::primitive::usize = #min #tag_min;

            #compared

            fn write(&self, out: &mut #private::engine::JsonOut) {
                out.byte(b'{');
                #private::engine::FlatMembers::write_members(self, out);
                out.byte(b'}');
            }

            fn sync(
                &mut self,
                now: &Self,
                at: &#private::engine::StatePath<'_>,
                out: &mut #private::engine::PatchText,
            ) {
                let mark = out.mark();
                #private::engine::FlatMembers::sync_members(self, now, at, out);
                out.settle(mark, at, now);
            }

            fn floor(&self) -> ::core::primitive::usize { #floor #tag_min }
        },
        members: Some(MemberParts {
            methods: quote! {
                #any_name

                fn write_members(&self, out: &mut #private::engine::JsonOut) { #write_tag #write }

                fn sync_members(
                    &mut self,
                    now: &Self,
                    at: &#private::engine::StatePath<'_>,
                    out: &mut #private::engine::PatchText,
                ) {
                    #sync
                }
            },
            inner: Vec::new(),
        }),
    }
}

fn expand_array(strukt: &StructModel<'_>, private: &PrivatePath) -> StateParts {
    let body = &strukt.body;
    let write = body.write(FieldAccess::Struct, private);
    let sync = body.sync(FieldAccess::Struct, false, private);
    let compared = compare(strukt, private);
    let (min, floor) = (body.min(private), body.floor(FieldAccess::Struct, private));
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
                let mark = out.mark();
                #sync
                out.settle(mark, at, now);
            }

            fn floor(&self) -> ::core::primitive::usize { #floor }
        },
        members: None,
    }
}

fn compare(strukt: &StructModel<'_>, private: &PrivatePath) -> TokenStream {
    let same = strukt.body.same(FieldAccess::Struct, private);
    let token = strukt.body.token(FieldAccess::Struct, private);
    let least = strukt.body.least_change(private);
    quote! {
        #[inline]
        fn same(&self, now: &Self) -> ::core::primitive::bool { #same }

        fn least_change(&self, now: &Self, path: ::core::primitive::usize) -> ::core::primitive::usize { #least }

        fn token(&self, token: &mut #private::engine::ValueToken) { #token }
    }
}

fn expand_unit(private: &PrivatePath) -> StateParts {
    StateParts {
        state: quote! {
            const MIN: ::core::primitive::usize = 4;

            fn same(&self, _: &Self) -> ::core::primitive::bool { true }

            fn write(&self, out: &mut #private::engine::JsonOut) { out.raw("null"); }

            fn sync(&mut self, _: &Self, _: &#private::engine::StatePath<'_>, _: &mut #private::engine::PatchText) {}

            fn is_null(&self) -> ::core::primitive::bool { true }

            fn token(&self, token: &mut #private::engine::ValueToken) { token.null(); }
        },
        members: Some(MemberParts {
            methods: quote! {
                fn write_members(&self, _: &mut #private::engine::JsonOut) {}

                fn sync_members(
                    &mut self,
                    _: &Self,
                    _: &#private::engine::StatePath<'_>,
                    _: &mut #private::engine::PatchText,
                ) {
                }
            },
            inner: Vec::new(),
        }),
    }
}

/// A struct that is written as the only field, at the same place.
fn expand_inner(field: &FieldModel<'_>, private: &PrivatePath) -> StateParts {
    let member = &field.member;
    let ty = field.ty;
    let (mine, now) = (quote!(&self.#member), quote!(&now.#member));
    let same = field.same(&mine, &now, private);
    let write = field.write(&mine, private);
    let sync = field.sync(&FieldAccess::Struct.sides(field), &quote!(at), private);
    let token = field.token(&mine, private);
    let (min, floor) = (field.min(private), field.floor(&mine, private));
    let is_null = field.is_null(&mine, private);
    let state = field.is_compared().then(|| {
        quote! {
            const KEYED: ::core::primitive::bool = <#ty as #private::StateNode>::KEYED;

            fn least_change(
                &self,
                now: &Self,
                path: ::core::primitive::usize,
            ) -> ::core::primitive::usize {
                <#ty as #private::StateNode>::least_change(&self.#member, &now.#member, path)
            }

            fn key_same(&self, now: &Self) -> ::core::primitive::bool {
                <#ty as #private::StateNode>::key_same(&self.#member, &now.#member)
            }

            fn key_token(&self, token: &mut #private::engine::ValueToken) {
                <#ty as #private::StateNode>::key_token(&self.#member, token);
            }
        }
    });
    let members = field.is_compared().then(|| MemberParts {
        methods: quote! {
            fn any_name(
                &self,
                is: &mut dyn ::core::ops::FnMut(&::core::primitive::str) -> ::core::primitive::bool,
            ) -> ::core::primitive::bool {
                <#ty as #private::engine::FlatMembers>::any_name(&self.#member, is)
            }

            fn write_members(&self, out: &mut #private::engine::JsonOut) {
                <#ty as #private::engine::FlatMembers>::write_members(&self.#member, out);
            }

            fn sync_members(
                &mut self,
                now: &Self,
                at: &#private::engine::StatePath<'_>,
                out: &mut #private::engine::PatchText,
            ) {
                <#ty as #private::engine::FlatMembers>::sync_members(&mut self.#member, &now.#member, at, out);
            }
        },
        inner: vec![ty.clone()],
    });
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
                #sync
            }

            fn is_null(&self) -> ::core::primitive::bool { #is_null }

            fn floor(&self) -> ::core::primitive::usize { #floor }

            fn token(&self, token: &mut #private::engine::ValueToken) { #token }

            #state
        },
        members,
    }
}
