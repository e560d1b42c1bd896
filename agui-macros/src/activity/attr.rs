//! The options of `#[activity(…)]`.

use syn::{DeriveInput, LitStr, Path};

use crate::attr::{Key, Keys, inner_attrs, path, text};
use crate::report::Report;

#[derive(Default)]
pub(super) struct ActivityAttr {
    pub(super) name: Option<LitStr>,
    pub(super) krate: Option<Path>,
}

const TYPE: &str = "the type";

const KEYS: Keys<ActivityAttr> = Keys {
    attribute: "#[activity]",
    rows: &[
        Key {
            name: "type",
            place: TYPE,
            read: |activity, key, input| {
                activity.name = Some(text(key, input)?);
                Ok(())
            },
        },
        Key {
            name: "crate",
            place: TYPE,
            read: |activity, key, input| {
                activity.krate = Some(path(key, input)?);
                Ok(())
            },
        },
    ],
};

pub(super) fn read(input: &DeriveInput, report: &Report) -> ActivityAttr {
    for attrs in inner_attrs(&input.data) {
        KEYS.read_helper("activity", "", attrs, report);
    }
    KEYS.read_helper("activity", TYPE, &input.attrs, report)
}
