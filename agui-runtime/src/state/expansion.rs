//! What `#[derive(State)]` writes, by hand: one type for each form of JSON that serde's derive has. Paths here are the
//! runtime's own; generated code goes through `__private`.
//!
//! - `same`, `write`, `sync`, `token` and `floor` walk the fields that are serialized, in order. Skipped ones
//!   (`skip`, `skip_serializing`) do not exist. `alias`, `default`, `deny_unknown_fields`, `bound` change nothing here.
//! - Names come in two forms: `"\"name\":"` with JSON's escapes for [`Out::member`], and `"/name"` with the pointer's
//!   (`~0`, `~1`) and then JSON's for [`Path::lit`].
//! - Only `same` is `#[inline]`. Every container takes a mark first and settles last; flattened parts do neither.
//! - `child` answers for fields that are there now: not for absent ones, and not for opaque ones.
//! - A type that is `#[state(opaque)]`, or whose `into` makes it opaque, gets an empty impl, but for `same` where it has
//!   `==`: every method has a default that goes through serde.

mod enums;
mod fields;
mod structs;
