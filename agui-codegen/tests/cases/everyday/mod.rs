//! Types of other crates and of the standard library that people have in their states, as values and as keys.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI8, NonZeroU32};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc, Weekday};
use jiff::{SignedDuration, Span, Timestamp, ToSpan, Zoned, civil, tz};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;
use uuid::Uuid;

use super::{Case, Shapes};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Ids {
    id: Uuid,
    link: Option<Url>,
    by_id: BTreeMap<Uuid, u8>,
    by_link: BTreeMap<Url, u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Times {
    moment: DateTime<Utc>,
    moment_elsewhere: DateTime<FixedOffset>,
    lasting: TimeDelta,
    date: NaiveDate,
    date_and_time: NaiveDateTime,
    time: Option<NaiveTime>,
    weekday: Weekday,
    by_date: BTreeMap<NaiveDate, u8>,
    by_moment: BTreeMap<DateTime<Utc>, u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Timestamps {
    timestamp: Timestamp,
    zoned: Zoned,
    day: civil::Date,
    time: civil::Time,
    day_and_time: civil::DateTime,
    lasting: SignedDuration,
    span: Span,
    by_timestamp: BTreeMap<Timestamp, u8>,
    by_time: BTreeMap<civil::Time, u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Price {
    amount: Decimal,
    by_amount: BTreeMap<Decimal, u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Net {
    any: IpAddr,
    four: Ipv4Addr,
    six: Ipv6Addr,
    socket: SocketAddr,
    by_address: BTreeMap<IpAddr, u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Numbers {
    count: NonZeroU32,
    step: NonZeroI8,
    range: Range<u8>,
    inclusive: RangeInclusive<i8>,
    by_count: BTreeMap<NonZeroU32, u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Texts {
    shared: Arc<str>,
    borrowed: Cow<'static, str>,
    bytes: Bytes,
}

pub(super) fn case() -> Case {
    let day = NaiveDate::from_ymd_opt(2026, 8, 22).unwrap();
    let noon = NaiveTime::from_hms_micro_opt(12, 0, 0, 250_001).unwrap();
    let times = |time: Option<NaiveTime>| Times {
        moment: day.and_time(noon).and_utc(),
        moment_elsewhere: day.and_time(noon).and_utc().with_timezone(&FixedOffset::east_opt(7200).unwrap()),
        lasting: TimeDelta::nanoseconds(-1),
        date: day,
        date_and_time: day.and_time(NaiveTime::MIN),
        time,
        weekday: Weekday::Sat,
        by_date: BTreeMap::from([(day, 1)]),
        by_moment: BTreeMap::from([(day.and_time(noon).and_utc(), 1)]),
    };
    let ids = json!({ "id": Uuid::nil(), "link": null, "by_id": {}, "by_link": {} });
    let with = |member: &str, value: serde_json::Value| {
        let mut ids = ids.clone();
        ids[member] = value;
        ids
    };
    let timestamp = Timestamp::UNIX_EPOCH;
    Shapes::new("everyday", "Ids, times, prices, addresses, ranges and texts.")
        .shape(
            "ids",
            [Ids {
                id: Uuid::from_u128(7),
                link: Some("https://example.com/".parse().unwrap()),
                by_id: BTreeMap::from([(Uuid::nil(), 1)]),
                by_link: BTreeMap::from([("data:text/plain,x".parse().unwrap(), 2)]),
            }],
            [json!({}), with("id", json!(7)), with("by_id", json!({ "x": "y" })), with("link", json!([]))],
        )
        .shape("times", [times(None), times(Some(noon))], [json!({}), json!({ "moment": 0 })])
        .shape(
            "timestamps",
            [Timestamps {
                timestamp,
                zoned: timestamp.to_zoned(tz::TimeZone::fixed(tz::offset(2))),
                day: civil::date(2026, 8, 22),
                time: civil::time(12, 0, 0, 250_001_000),
                day_and_time: civil::date(2026, 8, 22).at(12, 0, 0, 0),
                lasting: SignedDuration::from_millis(1500),
                span: 2.days().hours(3),
                by_timestamp: BTreeMap::from([(timestamp, 1)]),
                by_time: BTreeMap::from([(civil::Time::midnight(), 1)]),
            }],
            [json!({ "timestamp": 0 })],
        )
        .two_faced(
            "price",
            [Price { amount: Decimal::new(1250, 2), by_amount: BTreeMap::from([(Decimal::ONE, 1)]) }],
            [
                json!({ "amount": "12.50", "by_amount": { "1": 1 } }),
                json!({ "amount": 1.5, "by_amount": {} }),
            ],
            [json!({ "amount": true, "by_amount": {} }), json!({ "amount": "x", "by_amount": {} })],
        )
        .shape(
            "net",
            [Net {
                any: Ipv6Addr::LOCALHOST.into(),
                four: Ipv4Addr::LOCALHOST,
                six: Ipv6Addr::LOCALHOST,
                socket: (Ipv4Addr::LOCALHOST, 80).into(),
                by_address: BTreeMap::from([(Ipv4Addr::LOCALHOST.into(), 1)]),
            }],
            [json!({ "any": 1 })],
        )
        .shape(
            "numbers",
            [Numbers {
                count: NonZeroU32::MIN,
                step: NonZeroI8::MIN,
                range: 1..3,
                inclusive: -1..=1,
                by_count: BTreeMap::from([(NonZeroU32::MAX, 1)]),
            }],
            [
                json!({ "count": 0, "step": 1, "range": { "start": 1, "end": 2 }, "inclusive": { "start": 1, "end": 2 },
                    "by_count": {} }),
                json!({ "count": 1, "step": 128, "range": { "start": 1, "end": 2 },
                    "inclusive": { "start": 1, "end": 2 }, "by_count": {} }),
                json!({ "count": 1, "step": 1, "range": { "start": 1 }, "inclusive": { "start": 1, "end": 2 },
                    "by_count": {} }),
            ],
        )
        .shape(
            "texts",
            [Texts { shared: "a".into(), borrowed: "b".into(), bytes: Bytes::from_static(b"\x00\xff") }],
            [
                json!({ "shared": 1, "borrowed": "b", "bytes": [] }),
                json!({ "shared": "a", "borrowed": "b", "bytes": [256] }),
            ],
        )
        .finish()
}
