//! `#[state(live)]`: state fields, each behind a mark.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::super::model::{FieldModel, StateModel, StateShape, StructModel};
use super::body::FieldAccess;
use crate::krate::PrivatePath;

pub(super) fn expand(state: &StateModel<'_>, private: &PrivatePath) -> Option<TokenStream> {
    let StateShape::Struct(strukt) = &state.shape else { return None };
    state.live?;
    let (vis, ident) = (state.vis, state.ident);
    let edit = format_ident!("{ident}Edit");
    let docs = format!("The fields of [`{ident}`], each marked when it is borrowed mutably.");
    let fields = strukt.body.fields.iter().map(|field| {
        let (vis, member, ty) = (field.vis, &field.member, field.ty);
        let docs = format!("The field `{}`.", quote!(#member));
        match field.skipped {
            true => quote!(#[doc = #docs] #vis #member: &'__agui mut #ty),
            false => quote!(#[doc = #docs] #vis #member: #private::Mut<'__agui, #ty>),
        }
    });
    let impls = expand_marked(state, strukt, &edit, private);
    Some(quote! {
        #[doc = #docs]
        #[allow(dead_code)]
        #vis struct #edit<'__agui> { #(#fields,)* }
        const _: () = { #impls };
    })
}

fn expand_marked(
    state: &StateModel<'_>,
    strukt: &StructModel<'_>,
    edit: &syn::Ident,
    private: &PrivatePath,
) -> TokenStream {
    let ident = state.ident;
    let mut number = 0_u32;
    let mut next = || {
        let this = number;
        number += 1;
        this
    };
    let numbered: Vec<(&FieldModel<'_>, Option<u32>)> =
        strukt.body.fields.iter().map(|field| (field, (!field.skipped).then(&mut next))).collect();
    let borrowed = numbered.iter().map(|(field, number)| {
        let member = &field.member;
        match number {
            Some(number) => quote!(#member: #private::Mut::new(&mut self.#member, marks, #number)),
            None => quote!(#member: &mut self.#member),
        }
    });
    let synced = numbered.iter().filter_map(|(field, number)| {
        let bit = number.as_ref()?.min(&63);
        let sides = FieldAccess::Struct.sides(field);
        let sync = if field.flatten {
            field.sync_members(&sides, private)
        } else {
            let token = field.name.token();
            field.sync(&sides, &quote!(&at.lit(#token)), private)
        };
        Some(quote!(if marks & (1 << #bit) != 0 { #sync }))
    });
    let own_tag = strukt.tag.as_ref().map(|(tag, _)| tag);
    let synced = quote!(#(#synced)*);
    let synced = strukt.body.without_collisions(own_tag, FieldAccess::Struct, &synced, private);
    quote! {
        #[allow(unused_imports)]
        use #private::engine::opaque::{ViaEq as _, ViaText as _};

        #[automatically_derived]
        impl #private::engine::MarkedState for #ident {
            type Edit<'__agui> = #edit<'__agui>;

            fn edit<'__agui>(
                &'__agui mut self,
                marks: &'__agui ::core::cell::Cell<::core::primitive::u64>,
            ) -> #edit<'__agui> {
                #edit { #(#borrowed,)* }
            }

            fn sync_marked(
                &mut self,
                now: &Self,
                marks: ::core::primitive::u64,
                at: &#private::engine::StatePath<'_>,
                out: &mut #private::engine::PatchText,
            ) {
                let mark = out.mark();
                #synced
                out.settle(mark, at, now);
            }
        }
    }
}
