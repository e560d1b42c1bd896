//! Code for one field.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, LitStr};

use super::super::attr::KeyAttr;
use super::super::model::{FieldModel, WriteMethod};
use crate::krate::PrivatePath;
use crate::spelling::{at, located};

/// Expressions for references to the field: on the side that changes (shared and mutable), and on the other.
pub(super) struct FieldSides {
    pub(super) old: TokenStream,
    pub(super) mine: TokenStream,
    pub(super) now: TokenStream,
}

/// The field that a key names, with errors at the name.
fn key_field(key: &LitStr) -> Ident {
    let mut name = key.parse().unwrap_or_else(|_| Ident::new("key", key.span()));
    name.set_span(key.span());
    name
}

impl FieldModel<'_> {
    /// The type as a state; a type that is not a state is an error where the type is written.
    pub(super) fn state(&self, private: &PrivatePath) -> TokenStream {
        let ty = self.ty;
        quote_spanned!(at(ty)=> <#ty as #private::StateNode>)
    }

    fn members(&self, private: &PrivatePath) -> TokenStream {
        let ty = self.ty;
        quote_spanned!(at(ty)=> <#ty as #private::engine::FlatMembers>)
    }

    /// The function that writes the field's JSON, when its type does not.
    fn writer(&self, private: &PrivatePath) -> Option<TokenStream> {
        let ty = self.ty;
        let write = match &self.how {
            WriteMethod::State => return None,
            WriteMethod::Serialize => quote_spanned!(at(ty)=> out.serde(value)),
            WriteMethod::Function(function) => {
                quote_spanned!(at(function)=> out.serialize(|serializer| #function(value, serializer)))
            }
        };
        Some(quote!(|value: &#ty, out: &mut #private::engine::JsonOut| #write))
    }

    fn equal(&self, mine: &TokenStream, now: &TokenStream, private: &PrivatePath) -> TokenStream {
        let ty = self.ty;
        quote!((&#private::engine::opaque::EqualityProbe::<'_, #ty>(#mine, #now)).equal())
    }

    /// An expression that is true if the value behind the expression is absent.
    pub(super) fn is_absent(&self, value: &TokenStream) -> Option<TokenStream> {
        let absent = self.absent.as_ref()?;
        Some(quote_spanned!(at(absent)=> #absent(#value)))
    }

    pub(super) fn same(&self, mine: &TokenStream, now: &TokenStream, private: &PrivatePath) -> TokenStream {
        let same = match self.writer(private) {
            None => {
                let state = self.state(private);
                quote!(#state::same(#mine, #now))
            }
            Some(writer) => {
                let equal = self.equal(mine, now, private);
                quote!(#private::engine::opaque::same(#mine, #now, #equal, #writer))
            }
        };
        match (self.is_absent(mine), self.is_absent(now)) {
            (Some(was), Some(is)) => {
                quote!((match (#was, #is) { (false, false) => #same, (old, now) => old == now }))
            }
            _ => same,
        }
    }

    /// An expression that is true if the value is written as `null`.
    pub(super) fn is_null(&self, value: &TokenStream, private: &PrivatePath) -> TokenStream {
        match self.writer(private) {
            None => {
                let state = self.state(private);
                quote!(#state::is_null(#value))
            }
            Some(writer) => quote!(#private::engine::opaque::is_null_written(#value, #writer)),
        }
    }

    /// Writes the value alone; the caller checks presence.
    pub(super) fn write(&self, value: &TokenStream, private: &PrivatePath) -> TokenStream {
        match self.writer(private) {
            None => {
                let state = self.state(private);
                quote!(#state::write(#value, out);)
            }
            Some(writer) => {
                let ty = self.ty;
                quote!({ let write: #private::engine::opaque::FieldWriter<#ty> = #writer; write(#value, out); })
            }
        }
    }

    pub(super) fn write_members(&self, value: &TokenStream, private: &PrivatePath) -> TokenStream {
        let members = self.members(private);
        quote!(#members::write_members(#value, out);)
    }

    /// The flattened value's names.
    pub(super) fn names(&self, value: &TokenStream, private: &PrivatePath) -> TokenStream {
        let members = self.members(private);
        quote!(#members::names(#value))
    }

    /// `place` is an expression for a reference to the field's path, `old` for a reference that is not mutable.
    pub(super) fn sync(&self, sides: &FieldSides, place: &TokenStream, private: &PrivatePath) -> TokenStream {
        let FieldSides { old, mine, now } = sides;
        let (sync, gained, lost) = match (self.writer(private), &self.key) {
            (None, Some(KeyAttr::Member(key))) => {
                let keyed = self.sync_keyed(sides, key, place, private);
                (keyed, quote!(out.gained(#mine, #now, #place);), quote!(out.lost(#mine, #now, #place);))
            }
            (None, _) => {
                let state = self.state(private);
                let sync = quote!(#state::sync(#mine, #now, #place, out););
                (sync, quote!(out.gained(#mine, #now, #place);), quote!(out.lost(#mine, #now, #place);))
            }
            (Some(writer), _) => {
                let equal = self.equal(old, now, private);
                let opaque = quote!(#private::engine::opaque);
                (
                    quote!(let equal = #equal; #opaque::sync(#mine, #now, equal, #writer, #place, out);),
                    quote!(#opaque::gained(#mine, #now, #writer, #place, out);),
                    quote!(#opaque::lost(#mine, #now, #place, out);),
                )
            }
        };
        let settled = self.sync_presence(sides);
        match self.is_absent(old).zip(self.is_absent(now)) {
            None if self.writer(private).is_some() => quote!({ #sync }),
            None => sync,
            Some((was, is)) => quote! {
                match (#was, #is) {
                    (true, true) => {}
                    (false, false) => {
                        #sync
                        #settled
                    }
                    (true, false) => { #gained }
                    (false, true) => { #lost }
                }
            },
        }
    }

    /// Presence may depend on data outside the JSON, which the sync of a present member does not copy.
    fn sync_presence(&self, sides: &FieldSides) -> Option<TokenStream> {
        let FieldSides { old, mine, now } = sides;
        let is_absent = self.is_absent(old)?;
        Some(quote!(if #is_absent { ::core::clone::Clone::clone_from(#mine, #now); }))
    }

    /// An element field identifies list elements; the compiler looks that field up.
    fn sync_keyed(
        &self,
        sides: &FieldSides,
        key: &LitStr,
        place: &TokenStream,
        private: &PrivatePath,
    ) -> TokenStream {
        let FieldSides { mine, now, .. } = sides;
        let ty = self.ty;
        let name = key_field(key);
        // Every part of the code has its errors at the list, so that a type that does not fit is one error.
        let private = located(quote!(#private), at(ty));
        quote_spanned! { at(ty)=>
            #private::engine::keyed(
                #mine,
                #now,
                &|old, now| #private::StateNode::same(&old.#name, &now.#name),
                &|item, token| #private::StateNode::token(&item.#name, token),
                #place,
                out,
            );
        }
    }

    /// Compares a field whose members belong to the owner, at the path `at`.
    pub(super) fn sync_members(&self, sides: &FieldSides, private: &PrivatePath) -> TokenStream {
        let FieldSides { old, mine, now } = sides;
        let members = self.members(private);
        let sync = quote!(#members::sync_members(#mine, #now, at, out););
        let Some((was, is)) = self.is_absent(old).zip(self.is_absent(now)) else { return sync };
        let (some, none) = (quote!(::core::option::Option::Some), quote!(::core::option::Option::None));
        let exchange = quote!(#private::engine::members::exchange);
        let settled = self.sync_presence(sides);
        let copy = quote!(::core::clone::Clone::clone_from(#mine, #now););
        quote! {
            match (#was, #is) {
                (true, true) => {}
                (false, false) => {
                    #sync
                    #settled
                }
                (true, false) => { #exchange(#none, #some(#now), at, out); #copy }
                (false, true) => { #exchange(#some(#old), #none, at, out); #copy }
            }
        }
    }

    pub(super) fn token(&self, value: &TokenStream, private: &PrivatePath) -> TokenStream {
        let token = match self.writer(private) {
            None => {
                let state = self.state(private);
                quote!(#state::token(#value, token))
            }
            Some(writer) => quote!(#private::engine::opaque::token(#value, #writer, token)),
        };
        match self.is_absent(value) {
            Some(absent) => quote!(if #absent { token.null() } else { #token }),
            None => quote!(#token;),
        }
    }

    /// The length of the value's shortest text.
    pub(super) fn min(&self, private: &PrivatePath) -> TokenStream {
        match self.how {
            WriteMethod::State => {
                let state = self.state(private);
                quote!(#state::MIN)
            }
            WriteMethod::Serialize | WriteMethod::Function(_) => quote!(1),
        }
    }

    /// A lower bound for the operations between two values at a path that is longer than the owner's by `segment`.
    pub(super) fn least_change(
        &self,
        mine: &TokenStream,
        now: &TokenStream,
        segment: usize,
        private: &PrivatePath,
    ) -> TokenStream {
        let state = self.state(private);
        quote!(#state::least_change(#mine, #now, path + #segment))
    }

    /// A lower bound for this value's text.
    pub(super) fn floor(&self, value: &TokenStream, private: &PrivatePath) -> TokenStream {
        match self.how {
            WriteMethod::State => {
                let state = self.state(private);
                quote!(#state::floor(#value))
            }
            _ => self.min(private),
        }
    }
}
