//! The standard library's types as state.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Derived, State};

macro_rules! state {
    ($($ty:ty),* $(,)?) => {$(
        impl State for $ty {
            fn derived(_: Derived) {}
        }
    )*};
    ($(for<$($param:ident),+> $ty:ty;)*) => {$(
        impl<$($param: State),+> State for $ty {
            fn derived(_: Derived) {}
        }
    )*};
}

state!(
    (),
    bool,
    char,
    String,
    Value,
    u8,
    u16,
    u32,
    u64,
    usize,
    i8,
    i16,
    i32,
    i64,
    isize,
    f32,
    f64,
    Cow<'static, str>,
    std::time::Duration,
    std::path::PathBuf
);

state! {
    for<T> Option<T>;
    for<T> Vec<T>;
    for<T> VecDeque<T>;
    for<T> Box<T>;
    for<A> (A,);
    for<A, B> (A, B);
    for<A, B, C> (A, B, C);
    for<A, B, C, D> (A, B, C, D);
    for<A, B, C, D, E> (A, B, C, D, E);
    for<A, B, C, D, E, F> (A, B, C, D, E, F);
}

impl<T: State + Sync> State for Arc<T> {
    fn derived(_: Derived) {}
}

impl<T: State + Ord> State for BTreeSet<T> {
    fn derived(_: Derived) {}
}

impl<T: State + Eq + Hash, H: BuildHasher + Default + Clone + Send + 'static> State for HashSet<T, H> {
    fn derived(_: Derived) {}
}

impl<K: MapKey + Ord, V: State> State for BTreeMap<K, V> {
    fn derived(_: Derived) {}
}

impl<K: MapKey + Eq + Hash, V: State, H: BuildHasher + Default + Clone + Send + 'static> State
    for HashMap<K, V, H>
{
    fn derived(_: Derived) {}
}

impl<K: MapKey + Eq + Hash, V: State> State for IndexMap<K, V> {
    fn derived(_: Derived) {}
}

macro_rules! arrays {
    ($($length:literal)*) => {$(
        impl<T: State> State for [T; $length] {
            fn derived(_: Derived) {}
        }
    )*};
}

// Serde and schemars know arrays up to this length.
arrays!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);

/// A type that can be the key of a map in shared state: one that JSON can write as a member's name.
///
/// Without it, a map with other keys would compile and fail when the state is written. `#[derive(State)]` implements it
/// for enums of unit variants and for structs around a key.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map in shared state",
    label = "JSON cannot write this as the name of a member",
    note = "use a string, an integer, a bool, a char or an enum of unit variants as the key"
)]
pub trait MapKey: Serialize + DeserializeOwned + JsonSchema + Clone + Send + 'static {
    #[doc(hidden)]
    fn derived(_: Derived);
}

macro_rules! map_key {
    ($($ty:ty)*) => {$(
        impl MapKey for $ty {
            fn derived(_: Derived) {}
        }
    )*};
}

map_key!(String bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize Cow<'static, str> Arc<str>);
