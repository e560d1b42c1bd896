//! Values that serde refuses to write: variants that are skipped.

use std::collections::BTreeMap;

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Sample, Source};

/// Some of its values have no JSON.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Hidden {
    pub title: String,
    pub one: Secret,
    pub list: Vec<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maybe: Option<Box<Secret>>,
    pub tagged: TaggedSecret,
    pub names: BTreeMap<SecretName, u8>,
    #[serde(flatten)]
    pub flat: FlatSecret,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub enum Secret {
    #[default]
    Open,
    Number(u8),
    #[serde(skip)]
    Never,
    #[serde(skip_serializing)]
    Read {
        pages: Vec<u8>,
    },
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(tag = "kind")]
#[allow(missing_docs)]
pub enum TaggedSecret {
    #[default]
    Open,
    Fields {
        a: u8,
    },
    #[serde(skip)]
    Never {
        a: u8,
    },
}

#[derive(
    State, Serialize, Deserialize, JsonSchema, Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord,
)]
#[allow(missing_docs)]
pub enum SecretName {
    #[default]
    A,
    B,
    #[serde(skip)]
    Never,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(tag = "flat")]
#[allow(missing_docs)]
pub enum FlatSecret {
    #[default]
    Nothing,
    Some {
        some: u8,
    },
    #[serde(skip)]
    Never {
        some: u8,
    },
}

/// Sometimes a value without JSON, if the values need not be readable.
fn never(source: &mut Source<'_>) -> bool {
    source.once_in(12) && !source.is_readable()
}

impl Sample for Secret {
    fn sample(source: &mut Source<'_>) -> Self {
        if never(source) {
            return if source.once_in(2) { Self::Never } else { Self::Read { pages: Vec::sample(source) } };
        }
        if source.once_in(2) { Self::Number(u8::sample(source)) } else { Self::Open }
    }
}

impl Sample for TaggedSecret {
    fn sample(source: &mut Source<'_>) -> Self {
        let a = u8::sample(source);
        if never(source) {
            return Self::Never { a };
        }
        if source.once_in(2) { Self::Fields { a } } else { Self::Open }
    }
}

impl Sample for SecretName {
    fn sample(source: &mut Source<'_>) -> Self {
        if never(source) { Self::Never } else { source.one_of(&[Self::A, Self::B]) }
    }
}

impl Sample for FlatSecret {
    fn sample(source: &mut Source<'_>) -> Self {
        let some = u8::sample(source);
        if never(source) {
            return Self::Never { some };
        }
        if source.once_in(2) { Self::Some { some } } else { Self::Nothing }
    }
}

super::sample::sample!(struct Hidden { title, one, list, maybe, tagged, names, flat });
