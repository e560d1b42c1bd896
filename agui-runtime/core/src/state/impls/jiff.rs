//! Crate jiff: dates, times and spans, as text.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Span, Timestamp, Zoned};

use super::super::StateNode;
use super::super::engine::opaque::same_written;
use super::MapKey;
use super::foreign::opaque;

opaque!(Date DateTime SignedDuration Time Timestamp);

#[diagnostic::do_not_recommend]
impl StateNode for Zoned {
    /// One moment has a text for each time zone.
    fn same(&self, now: &Self) -> bool {
        self == now && same_written(self, now)
    }
}

// Equal spans may have different texts: 60 minutes, and an hour.
#[diagnostic::do_not_recommend]
impl StateNode for Span {}

#[diagnostic::do_not_recommend]
impl MapKey for Date {}
#[diagnostic::do_not_recommend]
impl MapKey for DateTime {}
#[diagnostic::do_not_recommend]
impl MapKey for SignedDuration {}
#[diagnostic::do_not_recommend]
impl MapKey for Time {}
#[diagnostic::do_not_recommend]
impl MapKey for Timestamp {}
#[diagnostic::do_not_recommend]
impl MapKey for Zoned {
    const EQUAL_WITH_OTHER_NAME: bool = true;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::tz::{Offset, TimeZone};
    use jiff::{Span, ToSpan};

    use super::*;
    use crate::state::tests::check;

    #[test]
    fn dates_are_values_and_keys() {
        let [one, other] = [Date::ZERO, jiff::civil::date(2026, 8, 22)];
        check(&one, &other);
        assert_eq!(
            check(&BTreeMap::from([(one, 1)]), &BTreeMap::from([(one, 1), (other, 2)])),
            r#"[{"op":"add","path":"/2026-08-22","value":2}]"#
        );
        check(&(other.at(1, 2, 3, 4), Time::midnight()), &(other.at(1, 2, 3, 5), Time::MAX));
        check(&SignedDuration::ZERO, &SignedDuration::from_millis(-1500));
        check(&BTreeMap::<Timestamp, u8>::new(), &BTreeMap::from([(Timestamp::UNIX_EPOCH, 1)]));
    }

    #[test]
    fn equal_values_may_have_two_texts() {
        let [west, east] =
            [-1, 1].map(|hours| Timestamp::UNIX_EPOCH.to_zoned(TimeZone::fixed(Offset::constant(hours))));
        assert_eq!(west, east);
        check(&west, &east);
        check(&BTreeMap::from([(west.clone(), 1)]), &BTreeMap::from([(east.clone(), 1)]));
        let [minutes, hours]: [Span; 2] = [60.minutes(), 1.hour()];
        check(&minutes, &hours);
        check(&minutes, &minutes);
    }
}
