//! The date by which a question must be answered binds the server as well.

use agui_runtime::Clock;
use serde_json::json;

use super::*;

/// 2026-09-17T12:30:00Z.
const NOON: i64 = 1_789_648_200_000;

#[test]
fn an_answer_after_the_date_is_refused_and_may_only_be_cancelled() {
    for way in WAYS {
        let mut case = Case::new(way);
        case.expires = Some("2026-09-17T14:30:00+02:00");
        let mut asked = case.asked();
        assert_eq!(asked.question["expiresAt"], "2026-09-17T14:30:00+02:00");
        for (now, counts) in [(NOON - 1, true), (NOON, false), (NOON + 1, false)] {
            case.options = options().clock(Clock::fixed(now, 0));
            if counts {
                assert_eq!(result(&case.run(&asked.input)), &json!(["sent 2 of café to Ada"]), "{way:?}");
            } else {
                assert_refused(&case, &asked.input, "interrupt_expired", "too late");
            }
        }
        asked.input["resume"][0]["status"] = json!("cancelled");
        assert_eq!(result(&case.run(&asked.input)), &json!([]), "{way:?}");
    }
}

#[test]
fn a_date_in_the_past_is_past_by_the_system_s_clock() {
    let mut case = Case::new(Way::Typed);
    case.expires = Some("2020-01-01T00:00:00Z");
    assert_refused(&case, &case.asked().input, "interrupt_expired", "long ago");
    case.expires = Some("2999-01-01");
    assert_eq!(result(&case.run(&case.asked().input)), &json!(["sent 2 of café to Ada"]));
}

#[test]
fn a_question_whose_date_cannot_be_read_is_not_asked() {
    for date in ["soon", "", "2026-09-17T12:30:00", "2026-02-30T00:00:00Z"] {
        let mut case = Case::new(Way::Typed);
        case.expires = Some(date);
        let events = case.run(&input("t", "r-1"));
        let last = events.last().unwrap();
        assert_eq!(last["code"], "interrupt_expiry_unreadable", "{events:#?}");
        assert_eq!(
            last["message"],
            format!(
                "the interrupt `confirm_send#x-interrupt-2#x-call-1` expires at `{date}`: expected a date with an offset, such as `2999-01-31T12:00:00Z`"
            )
        );
    }
}
