//! The dates of interrupts, A2A tasks and webhooks (ISO 8601), and the time in a `Retry-After` header.

#[cfg(any(feature = "client", feature = "providers"))]
use std::time::Duration;
use std::time::SystemTime;

use time::OffsetDateTime;
#[cfg(any(feature = "client", feature = "providers"))]
use time::format_description::well_known::Rfc2822;
#[cfg(any(feature = "client", feature = "signed-interrupts"))]
use time::format_description::well_known::{Iso8601, Rfc3339};

/// Returns the time in UTC, to the millisecond below: `2026-09-17T12:00:00.000Z`. `None` before 1970 and after 9999.
#[cfg(feature = "signed-interrupts")]
pub fn write(time: SystemTime) -> Option<String> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let at = OffsetDateTime::from_unix_timestamp(since.as_secs().try_into().ok()?).ok()?;
    let (year, month, day) = (at.year(), u8::from(at.month()), at.day());
    let (hour, minute, second) = at.to_hms();
    let millis = since.subsec_millis();
    (year <= 9999)
        .then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z"))
}

/// Returns the time of a text such as `2026-09-17T12:00:00Z`: with an offset or `Z`, with or without seconds and their
/// fractions; a date alone is its midnight in UTC. `None` for any other text, also for a time without an offset.
#[cfg(any(feature = "client", feature = "signed-interrupts"))]
pub(crate) fn read(text: &str) -> Option<SystemTime> {
    let midnight = (text.len() == "2026-09-17".len()).then(|| format!("{text}T00:00:00Z"));
    let text = midnight.as_deref().unwrap_or(text);
    let at = OffsetDateTime::parse(text, &Rfc3339)
        .or_else(|_| OffsetDateTime::parse(text, &Iso8601::PARSING))
        .ok()?;
    let since = at - OffsetDateTime::UNIX_EPOCH;
    let away = since.unsigned_abs();
    // Not every system has all of these moments.
    match since.is_negative() {
        true => SystemTime::UNIX_EPOCH.checked_sub(away),
        false => SystemTime::UNIX_EPOCH.checked_add(away),
    }
}

/// Reads the value of a `Retry-After` header (RFC 9110, 10.2.3): seconds, or the date after which to ask again.
#[cfg(any(feature = "client", feature = "providers"))]
pub fn retry_after_delay(value: &str) -> Option<Duration> {
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = OffsetDateTime::parse(value, &Rfc2822).ok()?;
    let then = Duration::from_secs(u64::try_from(date.unix_timestamp()).ok()?);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(then.saturating_sub(now))
}

#[cfg(all(test, feature = "signed-interrupts"))]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn dates_are_read_as_seconds_since_1970() {
        let rows = [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01", 0),
            ("2000-02-29T12:00:00Z", 951_825_600),
            ("2026-09-17T12:30Z", 1_789_648_200),
            ("2026-09-17t12:30:00.999z", 1_789_648_200),
            ("2026-09-17 14:30:00+02:00", 1_789_648_200),
            ("2026-09-17T07:00:00-05:30", 1_789_648_200),
            ("2026-09-17T12:30:00+0000", 1_789_648_200),
            ("2016-12-31T23:59:60Z", 1_483_228_799),
            ("9999-12-31T23:59:59.9999999999Z", 253_402_300_799),
        ];
        for (text, seconds) in rows {
            let read = read(text).unwrap().duration_since(SystemTime::UNIX_EPOCH).unwrap();
            assert_eq!(read.as_secs(), seconds, "{text}");
        }
        assert!(read("1969-12-31T23:59:59Z").unwrap() < SystemTime::UNIX_EPOCH);
    }

    #[test]
    fn a_written_time_is_read_as_the_same_time() {
        let at =
            |seconds: u64, millis: u32| SystemTime::UNIX_EPOCH + Duration::new(seconds, millis * 1_000_000);
        assert_eq!(write(at(0, 0)).unwrap(), "1970-01-01T00:00:00.000Z");
        assert_eq!(write(at(951_825_599, 999)).unwrap(), "2000-02-29T11:59:59.999Z");
        assert_eq!(write(at(253_402_300_799, 0)).unwrap(), "9999-12-31T23:59:59.000Z");
        assert_eq!(write(at(253_402_300_800, 0)), None);
        assert_eq!(write(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), None);
        // Days of four centuries, at their first and last millisecond.
        for day in (0..146_097).step_by(31) {
            for time in [at(day * 86_400, 0), at(day * 86_400 + 86_399, 999)] {
                assert_eq!(read(&write(time).unwrap()), Some(time), "day {day}");
            }
        }
    }

    #[test]
    fn a_text_that_names_no_moment_is_refused() {
        let rows = [
            "",
            "soon",
            "2026-13-01",
            "2026-02-29",
            "2026-9-17",
            "2026-09-17T25:00Z",
            "2026-09-17T12:00",
            "2026-09-17T12:00:00.Z",
            "2026-09-17T12:00:00+02:00:00",
            "2026-09-17T12Z",
            "20260917",
            "2026-09-17Z",
            "2026-09-1é",
            "2026-09-17T12:00:00Z ",
            "é026-09-17",
            "2026-09-17T12:00:00+é0:00",
        ];
        for text in rows {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
