//! The date by which a question must be answered binds the server as well.

use std::time::Duration;

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

const DAY: i64 = 24 * 60 * 60 * 1000;

#[test]
fn a_question_without_a_date_expires_after_a_day_and_says_so() {
    for (lifetime, millis, date) in [
        (None, DAY, "2026-09-18T12:30:00.000Z"),
        (Some(Duration::from_millis(1_500)), 1_500, "2026-09-17T12:30:01.500Z"),
    ] {
        for way in WAYS {
            let at = |now: i64| {
                let options = RunOptions::default().interrupt_key(key(1)).clock(Clock::fixed(now, 0));
                lifetime.map_or(options.clone(), |lifetime| options.interrupt_lifetime(lifetime))
            };
            let mut case = Case::new(way);
            case.options = at(NOON);
            let mut asked = case.asked();
            assert_eq!(asked.question["expiresAt"], date, "{way:?}");
            for late in [NOON + millis, NOON + 10 * DAY] {
                case.options = at(late);
                assert_refused(&case, &asked.input, "interrupt_expired", "too late");
            }
            // The client may show another date: the token counts.
            asked.input["resume"][0]["expiresAt"] = json!("2999-01-01T00:00:00Z");
            assert_refused(&case, &asked.input, "interrupt_expired", "too late");
            case.options = at(NOON + millis - 1);
            assert_eq!(result(&case.run(&asked.input)), &json!(["sent 2 of café to Ada"]), "{way:?}");
        }
    }
}

#[test]
fn questions_that_never_expire_carry_no_date() {
    let mut case = Case::new(Way::Typed);
    case.options = RunOptions::default().interrupt_lifetime(Duration::MAX);
    let asked = case.asked();
    assert_eq!(asked.question.get("expiresAt"), None);
    assert_eq!(result(&case.run(&asked.input)), &json!(["sent 2 of café to Ada"]));
    case.options = RunOptions::default().unsigned_interrupts(true);
    assert_eq!(
        case.asked().question.get("expiresAt"),
        None,
        "what is not signed expires only if the agent says so"
    );
}
