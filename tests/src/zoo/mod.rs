//! Types of every form serde can write, with values made of bytes: what the state engine is tested on.
//!
//! A value is a function of the bytes in a [`Source`]: a property test shrinks the bytes, a fuzzer mutates them, and a
//! corpus draws them from a seed.

mod board;
mod enums;
mod flat;
mod lists;
mod maps;
mod numbers;
mod opaque;
mod pointers;
mod sample;
mod source;
mod structs;
mod whole;

pub use board::{Board, change};
pub use enums::{Adjacent, External, Internal, Paint, Untagged};
pub use flat::{FlatEnum, FlatMap, FlatOption, FlatStruct, Inner};
pub use lists::{Card, Lists, Row};
pub use maps::{Maps, Odd, Slug};
pub use numbers::Numbers;
pub use opaque::{Opaques, Photo};
pub use pointers::{Node, Pointers};
pub use sample::Sample;
pub use source::Source;
pub use structs::{Generic, Marker, Plain, Point, Presence, Transparent, Wrapper};
pub use whole::Zoo;
