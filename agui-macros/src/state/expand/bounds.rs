//! The conditions under which a generic type is a state.

use quote::quote;
use syn::{GenericParam, Generics, Ident, Type, TypePath, WhereClause, WherePredicate, parse_quote};

use super::super::model::{FieldModel, StateModel, StateShape, Style, VariantForm};
use crate::krate::PrivatePath;
use crate::spelling::peeled;
use crate::walk::{TypePart, walk};

/// The where clause under which a generic type has the supertraits that `State` requires. A type without parameters has none: the
/// compiler reports a missing trait at the type's name.
pub(crate) fn supertraits_clause(
    ident: &Ident,
    generics: &Generics,
    private: &PrivatePath,
) -> Option<WhereClause> {
    let mut clause = generics.where_clause.clone();
    if generics.params.is_empty() {
        return clause;
    }
    let (_, type_generics, _) = generics.split_for_impl();
    clause.get_or_insert_with(|| parse_quote!(where)).predicates.push(parse_quote! {
        #ident #type_generics: #private::serde::Serialize
            + #private::serde::de::DeserializeOwned
            + #private::schemars::JsonSchema
            + ::core::clone::Clone
            + 'static
    });
    clause
}

/// As in serde, parameters in compared field types are states, and so are the parameters' associated types.
pub(super) fn state(state: &StateModel<'_>, private: &PrivatePath) -> Option<WhereClause> {
    let mut clause = supertraits_clause(state.ident, state.generics, private);
    if !state.generics.params.is_empty() {
        let predicates = &mut clause.get_or_insert_with(|| parse_quote!(where)).predicates;
        let mut used = UsedGenerics::among(state.generics);
        state.compared().iter().for_each(|field| used.note(field.ty));
        predicates.extend(used.bounds(private));
        let members = state.compared().into_iter().filter(|field| is_merged(state, field));
        let members = members.filter(|field| UsedGenerics::among(state.generics).finds(field.ty));
        predicates.extend(members.map(|field| -> WherePredicate {
            let ty = field.ty;
            parse_quote!(#ty: #private::engine::FlatMembers)
        }));
    }
    clause
}

/// The same for `MemberParts`: each type that is merged into the object must have members itself.
pub(super) fn members(state: &StateModel<'_>, inner: &[Type], private: &PrivatePath) -> Option<WhereClause> {
    let mut clause = self::state(state, private);
    if !inner.is_empty() {
        let predicates = &mut clause.get_or_insert_with(|| parse_quote!(where)).predicates;
        // The unused lifetime turns this into a condition: without it the compiler insists that the bound holds.
        predicates.extend(
            inner.iter().map(|ty| -> WherePredicate {
                parse_quote!(for<'__agui> #ty: #private::engine::FlatMembers)
            }),
        );
    }
    clause
}

/// Returns true if the field's members are members in the owner.
fn is_merged(state: &StateModel<'_>, field: &FieldModel<'_>) -> bool {
    let is_content = |variant: &super::super::model::VariantModel<'_>| {
        matches!(variant.form, VariantForm::Internal { .. })
            && variant.body.style == Style::Newtype
            && variant.body.fields.iter().any(|own| std::ptr::eq(own, field))
    };
    field.flatten || matches!(&state.shape, StateShape::Enum(variants) if variants.iter().any(is_content))
}

struct UsedGenerics<'a> {
    params: Vec<&'a Ident>,
    used: Vec<Ident>,
    associated: Vec<TypePath>,
}

impl<'a> UsedGenerics<'a> {
    fn among(generics: &'a Generics) -> Self {
        let params = generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Lifetime(_) | GenericParam::Const(_) => None,
        });
        Self { params: params.collect(), used: Vec::new(), associated: Vec::new() }
    }

    /// Adds the parameters in a type, and their associated types.
    fn note(&mut self, ty: &Type) {
        walk(&mut ty.clone(), &mut |part| {
            if let TypePart::Type(ty) = part
                && let Type::Path(path) = peeled(ty)
                && path.qself.is_none()
                && let Some(first) = path.path.segments.first()
                && self.params.contains(&&first.ident)
            {
                if path.path.segments.len() > 1 {
                    self.associated.push(path.clone());
                    return false;
                }
                self.used.extend(path.path.get_ident().cloned());
            }
            true
        });
    }

    fn finds(mut self, ty: &Type) -> bool {
        self.note(ty);
        !self.used.is_empty() || !self.associated.is_empty()
    }

    fn bounds(self, private: &PrivatePath) -> Vec<WherePredicate> {
        let used = self.params.iter().filter(|param| self.used.contains(param)).map(|param| quote!(#param));
        let associated = self.associated.iter().map(|ty| quote!(#ty));
        used.chain(associated).map(|ty| parse_quote!(#ty: #private::StateNode)).collect()
    }
}
