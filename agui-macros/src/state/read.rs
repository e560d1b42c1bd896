//! Reads type syntax into the state model.

use quote::format_ident;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, ExprPath, Fields, Index, Member, Path, Token};

use super::attr::{StateAttr, StateAttrs};
use super::model::{
    FieldModel, FieldOwner, FieldsBody, JsonName, StateModel, StateShape, StructModel, Style, VariantForm,
    VariantModel, WriteMethod,
};
use crate::attr::{RenameRule, SerdeAttrs, SerdeKey};

impl<'a> StateModel<'a> {
    pub(super) fn from_syn(attrs: StateAttrs, input: &'a DeriveInput) -> Self {
        let serde = SerdeAttrs::from_attributes(&input.attrs);
        let mut options = attrs.on_fields.into_iter();
        let rule = rule(&serde, "rename_all");
        let shape = match &input.data {
            Data::Struct(strukt) => {
                let owner = match strukt.fields {
                    Fields::Named(_) => FieldOwner::NamedStruct,
                    Fields::Unnamed(_) | Fields::Unit => FieldOwner::TupleStruct,
                };
                let mut body = FieldsBody::from_syn(owner, &strukt.fields, rule, &mut options);
                let transparent = serde.serde(&["transparent"]).is_some();
                if transparent {
                    body.fields.iter_mut().for_each(|field| field.absent = None);
                }
                let own = name_of(&serde).unwrap_or_else(|| input.ident.unraw().to_string());
                let tag = text(&serde, "tag").filter(|_| owner == FieldOwner::NamedStruct);
                StateShape::Struct(StructModel {
                    body,
                    tag: tag.map(|tag| (JsonName(tag), JsonName(own))),
                    transparent,
                })
            }
            Data::Enum(enum_) => {
                let fields_rule = self::rule(&serde, "rename_all_fields");
                let form = form(&serde);
                let variants = enum_.variants.iter();
                let read = |variant| VariantModel::from_syn(variant, &form, rule, fields_rule, &mut options);
                StateShape::Enum(variants.map(read).collect())
            }
            Data::Union(union) => StateShape::Union(&union.union_token),
        };
        Self {
            vis: &input.vis,
            ident: &input.ident,
            generics: &input.generics,
            serde,
            foreign_serialize: foreign_serialize(&input.attrs),
            opaque: attrs.on_type.opaque,
            exact: attrs.on_type.exact,
            live: attrs.on_type.live,
            shape,
        }
    }
}

impl<'a> VariantModel<'a> {
    fn from_syn(
        variant: &'a syn::Variant,
        form: &VariantForm,
        rule: Option<RenameRule>,
        fields_rule: Option<RenameRule>,
        options: &mut impl Iterator<Item = StateAttr>,
    ) -> Self {
        let serde = SerdeAttrs::from_attributes(&variant.attrs);
        let written = variant.ident.unraw().to_string();
        let name = name_of(&serde)
            .unwrap_or_else(|| rule.map_or_else(|| written.clone(), |rule| rule.variant(&written)));
        let fields_rule = self::rule(&serde, "rename_all").or(fields_rule);
        let is_untagged = serde.serde(&["untagged"]).is_some();
        Self {
            ident: &variant.ident,
            name: JsonName(name),
            form: if is_untagged { VariantForm::Untagged } else { form.clone() },
            skipped: is_skipped(&serde),
            body: FieldsBody::from_syn(FieldOwner::Variant, &variant.fields, fields_rule, options),
            serde,
        }
    }
}

impl<'a> FieldsBody<'a> {
    fn from_syn(
        owner: FieldOwner,
        fields: &'a Fields,
        rule: Option<RenameRule>,
        options: &mut impl Iterator<Item = StateAttr>,
    ) -> Self {
        let read = |(i, (field, attr))| FieldModel::from_syn(owner, i, field, rule, attr);
        let mut fields_here: Vec<_> = fields.iter().zip(options).enumerate().map(read).collect();
        let style = match (fields, fields_here.as_slice()) {
            (Fields::Unit, _) => Style::Unit,
            // serde writes a variant around a skipped field as if the field were not there.
            (Fields::Unnamed(_), [field]) if field.skipped && owner == FieldOwner::Variant => Style::Unit,
            (Fields::Unnamed(_), [_]) => Style::Newtype,
            (Fields::Unnamed(_), _) => Style::Tuple,
            (Fields::Named(_), _) => Style::Named,
        };
        if style == Style::Newtype {
            // serde always writes it, whatever its attributes say about absence.
            fields_here.iter_mut().for_each(|field| field.absent = None);
        }
        Self { style, fields: fields_here }
    }
}

impl<'a> FieldModel<'a> {
    fn from_syn(
        owner: FieldOwner,
        place: usize,
        field: &'a syn::Field,
        rule: Option<RenameRule>,
        attr: StateAttr,
    ) -> Self {
        let serde = SerdeAttrs::from_attributes(&field.attrs);
        let (member, written) = match &field.ident {
            Some(ident) => (Member::Named(ident.clone()), ident.unraw().to_string()),
            None => (Member::Unnamed(Index::from(place)), place.to_string()),
        };
        let name = name_of(&serde)
            .unwrap_or_else(|| rule.map_or_else(|| written.clone(), |rule| rule.field(&written)));
        let how = match function(&serde) {
            Some(function) => WriteMethod::Function(function),
            None if attr.opaque.is_some() => WriteMethod::Serialize,
            None => WriteMethod::State,
        };
        let mut field = Self {
            member,
            mine: format_ident!("mine_{place}"),
            theirs: format_ident!("now_{place}"),
            vis: &field.vis,
            ty: &field.ty,
            owner,
            name: JsonName(name),
            skipped: is_skipped(&serde),
            absent: path(&serde, "skip_serializing_if"),
            flatten: serde.serde(&["flatten"]).is_some(),
            how,
            opaque: attr.opaque,
            key: attr.key,
            serde,
        };
        if field.is_phantom() {
            field.how = WriteMethod::Serialize;
        }
        field
    }
}

/// The first visible derive of a `Serialize` that is not serde's, such as `Serialize_repr` or `SerializeDisplay`; `None` beside
/// serde's own, because then the other one is a trait of another name. The compiler shows a derive only the lists below its own.
fn foreign_serialize(attrs: &[Attribute]) -> Option<Path> {
    let lists = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    let derives: Vec<Path> = lists
        .filter_map(|attr| attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok())
        .flatten()
        .collect();
    let name =
        |derive: &Path| derive.segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default();
    if derives.iter().any(|derive| name(derive) == "Serialize") {
        return None;
    }
    derives.into_iter().find(|derive| name(derive).starts_with("Serialize"))
}

fn form(serde: &SerdeAttrs) -> VariantForm {
    if serde.serde(&["untagged"]).is_some() {
        return VariantForm::Untagged;
    }
    match (text(serde, "tag"), text(serde, "content")) {
        (Some(tag), Some(content)) => {
            VariantForm::Adjacent { tag: JsonName(tag), content: JsonName(content) }
        }
        (Some(tag), None) => VariantForm::Internal { tag: JsonName(tag) },
        (None, _) => VariantForm::External,
    }
}

fn rule(serde: &SerdeAttrs, key: &str) -> Option<RenameRule> {
    RenameRule::of(&text(serde, key)?)
}

fn name_of(serde: &SerdeAttrs) -> Option<String> {
    text(serde, "rename")
}

fn is_skipped(serde: &SerdeAttrs) -> bool {
    serde.serde(&["skip", "skip_serializing"]).is_some()
}

/// The function that writes a field: `with` names a module, or a type, that holds it.
fn function(serde: &SerdeAttrs) -> Option<ExprPath> {
    path(serde, "serialize_with").or_else(|| {
        let module = serde.serde(&["with"])?.text()?;
        syn::LitStr::new(&format!("{}::serialize", module.value()), module.span()).parse().ok()
    })
}

fn path(serde: &SerdeAttrs, key: &str) -> Option<ExprPath> {
    serde.serde(&[key])?.text()?.parse().ok()
}

fn text(serde: &SerdeAttrs, key: &str) -> Option<String> {
    serde.serde(&[key]).and_then(SerdeKey::text).map(|text| text.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derive_beside_the_one_of_serde_writes_something_else() {
        let item: syn::ItemStruct = syn::parse_quote! {
            #[derive(Clone, serde_repr::Serialize_repr)]
            struct Level;
        };
        let found = foreign_serialize(&item.attrs).unwrap();
        assert_eq!(found.segments.last().unwrap().ident, "Serialize_repr");
        let item: syn::ItemStruct = syn::parse_quote! {
            #[derive(SerializeRow)]
            #[derive(serde::Serialize)]
            struct Row;
        };
        assert!(foreign_serialize(&item.attrs).is_none());
    }
}
