//! Rules for one field.

use proc_macro2::Span;
use syn::spanned::Spanned;

use super::super::attr::KeyAttr;
use super::super::model::{FieldModel, FieldOwner, StateModel, StateShape, Style, VariantForm};
use crate::attr::check_as_string;
use crate::report::Report;
use crate::spelling::{generic_of, peeled};

pub(super) fn check(state: &StateModel<'_>, field: &FieldModel<'_>, report: &Report) {
    check_key(field, report);
    check_opaque(field, report);
    check_written_by_hand(field, report);
    if !state.is_opaque() {
        check_presence(state, field, report);
        check_flatten(field, report);
        check_content(state, field, report);
    }
}

fn check_key(field: &FieldModel<'_>, report: &Report) {
    match &field.key {
        Some(KeyAttr::This(key)) if field.owner == FieldOwner::Variant => report.error(
            key,
            "a variant's field cannot be a key, because the other variants lack it: put `key` on a field of a struct",
        ),
        Some(KeyAttr::This(key)) if field.owner == FieldOwner::TupleStruct => report.error(
            key,
            "a key is a member of a JSON object, and this field has no name: give the struct named fields",
        ),
        Some(KeyAttr::This(key)) if field.skipped => {
            report.error(key, "the client never sees this field, so it cannot be a key: leave out `skip`, or `key`");
        }
        Some(KeyAttr::This(key)) if field.flatten => report.error(
            key,
            "a flattened field has no name of its own, so it cannot be a key: put `key` on a field in it",
        ),
        Some(KeyAttr::Member(text)) if text.value().is_empty() => {
            report.error(text, "`key` names the field that tells the elements apart: write `key = \"id\"`");
        }
        Some(KeyAttr::Member(text)) if text.parse::<syn::Ident>().is_err() => report.error(
            text,
            "`key` names a field of the elements as Rust does: write `key = \"id\"`",
        ),
        _ => {}
    }
}

fn check_opaque(field: &FieldModel<'_>, report: &Report) {
    let Some(opaque) = field.opaque else { return };
    if let Some(KeyAttr::Member(_)) = &field.key {
        report.error_at(
            opaque.0,
            "`opaque` and `key = \"…\"` contradict each other: an opaque list is sent whole; keep one of them",
        );
    }
    if field.skipped {
        report.error_at(opaque.0, "the client never sees this field: leave out `opaque`, or `skip`");
    } else if field.flatten {
        report.error_at(
            opaque.0,
            "`opaque` and `flatten` contradict each other: an opaque field is sent whole, and a flattened one has no \
             place of its own. Keep one of them",
        );
    }
}

/// Reports fields that serde writes by a user function.
fn check_written_by_hand(field: &FieldModel<'_>, report: &Report) {
    if let Some(key) = field.serde.serde(&["getter"]) {
        report.error(
            key,
            "`getter` reads a type of another crate, which cannot be shared state: write a type of your own around it",
        );
        return;
    }
    if field.skipped {
        return;
    }
    check_as_string(&field.serde, field.ty, report);
    if let Some(key) = field.serde.unseen_by_schemars() {
        report.error_at(
            key.tokens.span(),
            format_args!(
                "`{}` writes this field in a way schemars cannot see: add `#[schemars(with = \"…\")]` with the type it \
                 is written as",
                key.name
            ),
        );
    }
}

/// Reports a part that may be absent and is not an object member.
fn check_presence(state: &StateModel<'_>, field: &FieldModel<'_>, report: &Report) {
    let style = style_of(state, field);
    if let (Some(key), Some(Style::Tuple)) = (field.serde.serde(&["skip_serializing_if"]), style) {
        report.error(
            key,
            "an element that is left out of an array shifts the elements after it: leave out `skip_serializing_if`, or give the field a name",
        );
    }
    let is_around = style == Some(Style::Newtype) && field.owner == FieldOwner::TupleStruct;
    if let (Some(key), true) = (field.serde.serde(&["skip", "skip_serializing"]), is_around) {
        report.error(
            key,
            "serde ignores this attribute on the only field of a tuple struct: leave it out, or write `struct Name;`",
        );
    }
}

fn check_flatten(field: &FieldModel<'_>, report: &Report) {
    let (Some(flatten), Some(by_hand)) =
        (field.serde.serde(&["flatten"]), field.serde.serde(&["with", "serialize_with"]))
    else {
        return;
    };
    report.error(
        flatten,
        format_args!(
            "`flatten` with `{}` hides the changes of this field: leave out one of them, or add `#[state(opaque)]` to the type",
            by_hand.name
        ),
    );
}

/// Reports content beside an inner tag that is not an object's members.
fn check_content(state: &StateModel<'_>, field: &FieldModel<'_>, report: &Report) {
    let StateShape::Enum(variants) = &state.shape else { return };
    let is_beside_a_tag = variants.iter().any(|variant| {
        matches!(variant.form, VariantForm::Internal { .. })
            && variant.body.style == Style::Newtype
            && variant.body.fields.iter().any(|own| std::ptr::eq(own, field))
    });
    if !is_beside_a_tag {
        return;
    }
    if let Some(by_hand) = field.serde.serde(&["with", "serialize_with"]) {
        report.error(
            by_hand,
            "an enum with a `tag` alone needs variants that are objects, and this function may write other JSON: add `content = \"…\"` to the enum's `tag`",
        );
    } else if let Some(opaque) = field.opaque {
        report.error_at(
            opaque.0,
            "an internally tagged enum holds only the members of objects: leave out `opaque`, or add \
             `content = \"…\"` to the enum's `tag`",
        );
    } else if is_option(field) {
        report.error_at(
            peeled(field.ty).span().resolved_at(Span::call_site()),
            "serde cannot write an `Option` in an internally tagged variant: write a variant without content for `None`",
        );
    }
}

fn is_option(field: &FieldModel<'_>) -> bool {
    generic_of(field.ty, "Option").is_some()
}

fn style_of(state: &StateModel<'_>, field: &FieldModel<'_>) -> Option<Style> {
    let holds =
        |body: &super::super::model::FieldsBody<'_>| body.fields.iter().any(|own| std::ptr::eq(own, field));
    match &state.shape {
        StateShape::Struct(strukt) => (!strukt.transparent).then_some(strukt.body.style),
        StateShape::Enum(variants) => {
            variants.iter().find(|variant| holds(&variant.body)).map(|variant| variant.body.style)
        }
        StateShape::Union(_) => None,
    }
}
