//! One full and one minimal value of every object type, made as a user makes them: `new` and `with_…`.

mod capabilities;
mod conversation;
mod event;
mod part;

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A definition with two documents written by our types.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The definition.
    pub definition: &'static str,
    /// Everything set.
    pub full: String,
    /// Nothing optional set.
    pub minimal: String,
}

impl Sample {
    fn of<T>(definition: &'static str, full: &T, minimal: &T) -> Self
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug,
    {
        let write = |value: &T| {
            let text = serde_json::to_string(value).expect("wire types are always written");
            assert_eq!(&super::typed::read::<T>(&text).expect("what was written is read"), value);
            text
        };
        Self { definition, full: write(full), minimal: write(minimal) }
    }
}

/// The samples of a group of types: `Type: full, minimal`.
macro_rules! samples {
    ($($Type:ident: $full:expr, $minimal:expr;)*) => {
        pub(super) fn samples() -> Vec<super::Sample> {
            vec![$({
                let (full, minimal): ($Type, $Type) = ($full, $minimal);
                super::Sample::of(stringify!($Type), &full, &minimal)
            }),*]
        }
    };
}

use samples;

/// All samples.
#[must_use]
pub fn all() -> Vec<Sample> {
    [event::samples(), conversation::samples(), part::samples(), capabilities::samples()].concat()
}
