//! The rules of a state, one function each.

use syn::spanned::Spanned;

use super::attr::KeyAttr;
use super::model::{FieldModel, Owner, Shape, StateModel};
use crate::report::Report;
use crate::spelling::borrowed;

pub(super) fn check(state: &StateModel<'_>, report: &Report) {
    check_shape(state, report);
    check_owned(state, report);
    check_conversions(state, report);
    check_one_key(state, report);
    for field in &state.fields {
        check_field_options(field, report);
        check_written_by_hand(state, field, report);
    }
}

fn check_shape(state: &StateModel<'_>, report: &Report) {
    if let Shape::Union(union) = state.shape {
        report.error(union, "a union has no JSON form: write an enum");
    }
}

fn check_owned(state: &StateModel<'_>, report: &Report) {
    const OWN: &str = "shared state lives as long as the run, so it must own its data: write `String` for `&str`, \
                       `Vec<T>` for `&[T]`";
    if let Some(lifetime) = state.generics.lifetimes().next() {
        report.error(lifetime, OWN);
        return;
    }
    for field in &state.fields {
        if let Some(span) = borrowed(field.ty) {
            report.error_at(span, OWN);
        }
    }
}

/// Types that serde writes by way of another type: only a whole value can be sent.
fn check_conversions(state: &StateModel<'_>, report: &Report) {
    if let Some(key) = state.serde.serde(&["remote"]) {
        report.error(key, "`remote` describes a type of another crate, which cannot be shared state: write a type of your own around it");
    }
    if state.opaque.is_some() {
        return;
    }
    if let Some(key) = state.serde.serde(&["into", "from", "try_from"]) {
        report.error(
            key,
            format_args!(
                "`{}` makes another type of it on the way to JSON, so its fields are not what changes there: add \
                 `#[state(opaque)]` to the type, and it is sent whole",
                key.name
            ),
        );
    }
}

fn check_one_key(state: &StateModel<'_>, report: &Report) {
    let keys = state.fields.iter().filter(|field| field.owner != Owner::Variant);
    let this = keys.filter_map(|field| match &field.key {
        Some(KeyAttr::This(key)) => Some(key),
        Some(KeyAttr::Member(_)) | None => None,
    });
    for second in this.skip(1) {
        report.error(second, "a type has one key, this is the second: keep the one that never changes");
    }
}

fn check_field_options(field: &FieldModel<'_>, report: &Report) {
    match &field.key {
        Some(KeyAttr::This(key)) if field.owner == Owner::Variant => report.error(
            key,
            "a variant's field cannot be a key, because the other variants lack it: put `key` on a field of a struct",
        ),
        Some(KeyAttr::This(key)) if field.owner == Owner::TupleStruct => report.error(
            key,
            "a key is a member of a JSON object, and this field has no name: give the struct named fields",
        ),
        Some(KeyAttr::This(key)) if field.is_skipped() => {
            report.error(key, "the client never sees this field, so it cannot be a key: leave out `skip`, or `key`");
        }
        Some(KeyAttr::Member(text)) if text.value().is_empty() => {
            report.error(text, "`key` names the member that tells the elements apart: write `key = \"id\"`");
        }
        _ => {}
    }
    if let (Some(opaque), Some(KeyAttr::Member(_))) = (field.opaque, &field.key) {
        report.error_at(
            opaque.0,
            "`opaque` and `key = \"…\"` contradict each other: an opaque list is sent whole, keep one of them",
        );
    }
    if let (Some(opaque), true) = (field.opaque, field.is_skipped()) {
        report.error_at(opaque.0, "the client never sees this field: leave out `opaque`, or `skip`");
    }
}

/// Fields that serde writes by a function of the user's.
fn check_written_by_hand(state: &StateModel<'_>, field: &FieldModel<'_>, report: &Report) {
    if let Some(key) = field.serde.serde(&["getter"]) {
        report.error(key, "`getter` reads a type of another crate, which cannot be shared state: write a type of your own around it");
        return;
    }
    if field.is_skipped() {
        return;
    }
    let unseen = field.serde.unseen_by_schemars();
    let by_hand = field.serde.serde(&["with", "serialize_with"]);
    let is_opaque = field.opaque.is_some() || state.opaque.is_some();
    let Some(key) = unseen.or(by_hand) else { return };
    let missing = match (unseen.is_some(), by_hand.is_some() && !is_opaque) {
        (true, true) => {
            "`#[state(opaque)]` to send it whole, and `#[schemars(with = \"…\")]` with the type it is written as"
        }
        (true, false) => "`#[schemars(with = \"…\")]` with the type it is written as",
        (false, true) => "`#[state(opaque)]` to send it whole",
        (false, false) => return,
    };
    report.error_at(
        key.tokens.span(),
        format_args!("`{}` writes this field in a way the derives cannot see: add {missing}", key.name),
    );
}
