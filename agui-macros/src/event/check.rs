//! The rules of a custom event, one function each.

use syn::GenericParam;

use super::model::{EventModel, Name};
use crate::report::Report;

pub(super) fn check(event: &EventModel<'_>, report: &Report) {
    check_shape(event, report);
    check_generics(event, report);
    check_name(event, report);
    for field in &event.fields {
        check_schema(field, report);
    }
}

fn check_shape(event: &EventModel<'_>, report: &Report) {
    if let Some(union) = event.union {
        report.error(union, "a union has no JSON form: write an enum");
    }
}

fn check_generics(event: &EventModel<'_>, report: &Report) {
    match event.generics.params.first() {
        Some(GenericParam::Lifetime(lifetime)) => report.error(
            lifetime,
            "a custom event waits in a queue until the client reads it, so it must own its data: write `String` for \
             `&str`, `Vec<T>` for `&[T]`",
        ),
        Some(parameter) => report.error(
            parameter,
            "a custom event cannot be generic, because its name stands for one shape: write one type for each event",
        ),
        None => {}
    }
}

fn check_name(event: &EventModel<'_>, report: &Report) {
    match (&event.name, event.reserved) {
        (Name::Given { text, span }, _) if text.trim().is_empty() => {
            report.error_at(*span, "the name of a custom event cannot be empty: leave `name` out for the default one");
        }
        (Name::Given { text, span }, None) if !is_prefixed(text) => report.error_at(
            *span,
            format_args!(
                "AG-UI keeps unprefixed names for itself: write `\"{}.{text}\"`, or add `reserved` when it is one of \
                 AG-UI's own",
                package()
            ),
        ),
        (Name::Given { text, .. }, Some(reserved)) if is_prefixed(text) => {
            report.error_at(reserved.0, "`reserved` is for unprefixed names: leave it out");
        }
        (Name::Prefixed(_), Some(reserved)) => {
            report.error_at(reserved.0, "`reserved` says that an unprefixed name is meant: give it with `name = \"…\"`");
        }
        (Name::Given { .. } | Name::Prefixed(_), _) => {}
    }
}

fn is_prefixed(name: &str) -> bool {
    name.contains(['.', '/', ':'])
}

fn package() -> String {
    std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "my-app".to_owned())
}

fn check_schema(field: &super::model::FieldModel, report: &Report) {
    if let Some(key) = field.serde.unseen_by_schemars() {
        report.error(
            key,
            format_args!(
                "schemars does not see `{}`, so clients would be told another format: add `#[schemars(with = \"…\")]` \
                 with the type it is written as",
                key.name
            ),
        );
    }
}
