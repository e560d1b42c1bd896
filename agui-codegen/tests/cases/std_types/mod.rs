//! Types of the standard library that have a schema of their own.

use std::net::IpAddr;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Case, Shapes};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Library {
    took: Duration,
    result: Result<u8, String>,
    range: Range<u32>,
    path: PathBuf,
    address: IpAddr,
    #[schemars(extend("x-order" = 1))]
    extended: String,
    #[schemars(url)]
    link: String,
}

pub(super) fn case() -> Case {
    let library = |result| Library {
        took: Duration::from_millis(1500),
        result,
        range: 1..3,
        path: "a/b".into(),
        address: [127, 0, 0, 1].into(),
        extended: "x".into(),
        link: "https://example.com".into(),
    };
    Shapes::new("std_types", "What the standard library brings.")
        .shape("library", [library(Ok(1)), library(Err("no".into()))], [json!({})])
        .finish()
}
