//! State rules, one function each.

mod field;
mod serde;

use super::attr::KeyAttr;
use super::model::{FieldOwner, StateModel, StateShape, Style};
use crate::report::Report;
use crate::spelling::borrowed;

pub(super) fn check(state: &StateModel<'_>, report: &Report) {
    check_shape(state, report);
    check_owned(state, report);
    check_one_key(state, report);
    check_live(state, report);
    check_exact(state, report);
    serde::check(state, report);
    for field in state.fields() {
        field::check(state, field, report);
    }
}

fn check_shape(state: &StateModel<'_>, report: &Report) {
    if let StateShape::Union(union) = state.shape {
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
    for field in state.fields() {
        if let Some(span) = borrowed(field.ty) {
            report.error_at(span, OWN);
        }
    }
}

fn check_one_key(state: &StateModel<'_>, report: &Report) {
    let fields = state.fields();
    let keys = fields.iter().filter(|field| field.owner != FieldOwner::Variant);
    let this = keys.filter_map(|field| match &field.key {
        Some(KeyAttr::This(key)) => Some(key),
        Some(KeyAttr::Member(_)) | None => None,
    });
    for second in this.skip(1) {
        report.error(second, "a type has one key, this is the second: keep the one that never changes");
    }
}

fn check_live(state: &StateModel<'_>, report: &Report) {
    let Some(live) = state.live else { return };
    let is_object = matches!(&state.shape, StateShape::Struct(strukt) if strukt.body.style == Style::Named);
    if !is_object || state.inner().is_some() {
        report.error_at(live.0, "`live` marks the fields of an object: put it on a struct with named fields");
    } else if !state.generics.params.is_empty() {
        report.error_at(
            live.0,
            "`live` is for the type of the whole state, which has no type parameters: leave out `live`, or the parameters",
        );
    } else if state.is_opaque() {
        report.error_at(
            live.0,
            "`live` and `opaque` contradict each other: an opaque state is sent whole; keep one of them",
        );
    }
}

fn check_exact(state: &StateModel<'_>, report: &Report) {
    if let (Some(exact), true) = (state.exact, state.is_opaque()) {
        report.error_at(
            exact.0,
            "`exact` and `opaque` contradict each other: an opaque state has no members to replace; keep one of them",
        );
    }
}
