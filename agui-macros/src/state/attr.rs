//! Options for `#[state(…)]`.

use syn::{Attribute, Data, DeriveInput, Ident, LitStr, Path, Token};

use crate::attr::{AttributeFlag, KeyRow, KeyTable, flag, path, text};
use crate::report::Report;

#[derive(Default)]
pub(super) struct StateAttr {
    pub(super) opaque: Option<AttributeFlag>,
    pub(super) exact: Option<AttributeFlag>,
    pub(super) live: Option<AttributeFlag>,
    pub(super) key: Option<KeyAttr>,
    pub(super) krate: Option<Path>,
}

/// `key` or `key = "id"`.
pub(super) enum KeyAttr {
    /// This field identifies list elements.
    This(Ident),
    /// That member identifies the elements of this list.
    Member(LitStr),
}

/// The options at every place of one type, fields in the order they are written.
pub(super) struct StateAttrs {
    pub(super) on_type: StateAttr,
    pub(super) on_fields: Vec<StateAttr>,
}

const TYPE: &str = "the type";
const FIELD: &str = "a field";
const VARIANT: &str = "a variant";

const KEYS: KeyTable<StateAttr> = KeyTable {
    attribute: "#[state]",
    rows: &[
        KeyRow { name: "live", place: TYPE, read: |state, key, input| flag(&mut state.live, key, input) },
        KeyRow { name: "exact", place: TYPE, read: |state, key, input| flag(&mut state.exact, key, input) },
        KeyRow { name: "opaque", place: TYPE, read: read_opaque },
        KeyRow { name: "opaque", place: FIELD, read: read_opaque },
        KeyRow {
            name: "key",
            place: FIELD,
            read: |state, key, input| {
                state.key = Some(if input.peek(Token![=]) {
                    KeyAttr::Member(text(key, input)?)
                } else {
                    flag(&mut None, key, input)?;
                    KeyAttr::This(key.clone())
                });
                Ok(())
            },
        },
        KeyRow {
            name: "crate",
            place: TYPE,
            read: |state, key, input| {
                state.krate = Some(path(key, input)?);
                Ok(())
            },
        },
    ],
};

fn read_opaque(state: &mut StateAttr, key: &Ident, input: syn::parse::ParseStream<'_>) -> syn::Result<()> {
    flag(&mut state.opaque, key, input)
}

pub(super) fn read(input: &DeriveInput, report: &Report) -> StateAttrs {
    let read = |place, attrs: &[Attribute]| KEYS.read_helper("state", place, attrs, report);
    let on_type = read(TYPE, &input.attrs);
    let mut on_fields = Vec::new();
    let mut read_fields =
        |fields: &syn::Fields| on_fields.extend(fields.iter().map(|field| read(FIELD, &field.attrs)));
    match &input.data {
        Data::Struct(strukt) => read_fields(&strukt.fields),
        Data::Enum(enum_) => {
            for variant in &enum_.variants {
                read(VARIANT, &variant.attrs);
                read_fields(&variant.fields);
            }
        }
        Data::Union(_) => {}
    }
    StateAttrs { on_type, on_fields }
}
