//! Types that the derive cannot descend into: written by a function, by way of another type, or not a state at all.

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sample::sample;
use super::{Sample, Source};

/// Fields that are sent whole.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Opaques {
    #[state(opaque)]
    pub photo: Photo,
    #[serde(with = "cents")]
    #[schemars(with = "String")]
    #[state(opaque)]
    pub price: u32,
    #[serde(serialize_with = "cents::serialize", deserialize_with = "cents::deserialize")]
    #[schemars(with = "String")]
    #[state(opaque)]
    pub fee: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[state(opaque)]
    pub maybe: Option<Photo>,
    pub celsius: Celsius,
    pub many: Vec<Celsius>,
}
sample!(struct Opaques { photo, price, fee, maybe, celsius, many });

/// Not a state.
#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Photo {
    pub url: String,
    pub size: (u8, u8),
}
sample!(struct Photo { url, size });

/// Written as its whole degrees.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(into = "i8", from = "i8")]
#[schemars(with = "i8")]
#[state(opaque)]
#[allow(missing_docs)]
pub struct Celsius {
    pub tenths: i16,
}

impl Sample for Celsius {
    fn sample(source: &mut Source<'_>) -> Self {
        Self { tenths: source.below(40) as i16 }
    }
}

impl From<Celsius> for i8 {
    fn from(celsius: Celsius) -> Self {
        Self::try_from(celsius.tenths / 10).unwrap_or_default()
    }
}

impl From<i8> for Celsius {
    fn from(degrees: i8) -> Self {
        Self { tenths: i16::from(degrees) * 10 }
    }
}

mod cents {
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(super) fn serialize<S: Serializer>(cents: &u32, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(cents)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
        String::deserialize(input)?.parse().map_err(serde::de::Error::custom)
    }
}
