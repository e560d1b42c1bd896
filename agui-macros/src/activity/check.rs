//! Rules for activities that states do not have, one function each.

use syn::GenericParam;

use super::model::{ActivityModel, ActivityName, NotAnObject};
use crate::report::Report;

pub(super) fn check(activity: &ActivityModel<'_>, report: &Report) {
    check_generics(activity, report);
    check_name(activity, report);
    check_object(activity, report);
}

fn check_generics(activity: &ActivityModel<'_>, report: &Report) {
    let parameters = activity.generics.params.iter();
    // A type that borrows is not a state either; the rule about states reports it.
    if let Some(parameter) = parameters.into_iter().find(|param| !matches!(param, GenericParam::Lifetime(_)))
    {
        report.error(
            parameter,
            "an activity cannot be generic, because its type on the wire stands for one shape: write one type for each \
             activity",
        );
    }
}

fn check_name(activity: &ActivityModel<'_>, report: &Report) {
    if let ActivityName::Given { text, span } = &activity.name
        && text.trim().is_empty()
    {
        report
            .error_at(*span, "the type of an activity cannot be empty: leave `type` out for the default one");
    }
}

fn check_object(activity: &ActivityModel<'_>, report: &Report) {
    for found in &activity.not_an_object {
        match found {
            NotAnObject::UnitStruct(ident) => report.error(
                ident,
                format_args!(
                    "the content of an activity is a JSON object, and this is written as `null`: write `struct {ident} {{}}`"
                ),
            ),
            NotAnObject::TupleStruct(fields) => report.error(
                fields,
                "the content of an activity is a JSON object, and this is written as an array: give the fields names",
            ),
            NotAnObject::UnitVariant(variant) => report.error(
                variant,
                "the content of an activity is a JSON object, and this is written as a string: add \
                 `#[serde(tag = \"kind\")]` to the enum",
            ),
            NotAnObject::Into(key) => report.error(
                key,
                "the content of an activity is a JSON object, and this is written as another value: leave `into` out, or name a \
                 struct with named fields",
            ),
        }
    }
}
