//! Typed interrupt rules, one function each.

use super::model::InterruptModel;
use crate::case::snake;
use crate::report::Report;

pub(super) fn check(interrupt: &InterruptModel<'_>, report: &Report) {
    interrupt.carried.check("an interrupt", "reason", report);
    check_reason(interrupt, report);
    check_message(interrupt, report);
    check_response(interrupt, report);
}

fn check_reason(interrupt: &InterruptModel<'_>, report: &Report) {
    let Some(reason) = &interrupt.attr.reason else {
        if interrupt.attr.has_reason {
            return;
        }
        let name = snake(&syn::ext::IdentExt::unraw(interrupt.ident).to_string());
        report.error(
            interrupt.ident,
            format_args!(
                "an interrupt needs a reason, by which clients know the question: add `#[interrupt(reason = \"{name}\")]`"
            ),
        );
        return;
    };
    let text = reason.value();
    if text.trim().is_empty() {
        report.error(reason, "the reason of an interrupt cannot be empty: clients know the question by it");
    }
    if text.contains('#') {
        report.error(
            reason,
            "the reason of an interrupt cannot contain `#`, which ends it in an id: write `.` or `_`",
        );
    }
}

fn check_message(interrupt: &InterruptModel<'_>, report: &Report) {
    if let Some(message) = &interrupt.attr.message
        && message.value().trim().is_empty()
    {
        report.error(message, "the message of an interrupt cannot be empty: leave `message` out");
    }
}

fn check_response(interrupt: &InterruptModel<'_>, report: &Report) {
    match &interrupt.attr.response {
        None if interrupt.attr.has_response => {}
        None => report.error(
            interrupt.ident,
            "an interrupt needs the type of its response: add `#[interrupt(response = …)]`, such as `response = bool`",
        ),
        Some(_) if interrupt.owned_response().is_some() => {}
        Some(response) => report.error(
            response,
            "a response is read from what the client sends, so it must own its data: write `String` for `&str`, `Vec<T>` \
             for `&[T]`",
        ),
    }
}
