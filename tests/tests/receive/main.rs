//! A client's stages, checked against the official client and its fixtures.

mod compat;
mod enforce;
