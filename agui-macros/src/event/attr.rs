//! Options for `#[event(…)]`.

use syn::{DeriveInput, LitStr, Path};

use crate::attr::{AttributeFlag, KeyRow, KeyTable, flag, inner_attrs, path, text};
use crate::report::Report;

#[derive(Default)]
pub(super) struct EventAttr {
    pub(super) name: Option<LitStr>,
    pub(super) reserved: Option<AttributeFlag>,
    pub(super) krate: Option<Path>,
}

const TYPE: &str = "the type";

const KEYS: KeyTable<EventAttr> = KeyTable {
    attribute: "#[event]",
    rows: &[
        KeyRow {
            name: "name",
            place: TYPE,
            read: |event, key, input| {
                event.name = Some(text(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "reserved",
            place: TYPE,
            read: |event, key, input| flag(&mut event.reserved, key, input),
        },
        KeyRow {
            name: "crate",
            place: TYPE,
            read: |event, key, input| {
                event.krate = Some(path(key, input)?);
                Ok(())
            },
        },
    ],
};

pub(super) fn read(input: &DeriveInput, report: &Report) -> EventAttr {
    for attrs in inner_attrs(&input.data) {
        KEYS.read_helper("event", "", attrs, report);
    }
    KEYS.read_helper("event", TYPE, &input.attrs, report)
}
