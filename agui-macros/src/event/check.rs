//! Custom event rules, one function each.

use super::model::{EventModel, EventName};
use crate::report::Report;

pub(super) fn check(event: &EventModel<'_>, report: &Report) {
    event.carried.check("a custom event", "name", report);
    check_name(event, report);
}

fn check_name(event: &EventModel<'_>, report: &Report) {
    match (&event.name, event.reserved) {
        (EventName::Given { text, span }, _) if text.trim().is_empty() => {
            report.error_at(
                *span,
                "the name of a custom event cannot be empty: leave `name` out for the default one",
            );
        }
        (EventName::Given { text, span }, None) if !is_prefixed(text) => report.error_at(
            *span,
            format_args!(
                "AG-UI reserves unprefixed names: write `\"{}.{text}\"`, or add `reserved` when it is one of \
                 AG-UI's own",
                package()
            ),
        ),
        (EventName::Given { text, .. }, Some(reserved)) if is_prefixed(text) => {
            report.error_at(reserved.0, "`reserved` is for unprefixed names: leave it out");
        }
        (EventName::Prefixed(_), Some(reserved)) => {
            report.error_at(
                reserved.0,
                "`reserved` is for a name without a prefix: write that name with `name = \"…\"`",
            );
        }
        (EventName::Given { .. } | EventName::Prefixed(_), _) => {}
    }
}

fn is_prefixed(name: &str) -> bool {
    name.contains(['.', '/', ':'])
}

fn package() -> String {
    std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "my-app".to_owned())
}
