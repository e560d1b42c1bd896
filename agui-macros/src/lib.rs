//! The macros of `agui-runtime`.
