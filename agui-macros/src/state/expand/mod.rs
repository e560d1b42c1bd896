//! A checked state as Rust.
//!
//! Each type gets little code: the work on a change is in the runtime, behind calls that all types share.

mod body;
mod bounds;
mod enums;
mod field;
mod key;
mod live;
mod opaque;
mod structs;

use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use bounds::supertraits_clause;

use super::model::{StateModel, StateShape, WriteMethod};
use crate::krate::PrivatePath;

/// Parts for a `State` impl, and for the impls beside.
#[derive(Default)]
struct StateParts {
    /// `State` constants and methods.
    state: TokenStream,
    /// `MemberParts` methods, for a type that is written as an object.
    members: Option<MemberParts>,
}

struct MemberParts {
    methods: TokenStream,
    /// Types that must be objects themselves so that this type has `MemberParts`.
    inner: Vec<syn::Type>,
}

pub(super) fn expand(state: &StateModel<'_>, private: &PrivatePath) -> TokenStream {
    let parts = match &state.shape {
        _ if state.is_opaque() => opaque::expand(private),
        StateShape::Struct(strukt) => structs::expand(strukt, private),
        StateShape::Enum(variants) => enums::expand(variants, private),
        // Refused by `check`.
        StateShape::Union(_) => StateParts::default(),
    };
    let ident = state.ident;
    let (impl_generics, type_generics, _) = state.generics.split_for_impl();
    let where_clause = bounds::state(state, private);
    let exact = match (state.exact, state.inner()) {
        (Some(_), _) => Some(quote!(true)),
        (None, Some(field)) if field.is_compared() => {
            let ty = field.ty;
            Some(quote!(<#ty as #private::StateNode>::EXACT))
        }
        (None, _) => None,
    };
    let open = is_open(state, private);
    let exact = exact.map(|exact| quote!(const EXACT: ::core::primitive::bool = #exact;));
    let key = key::expand(state, private);
    let methods = parts.state;
    let members = parts.members.map(|members| {
        let where_clause = bounds::members(state, &members.inner, private);
        let methods = members.methods;
        quote! {
            #[automatically_derived]
            impl #impl_generics #private::engine::FlatMembers for #ident #type_generics #where_clause { #methods }
        }
    });
    let map_key = key::expand_map_key(state, private);
    let via = uses_equality(state).then(|| {
        quote! {
            #[allow(unused_imports)]
            use #private::engine::opaque::{ViaEq as _, ViaText as _};
        }
    });
    let live = live::expand(state, private);
    // A type without parameters needs no other type to be a state: it would only lengthen the compiler's lists.
    let unlisted = state.generics.params.is_empty().then(|| quote!(#[diagnostic::do_not_recommend]));
    quote! {
        #live
        #[allow(deprecated, clippy::all)]
        const _: () = {
            #via
            #[automatically_derived]
            #unlisted
            impl #impl_generics #private::StateNode for #ident #type_generics #where_clause {
                #exact
                #key
                #methods
                #open
            }
            #members
            #map_key
        };
    }
}

/// The method that is true if a field is read from any JSON. Types that serde alone reads count as closed.
fn is_open(state: &StateModel<'_>, private: &PrivatePath) -> Option<TokenStream> {
    let fields = state.compared();
    let types = fields.iter().map(|field| field.state(private));
    (!fields.is_empty()).then(|| {
        quote! {
            fn is_open(types: &mut #private::engine::VisitedTypes) -> ::core::primitive::bool {
                types.enter::<Self>() && (#(#types::is_open(types))||*)
            }
        }
    })
}

/// Returns true if some value is compared by `==`, where the value's type has `PartialEq`.
fn uses_equality(state: &StateModel<'_>) -> bool {
    let by_hand =
        |field: &&super::model::FieldModel<'_>| !matches!(field.how, WriteMethod::State) && !field.skipped;
    state.is_opaque() || state.fields().iter().any(by_hand)
}
