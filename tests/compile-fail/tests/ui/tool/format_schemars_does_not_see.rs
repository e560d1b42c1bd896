#![allow(unused)]

use agui_runtime::prelude::*;

mod cents {
    pub fn serialize<S: serde::Serializer>(cents: &u32, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(cents)
    }
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
        let text: String = serde::Deserialize::deserialize(input)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Counts.
#[tool]
async fn price(#[serde(with = "cents")] limit: u32) -> u32 {
    limit
}

fn main() {}
