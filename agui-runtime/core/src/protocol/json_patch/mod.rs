//! JSON Patch (RFC 6902) and JSON Pointer (RFC 6901) in the protocol's form.

pub(super) mod operation;
pub(super) mod patch;
pub(super) mod pointer;
