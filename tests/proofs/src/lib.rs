//! Exhaustive, differential and mutation tests: the proofs of the README's claims, bounded in CI, in full on request.

pub mod patching;
pub mod zoo;
