//! Everything at once.

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::sample::sample;
use super::{
    Adjacent, External, FlatEnum, FlatMap, FlatOption, FlatStruct, Generic, Internal, Lists, Maps, Marker,
    Numbers, Opaques, Paint, Plain, Point, Pointers, Presence, Transparent, Untagged, Wrapper,
};

/// One of each.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Zoo {
    pub plain: Plain,
    pub presence: Presence,
    pub wrapper: Wrapper,
    pub transparent: Transparent,
    pub point: Point,
    pub marker: Marker,
    pub generic: Generic<Plain>,
    pub generic_enum: Generic<Option<External>>,
    pub paint: Paint,
    pub external: External,
    pub internal: Internal,
    pub adjacent: Adjacent,
    pub untagged: Untagged,
    pub flat_struct: FlatStruct,
    pub flat_map: FlatMap,
    pub flat_option: FlatOption,
    pub flat_enum: FlatEnum,
    pub lists: Lists,
    pub maps: Maps,
    pub numbers: Numbers,
    pub opaques: Opaques,
    pub pointers: Pointers,
    pub any: Value,
}
sample!(struct Zoo {
    plain, presence, wrapper, transparent, point, marker, generic, generic_enum, paint, external, internal, adjacent,
    untagged, flat_struct, flat_map, flat_option, flat_enum, lists, maps, numbers, opaques, pointers, any
});
