//! Options for `#[interrupt(…)]`.

use syn::{DeriveInput, LitStr, Path, Type};

use crate::attr::{KeyRow, KeyTable, inner_attrs, path, text};
use crate::report::Report;

#[derive(Default)]
pub(super) struct InterruptAttr {
    pub(super) reason: Option<LitStr>,
    /// True if the option was written, even wrongly.
    pub(super) has_reason: bool,
    pub(super) message: Option<LitStr>,
    pub(super) response: Option<Type>,
    pub(super) has_response: bool,
    pub(super) krate: Option<Path>,
}

const TYPE: &str = "the type";

const KEYS: KeyTable<InterruptAttr> = KeyTable {
    attribute: "#[interrupt]",
    rows: &[
        KeyRow {
            name: "reason",
            place: TYPE,
            read: |interrupt, key, input| {
                interrupt.has_reason = true;
                interrupt.reason = Some(text(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "message",
            place: TYPE,
            read: |interrupt, key, input| {
                interrupt.message = Some(text(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "response",
            place: TYPE,
            read: |interrupt, key, input| {
                interrupt.has_response = true;
                interrupt.response = Some(path(key, input)?);
                Ok(())
            },
        },
        KeyRow {
            name: "crate",
            place: TYPE,
            read: |interrupt, key, input| {
                interrupt.krate = Some(path(key, input)?);
                Ok(())
            },
        },
    ],
};

pub(super) fn read(input: &DeriveInput, report: &Report) -> InterruptAttr {
    for attrs in inner_attrs(&input.data) {
        KEYS.read_helper("interrupt", "", attrs, report);
    }
    KEYS.read_helper("interrupt", TYPE, &input.attrs, report)
}
