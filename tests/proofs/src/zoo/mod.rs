//! Types of every form that serde can write, with values made of bytes: the test subjects of the state engine.
//!
//! A value is a function of the bytes in a [`Source`]: a property test shrinks the bytes, a fuzzer mutates them, and a
//! corpus draws them from a seed.

mod board;
mod clash;
mod desk;
mod enums;
mod everyday;
mod flat;
mod hidden;
mod lists;
mod maps;
mod nulls;
mod numbers;
mod opaque;
mod pointers;
mod rare;
mod sample;
mod source;
mod structs;
mod whole;

pub use board::{Board, change};
pub use clash::{Clash, Clashes};
pub use desk::{Branch, Column, Desk};
pub use enums::{Adjacent, External, Internal, Paint, Untagged};
pub use everyday::{CardId, Everyday, Keys};
pub use flat::{FlatEnum, FlatMap, FlatOption, FlatStruct, Inner};
pub use hidden::Hidden;
pub use lists::{Card, Lists, Row};
pub use maps::{Maps, Odd, Slug};
pub use nulls::Nulls;
pub use numbers::Numbers;
pub use opaque::{Opaques, Photo};
pub use pointers::{Node, Pointers};
pub use rare::{OneWay, Rare};
pub use sample::Sample;
pub use source::Source;
pub use structs::{Generic, Marker, Plain, Point, Presence, Transparent, Wrapper};
pub use whole::Zoo;

/// Calls a macro with the types that are tested, by paths from a module `zoo` and with `serde_json`'s `Value` in scope.
#[macro_export]
macro_rules! for_each_of_the_zoo {
    ($with:ident) => {
        $with!(
            zoo::Plain,
            zoo::Presence,
            zoo::Wrapper,
            zoo::Transparent,
            zoo::Point,
            zoo::Marker,
            zoo::Generic<zoo::Plain>,
            zoo::Generic<Option<zoo::External>>,
            zoo::Paint,
            zoo::External,
            zoo::Internal,
            zoo::Adjacent,
            zoo::Untagged,
            zoo::FlatStruct,
            zoo::FlatMap,
            zoo::FlatOption,
            zoo::FlatEnum,
            zoo::Lists,
            zoo::Maps,
            zoo::Odd,
            zoo::Numbers,
            zoo::Opaques,
            zoo::Nulls,
            zoo::Hidden,
            zoo::Clash,
            zoo::Clashes,
            zoo::Pointers,
            zoo::Node,
            zoo::Rare,
            zoo::OneWay,
            zoo::Zoo,
            Value,
            Vec<u8>,
            Vec<zoo::Card>,
            Vec<zoo::Row>,
            Option<Option<zoo::Internal>>,
            zoo::Desk,
            zoo::Branch,
            zoo::Everyday,
        )
    };
}
