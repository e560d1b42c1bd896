//! Code for all fields in a struct or variant.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::{FieldModel, FieldsBody, JsonName, Style};
use super::field::FieldSides;
use crate::krate::PrivatePath;

/// The way to reach the fields: `self.title`, or the names that a pattern gave them.
#[derive(Clone, Copy)]
pub(super) enum FieldAccess {
    Struct,
    Variant,
}

impl FieldAccess {
    /// A reference to the only value's field.
    pub(super) fn value(self, field: &FieldModel<'_>) -> TokenStream {
        let (member, mine) = (&field.member, &field.mine);
        match self {
            Self::Struct => quote!(&self.#member),
            Self::Variant => quote!(#mine),
        }
    }

    pub(super) fn sides(self, field: &FieldModel<'_>) -> FieldSides {
        let (member, mine) = (&field.member, &field.mine);
        let (old, mine) = match self {
            Self::Struct => (quote!(&self.#member), quote!(&mut self.#member)),
            Self::Variant => (quote!(&*#mine), quote!(&mut *#mine)),
        };
        FieldSides { old, mine, now: self.now(field) }
    }

    fn now(self, field: &FieldModel<'_>) -> TokenStream {
        let (member, theirs) = (&field.member, &field.theirs);
        match self {
            Self::Struct => quote!(&now.#member),
            Self::Variant => quote!(#theirs),
        }
    }
}

impl FieldsBody<'_> {
    pub(super) fn same(&self, access: FieldAccess, private: &PrivatePath) -> TokenStream {
        let same: Vec<_> = self
            .written()
            .map(|field| field.same(&access.value(field), &access.now(field), private))
            .collect();
        if same.is_empty() { quote!(true) } else { quote!(#(#same)&&*) }
    }

    /// Writes the members, or with `Style::Newtype` the only field's members.
    pub(super) fn write_members(&self, access: FieldAccess, private: &PrivatePath) -> TokenStream {
        if self.style == Style::Newtype {
            let fields = self.written();
            return fields.map(|field| field.write_members(&access.value(field), private)).collect();
        }
        let mut after_member = false;
        let members = self.written().map(|field| {
            let value = access.value(field);
            if field.flatten {
                let write = field.write_members(&value, private);
                return guarded(field, &value, &write);
            }
            let write = field.write(&value, private);
            let name = field.name.member();
            let name = if after_member {
                let name = format!(",{name}");
                quote!(out.raw(#name);)
            } else {
                quote!(out.member(#name);)
            };
            after_member |= field.absent.is_none();
            guarded(field, &value, &quote!(#name #write))
        });
        members.collect()
    }

    /// Writes the whole value: JSON for a struct or for variant content.
    pub(super) fn write(&self, access: FieldAccess, private: &PrivatePath) -> TokenStream {
        match self.style {
            Style::Unit => quote!(out.raw("null");),
            Style::Newtype => {
                self.fields.iter().map(|field| field.write(&access.value(field), private)).collect()
            }
            Style::Tuple => {
                let elements = self.written().enumerate().map(|(i, field)| {
                    let comma = (i > 0).then(|| quote!(out.byte(b',');));
                    let write = field.write(&access.value(field), private);
                    quote!(#comma #write)
                });
                quote!(out.byte(b'['); #(#elements)* out.byte(b']');)
            }
            Style::Named => {
                let members = self.write_members(access, private);
                quote!(out.byte(b'{'); #members out.byte(b'}');)
            }
        }
    }

    /// Compares every field at the field's place below `at`. A `Newtype` compares members if `is_merged`, otherwise the value at
    /// `at`.
    pub(super) fn sync(&self, access: FieldAccess, is_merged: bool, private: &PrivatePath) -> TokenStream {
        let fields = self.written().enumerate().map(|(i, field)| {
            let sides = access.sides(field);
            if field.flatten || (is_merged && self.style == Style::Newtype) {
                return field.sync_members(&sides, private);
            }
            let place = match self.style {
                Style::Newtype => quote!(at),
                Style::Named | Style::Unit => {
                    let token = field.name.token();
                    quote!(&at.lit(#token))
                }
                Style::Tuple => quote!(&at.index(#i)),
            };
            field.sync(&sides, &place, private)
        });
        fields.collect()
    }

    /// `sync`, followed by the whole owner if two members share one name: only flattened parts can cause that.
    pub(super) fn without_collisions(
        &self,
        tag: Option<&JsonName>,
        access: FieldAccess,
        sync: &TokenStream,
        private: &PrivatePath,
    ) -> TokenStream {
        let flat: Vec<_> = self.written().filter(|field| field.flatten).collect();
        if flat.is_empty() {
            return sync.clone();
        }
        let own = self.own_names(tag);
        let members = quote!(#private::engine::members);
        let olds = flat.iter().map(|field| field.names(&access.sides(field).old, private));
        let nows = flat.iter().map(|field| field.names(&access.now(field), private));
        quote! {
            let before_members = out.mark();
            let own_names: &[&::core::primitive::str] = &[#(#own),*];
            let has_collision = #members::collide(own_names, &[#(#olds),*])
                || #members::collide(own_names, &[#(#nows),*]);
            #sync
            if has_collision {
                out.collided(before_members, at);
            }
        }
    }

    /// The `MemberParts` method that checks the names. Members that may be absent count.
    pub(super) fn any_name(&self, tag: Option<&JsonName>, private: &PrivatePath) -> TokenStream {
        let own = self.own_names(tag);
        let parts = self.written().filter(|field| field.flatten).map(|field| {
            let (ty, member) = (field.ty, &field.member);
            quote!(|| <#ty as #private::engine::FlatMembers>::any_name(&self.#member, is))
        });
        quote! {
            fn any_name(
                &self,
                is: &mut dyn ::core::ops::FnMut(&::core::primitive::str) -> ::core::primitive::bool,
            ) -> ::core::primitive::bool {
                let names: &[&::core::primitive::str] = &[#(#own),*];
                names.iter().any(|name| is(name)) #(#parts)*
            }
        }
    }

    /// The same for variant content with fields that the pattern has named.
    pub(super) fn any_name_of(&self, private: &PrivatePath) -> TokenStream {
        let own = self.own_names(None);
        let is_merged = |field: &&FieldModel<'_>| field.flatten || self.style == Style::Newtype;
        let parts = self.written().filter(is_merged).map(|field| {
            let (ty, mine) = (field.ty, &field.mine);
            quote!(<#ty as #private::engine::FlatMembers>::any_name(#mine, is))
        });
        let parts: Vec<_> = parts.collect();
        match (self.style, own.as_slice(), parts.as_slice()) {
            (Style::Newtype, _, [inner]) => inner.clone(),
            (Style::Unit | Style::Tuple | Style::Newtype, ..) | (Style::Named, [], []) => quote!(false),
            (Style::Named, [], parts) => quote!(#(#parts)||*),
            (Style::Named, own, parts) => quote! {
                [#(#own),*].into_iter().any(|name: &::core::primitive::str| is(name)) #(|| #parts)*
            },
        }
    }

    fn own_names<'n>(&'n self, tag: Option<&'n JsonName>) -> Vec<&'n str> {
        let fields = self.written().filter(|field| !field.flatten).map(|field| &field.name);
        tag.into_iter().chain(fields).map(|name| name.0.as_str()).collect()
    }

    pub(super) fn token(&self, access: FieldAccess, private: &PrivatePath) -> TokenStream {
        self.written().map(|field| field.token(&access.value(field), private)).collect()
    }

    /// The shortest text's length, as a constant expression.
    pub(super) fn min(&self, private: &PrivatePath) -> TokenStream {
        let always: Vec<_> =
            self.written().filter(|field| field.absent.is_none() && !field.flatten).collect();
        let values = always.iter().map(|field| field.min(private));
        let frame = self.frame(&always);
        quote!(#frame #(+ #values)*)
    }

    /// A lower bound for this value's text.
    pub(super) fn floor(&self, access: FieldAccess, private: &PrivatePath) -> TokenStream {
        let always: Vec<_> =
            self.written().filter(|field| field.absent.is_none() && !field.flatten).collect();
        let values = always.iter().map(|field| field.floor(&access.value(field), private));
        let frame = self.frame(&always);
        quote!(#frame #(+ #values)*)
    }

    /// A lower bound for the operations between two values; parts whose presence or members vary count for nothing.
    pub(super) fn least_change(&self, private: &PrivatePath) -> TokenStream {
        let access = FieldAccess::Struct;
        let counted = self
            .written()
            .enumerate()
            .filter(|(_, field)| field.is_compared() && field.absent.is_none() && !field.flatten);
        let parts = counted.map(|(i, field)| {
            let segment = match self.style {
                Style::Tuple => format!("/{i}").len(),
                Style::Unit | Style::Newtype | Style::Named => field.name.token().len(),
            };
            field.least_change(&access.value(field), &access.now(field), segment, private)
        });
        quote!(#private::engine::least_settled(0 #(+ #parts)*, path, now))
    }

    /// The number of text bytes that are not values.
    fn frame(&self, always: &[&FieldModel<'_>]) -> usize {
        let commas = always.len().saturating_sub(1);
        match self.style {
            Style::Unit => "null".len(),
            Style::Newtype => 0,
            Style::Tuple => "[]".len() + commas,
            Style::Named => {
                let names: usize = always.iter().map(|field| field.name.member().len()).sum();
                "{}".len() + commas + names
            }
        }
    }
}

fn guarded(field: &FieldModel<'_>, value: &TokenStream, write: &TokenStream) -> TokenStream {
    match field.is_absent(value) {
        Some(absent) => quote!(if !#absent { #write }),
        None => quote!(#write),
    }
}
