//! Crate chrono: dates and times, as text; durations as seconds and nanoseconds.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone, Weekday};

use super::super::StateNode;
use super::super::engine::node::StateData;
use super::MapKey;
use super::foreign::opaque;

opaque!(NaiveDate NaiveDateTime NaiveTime TimeDelta Weekday);

#[diagnostic::do_not_recommend]
impl<Tz: TimeZone + 'static> StateNode for DateTime<Tz>
where
    Self: StateData,
{
    /// One moment has a text for each offset.
    fn same(&self, now: &Self) -> bool {
        self == now && self.offset().fix() == now.offset().fix()
    }
}

#[diagnostic::do_not_recommend]
impl MapKey for NaiveDate {}
#[diagnostic::do_not_recommend]
impl MapKey for NaiveDateTime {}
#[diagnostic::do_not_recommend]
impl MapKey for NaiveTime {}
#[diagnostic::do_not_recommend]
impl MapKey for Weekday {}
#[diagnostic::do_not_recommend]
impl<Tz: TimeZone + 'static> MapKey for DateTime<Tz>
where
    Self: StateData,
{
    const EQUAL_WITH_OTHER_NAME: bool = true;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::{FixedOffset, Utc};

    use super::*;
    use crate::state::tests::check;

    #[test]
    fn dates_are_values_and_keys() {
        let [one, other] = [NaiveDate::MIN, NaiveDate::from_ymd_opt(2026, 8, 22).unwrap()];
        check(&one, &other);
        assert_eq!(
            check(&BTreeMap::from([(one, 1)]), &BTreeMap::from([(one, 1), (other, 2)])),
            r#"[{"op":"add","path":"/2026-08-22","value":2}]"#
        );
        let midnight = other.and_time(NaiveTime::MIN);
        check(&(midnight, midnight.time()), &(midnight + TimeDelta::seconds(1), NaiveTime::MIN));
        check(&TimeDelta::seconds(-1), &TimeDelta::nanoseconds(1));
        check(&Weekday::Mon, &Weekday::Sun);
        check(&BTreeMap::<DateTime<Utc>, u8>::new(), &BTreeMap::from([(midnight.and_utc(), 1)]));
    }

    #[test]
    fn one_moment_in_two_offsets_is_two_texts() {
        let utc: DateTime<Utc> = DateTime::UNIX_EPOCH;
        let [west, east] = [-3600, 3600].map(|seconds| {
            let zone: FixedOffset = FixedOffset::east_opt(seconds).unwrap();
            utc.with_timezone(&zone)
        });
        assert_eq!(west, east);
        check(&west, &east);
        check(&BTreeMap::from([(west, 1)]), &BTreeMap::from([(east, 1)]));
        check(&west, &west);
    }
}
