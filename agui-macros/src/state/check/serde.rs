//! Rules about serde's attributes on the type.

use super::super::model::{StateModel, StateShape};
use crate::attr::SerdeAttrs;
use crate::report::Report;

pub(super) fn check(state: &StateModel<'_>, report: &Report) {
    check_conversions(state, report);
    check_names(&state.serde, report);
    for field in state.fields() {
        check_names(&field.serde, report);
    }
    if let StateShape::Enum(variants) = &state.shape {
        for variant in variants {
            check_names(&variant.serde, report);
            if !state.is_opaque() {
                check_variant(&variant.serde, report);
            }
        }
    }
}

/// Reports types that serde writes by way of another type: only a whole value can be sent.
fn check_conversions(state: &StateModel<'_>, report: &Report) {
    if let Some(key) = state.serde.serde(&["remote"]) {
        report.error(
            key,
            "`remote` describes a type of another crate, which cannot be shared state: write a type of your own around it",
        );
    }
    if state.is_opaque() {
        return;
    }
    if let Some(derive) = &state.foreign_serialize {
        let name = derive.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        report.error(
            derive,
            format_args!(
                "`{name}` writes another JSON than serde's own derive, which the fields here do not describe: add `#[state(opaque)]` to the type, which then is sent whole"
            ),
        );
    }
    if let Some(key) = state.serde.serde(&["from", "try_from"]) {
        report.error(
            key,
            format_args!(
                "`{}` reads the JSON as another type, so the fields here do not describe it: add `#[state(opaque)]` to the type, which then is sent whole",
                key.name
            ),
        );
    }
}

/// Reports different names for reading and writing: the agent and the operations read a state back from its own JSON.
fn check_names(serde: &SerdeAttrs, report: &Report) {
    for name in ["rename", "rename_all", "rename_all_fields"] {
        let Some(key) = serde.serde(&[name]) else { continue };
        let Some((read, written)) = key.both_sides() else { continue };
        let (read, written) = (read.map(|text| text.value()), written.map(|text| text.value()));
        if read != written {
            report.error(
                key,
                format_args!(
                    "a state is read back from its own JSON, so both directions use one name: write `{name} = \"…\"`"
                ),
            );
        }
    }
}

fn check_variant(serde: &SerdeAttrs, report: &Report) {
    if let Some(key) = serde.serde(&["with", "serialize_with"]) {
        report.error(
            key,
            format_args!(
                "`{}` hides the JSON of this variant: put it on a field of the variant, or add `#[state(opaque)]` to the type",
                key.name
            ),
        );
    }
}
