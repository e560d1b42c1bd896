//! Types of other crates and of the standard library that people have in their states.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI8, NonZeroU32};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use agui_runtime::State;
use agui_runtime::state::MapKey;
use bytes::Bytes;
use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use jiff::{SignedDuration, Timestamp, Zoned, civil, tz};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;
use uuid::Uuid;

use super::sample::sample;
use super::{Plain, Sample, Source};

/// As values.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
#[allow(missing_docs)]
pub struct Everyday {
    pub id: Uuid,
    pub moment: DateTime<Utc>,
    pub local: DateTime<FixedOffset>,
    pub day: NaiveDate,
    pub day_and_time: NaiveDateTime,
    pub time: NaiveTime,
    pub took: TimeDelta,
    pub timestamp: Timestamp,
    pub zoned: Zoned,
    pub date: civil::Date,
    pub signed: SignedDuration,
    pub price: Decimal,
    pub link: Option<Url>,
    pub bytes: Bytes,
    pub count: NonZeroU32,
    pub step: Option<NonZeroI8>,
    pub address: IpAddr,
    pub socket: SocketAddr,
    pub range: Range<u32>,
    pub inclusive: RangeInclusive<i8>,
    pub shared: Arc<str>,
    pub borrowed: Cow<'static, Plain>,
    pub keys: Keys,
}
sample!(struct Everyday {
    id, moment, local, day, day_and_time, time, took, timestamp, zoned, date, signed, price, link, bytes, count, step, address,
    socket, range, inclusive, shared, borrowed, keys
});

/// A key that says so itself.
#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardId(pub Uuid);
sample!(struct CardId { 0 });

impl MapKey for CardId {}

/// As keys of maps.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Keys {
    pub ids: HashMap<CardId, u8>,
    pub days: BTreeMap<NaiveDate, u8>,
    pub moments: BTreeMap<DateTime<Utc>, u8>,
    pub timestamps: BTreeMap<Timestamp, u8>,
    pub prices: BTreeMap<Decimal, u8>,
    pub links: BTreeMap<Url, u8>,
    pub counts: BTreeMap<NonZeroU32, u8>,
    pub addresses: BTreeMap<IpAddr, u8>,
    pub texts: BTreeMap<Arc<str>, u8>,
}
sample!(struct Keys { ids, days, moments, timestamps, prices, links, counts, addresses, texts });

/// Implements [`Sample`] by an expression of the bytes.
macro_rules! by {
    ($($ty:ty: |$source:ident| $value:expr;)*) => {$(
        impl Sample for $ty {
            fn sample($source: &mut Source<'_>) -> Self {
                $value
            }
        }
    )*};
}

/// A number of seconds in a few years around 1970, mostly whole days.
fn seconds(source: &mut Source<'_>) -> i64 {
    let days = i64::from(source.byte()) - 128;
    days * 86_400 + if source.once_in(3) { i64::from(source.byte()) } else { 0 }
}

by! {
    Uuid: |source| Self::from_u128(u128::from(source.byte() % 9) << 64 | 7);
    DateTime<Utc>: |source| DateTime::from_timestamp(seconds(source), u32::from(source.byte() % 2) * 500_000_000).unwrap();
    DateTime<FixedOffset>: |source| {
        let offset = FixedOffset::east_opt(i32::from(source.byte() % 3) * 3_600 - 3_600).unwrap();
        DateTime::from_timestamp(i64::from(source.byte() % 4) * 3_600, 0).unwrap().with_timezone(&offset)
    };
    NaiveDate: |source| DateTime::<Utc>::sample(source).date_naive();
    NaiveDateTime: |source| DateTime::<Utc>::sample(source).naive_utc();
    NaiveTime: |source| DateTime::<Utc>::sample(source).time();
    TimeDelta: |source| Self::milliseconds(seconds(source));
    Timestamp: |source| Self::from_second(seconds(source)).unwrap();
    Zoned: |source| {
        let zone = tz::TimeZone::fixed(tz::offset(i8::try_from(source.byte() % 3).unwrap()));
        Timestamp::sample(source).to_zoned(zone)
    };
    civil::Date: |source| Zoned::sample(source).date();
    SignedDuration: |source| Self::from_millis(seconds(source));
    Decimal: |source| Self::new(i64::from(source.byte()) - 100, u32::from(source.byte() % 4));
    Url: |source| {
        let rest = String::sample(source);
        Self::parse(&format!("https://example.com/{rest}")).unwrap()
    };
    Bytes: |source| Vec::<u8>::sample(source).into();
    NonZeroU32: |source| Self::MIN.saturating_add(u32::sample(source));
    NonZeroI8: |source| Self::new(i8::sample(source)).unwrap_or(Self::MAX);
    IpAddr: |source| match source.byte() % 4 {
        0 => Ipv6Addr::LOCALHOST.into(),
        last => Ipv4Addr::new(10, 0, 0, last).into(),
    };
    SocketAddr: |source| (IpAddr::sample(source), u16::from(source.byte())).into();
    Range<u32>: |source| u32::sample(source)..u32::sample(source);
    RangeInclusive<i8>: |source| i8::sample(source)..=i8::sample(source);
    Cow<'static, Plain>: |source| Cow::Owned(Plain::sample(source));
}
