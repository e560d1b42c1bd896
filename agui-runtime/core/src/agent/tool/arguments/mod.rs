//! Tool arguments: split, read by type, also while they stream.

pub(super) mod argument;
pub(super) mod arriving;
pub(super) mod data_error;
pub(super) mod path_at;
pub(super) mod predict;
pub(super) mod raw_members;
