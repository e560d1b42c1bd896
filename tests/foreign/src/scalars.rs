//! Values without members, of eight crates.

use arrayvec::ArrayString;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use jiff::SignedDuration;
use rust_decimal::Decimal;
use semver::Version;
use serde_json::json;
use url::Url;
use uuid::Uuid;

use crate::Shapes;

pub(crate) fn add(shapes: &mut Shapes) {
    let (number, list) = (json!(7), json!(["a"]));
    shapes.add::<ArrayString<8>>("arrayvec_string", [json!("pod"), json!("")], [number.clone(), json!(null)]);
    shapes.add::<Bytes>("bytes", [json!([0, 255]), json!([])], [json!([256]), json!([-1]), json!({})]);
    shapes.add::<DateTime<Utc>>(
        "chrono_time",
        [json!("2026-01-02T03:04:05Z")],
        [number.clone(), list.clone()],
    );
    shapes.add::<SignedDuration>(
        "jiff_duration",
        [json!("PT1H30M"), json!("-PT2S")],
        [number.clone(), json!({})],
    );
    shapes.add::<Decimal>(
        "rust_decimal",
        [json!("1.50"), json!("-3")],
        [json!(true), list.clone(), json!("ten")],
    );
    shapes.add::<Version>(
        "semver_version",
        [json!("1.2.3"), json!("1.0.0-rc.1+build")],
        [number.clone(), json!({})],
    );
    shapes.add::<Url>("url", [json!("https://example.com/a?b=c")], [number.clone(), list.clone()]);
    shapes.add::<Uuid>("uuid", [json!("67e55044-10b1-426f-9247-bb680e5fe0c8")], [number, list]);
}
