//! Retired shapes.
