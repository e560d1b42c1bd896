//! Options for `#[activity(…)]`.

use syn::{DeriveInput, LitStr, Path};

use crate::attr::{KeyRow, KeyTable, inner_attrs, path, text};
use crate::report::Report;

#[derive(Default)]
pub(super) struct ActivityAttr {
    pub(super) name: Option<LitStr>,
    pub(super) krate: Option<Path>,
}

const TYPE: &str = "the type";

const KEYS: KeyTable<ActivityAttr> = KeyTable {
    attribute: "#[activity]",
    rows: &[
        KeyRow {
            name: "type",
            place: TYPE,
            read: |activity, key, input| {
                activity.name = Some(text(key, input)?);
                Ok(())
            },
        },
        KeyRow {
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
