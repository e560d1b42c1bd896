//! Reads ISO 8601 dates, as far as interrupts need them.

use std::time::{Duration, SystemTime};

/// The time that `2026-09-17T12:00:00Z` and its like name: with an offset or `Z`, seconds and their fractions left out or not; a date
/// alone is its midnight in UTC. `None` for everything else, times without an offset included: whose they are cannot be told.
pub(crate) fn read(text: &str) -> Option<SystemTime> {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let (year, month, day) =
        (number(parts.next()?, 4)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=days_of(year, month)).contains(&day) {
        return None;
    }
    let midnight = days_since_1970(year, month, day) * 86_400;
    let (seconds, nanos) = match time {
        None => (0, 0),
        Some(time) => time_of_day(time)?,
    };
    let whole = midnight + seconds;
    let since = Duration::new(whole.unsigned_abs(), 0);
    let moment = match whole {
        0.. => SystemTime::UNIX_EPOCH.checked_add(since),
        _ => SystemTime::UNIX_EPOCH.checked_sub(since),
    };
    moment?.checked_add(Duration::from_nanos(nanos))
}

/// Seconds since midnight in UTC, and what is beyond.
fn time_of_day(text: &str) -> Option<(i64, u64)> {
    let (clock, offset) = match text.strip_suffix(['Z', 'z']) {
        Some(clock) => (clock, 0),
        None => {
            let at = text.rfind(['+', '-'])?;
            let (clock, offset) = text.split_at_checked(at)?;
            let sign = if offset.starts_with('-') { -1 } else { 1 };
            let (hours, minutes) = offset.get(1..)?.split_once(':')?;
            let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            (clock, sign * (hours * 3600 + minutes * 60))
        }
    };
    let mut parts = clock.split(':');
    let (hours, minutes) = (number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    let (seconds, nanos) = match parts.next() {
        None => (0, 0),
        Some(seconds) => {
            let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
            (number(seconds, 2)?, nanos_of(fraction)?)
        }
    };
    // A leap second is the one before it, as most clocks have it.
    if parts.next().is_some() || hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    Some((hours * 3600 + minutes * 60 + seconds.min(59) - offset, nanos))
}

fn nanos_of(fraction: &str) -> Option<u64> {
    let is_decimal = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !is_decimal {
        return None;
    }
    let padded: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    padded.parse().ok()
}

fn number(digits: &str, length: usize) -> Option<i64> {
    let is_decimal = digits.len() == length && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_decimal { digits.parse().ok() } else { None }
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Counted in years that begin in March, so that the leap day is their last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
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
        ];
        for (text, seconds) in rows {
            let read = read(text).unwrap().duration_since(SystemTime::UNIX_EPOCH).unwrap();
            assert_eq!(read.as_secs(), seconds, "{text}");
        }
        assert!(read("1969-12-31T23:59:59Z").unwrap() < SystemTime::UNIX_EPOCH);
    }

    #[test]
    fn what_is_no_date_is_none() {
        let rows = [
            "",
            "soon",
            "2026-13-01",
            "2026-02-29",
            "2026-9-17",
            "2026-09-17T25:00Z",
            "2026-09-17T12:00",
            "2026-09-17T12:00:00.Z",
            "2026-09-17T12:00:00+0200",
            "2026-09-17T12Z",
            "20260917T120000Z",
            "é026-09-17",
            "2026-09-17T12:00:00+é0:00",
        ];
        for text in rows {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
