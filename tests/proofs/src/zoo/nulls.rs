//! Opaque values that may be written as `null`.

use std::collections::BTreeMap;

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::sample::sample;
use super::{Photo, Sample, Source};

/// Fields that are sent whole, and `null` in more than one way.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Nulls {
    #[state(opaque)]
    pub photo: Option<Photo>,
    #[state(opaque)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twice: Option<Option<Photo>>,
    #[serde(with = "nought")]
    #[schemars(with = "Option<u8>")]
    pub count: u8,
    #[serde(serialize_with = "nought::serialize", deserialize_with = "nought::deserialize")]
    #[schemars(with = "Option<u8>")]
    #[serde(default, skip_serializing_if = "is_nine")]
    pub absent_or_null: u8,
    pub kelvin: Kelvin,
    pub maybe_kelvin: Option<Kelvin>,
    pub around: Option<Around>,
    pub hidden: Option<Hollow>,
    pub any: Option<AnyForm>,
    pub list: Vec<Option<Kelvin>>,
    pub arounds: Vec<Option<Around>>,
    pub variants: Vec<Filled>,
    pub map: BTreeMap<String, Option<Kelvin>>,
}
sample!(struct Nulls {
    photo, twice, count, absent_or_null, kelvin, maybe_kelvin, around, hidden, any, list, arounds, variants, map
});

/// Written as a number, or `null` below absolute zero.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default, PartialEq)]
#[serde(into = "Option<u8>", from = "Option<u8>")]
#[schemars(with = "Option<u8>")]
#[state(opaque)]
#[allow(missing_docs)]
pub struct Kelvin {
    pub degrees: i8,
}

impl From<Kelvin> for Option<u8> {
    fn from(kelvin: Kelvin) -> Self {
        u8::try_from(kelvin.degrees).ok()
    }
}

impl From<Option<u8>> for Kelvin {
    fn from(degrees: Option<u8>) -> Self {
        Self { degrees: degrees.and_then(|degrees| i8::try_from(degrees).ok()).unwrap_or(-1) }
    }
}

impl Sample for Kelvin {
    fn sample(source: &mut Source<'_>) -> Self {
        Self { degrees: source.one_of(&[0, 1, -1, -2, 3]) }
    }
}

/// A struct around one value that is sent whole.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
pub struct Around(#[state(opaque)] pub Option<Photo>);
sample!(struct Around { 0 });

/// The same with a name, and a function that writes it.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(transparent)]
#[allow(missing_docs)]
pub struct Hollow {
    #[serde(with = "nought")]
    #[schemars(with = "Option<u8>")]
    pub count: u8,
}
sample!(struct Hollow { count });

/// Untagged variants with opaque content.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum AnyForm {
    Photo(#[state(opaque)] Option<Photo>),
    Text(String),
    #[default]
    Nothing,
}
sample!(
    enum AnyForm {
        Photo { 0: a },
        Text { 0: a },
        Nothing {},
    }
);

/// Functions that write what a variant holds.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub enum Filled {
    #[default]
    Not,
    One(
        #[serde(with = "nought")]
        #[schemars(with = "Option<u8>")]
        u8,
    ),
    Two(
        u8,
        #[serde(serialize_with = "nought::serialize", deserialize_with = "nought::deserialize")]
        #[schemars(with = "Option<u8>")]
        u8,
    ),
    Named {
        #[serde(with = "nought", default, skip_serializing_if = "is_nine")]
        #[schemars(with = "Option<u8>")]
        count: u8,
        #[state(opaque)]
        photo: Option<Photo>,
    },
}
sample!(
    enum Filled {
        Not {},
        One { 0: a },
        Two { 0: a, 1: b },
        Named { count: a, photo: b },
    }
);

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_nine(count: &u8) -> bool {
    *count == 9
}

/// Zero as `null`.
mod nought {
    use super::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(super) fn serialize<S: Serializer>(count: &u8, out: S) -> Result<S::Ok, S::Error> {
        match count {
            0 => out.serialize_none(),
            count => out.serialize_some(count),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<u8, D::Error> {
        Ok(Option::deserialize(input)?.unwrap_or_default())
    }
}
