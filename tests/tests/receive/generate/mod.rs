//! Streams that are written by chance.

pub(crate) mod dice;
pub(crate) mod event;
pub(crate) mod stream;
