//! The page of the guide that API documentation refers to.

#[cfg_attr(feature = "server", doc = include_str!("security.md"))]
#[cfg_attr(feature = "server", doc = "")]
#[cfg_attr(
    not(feature = "server"),
    doc = "The parts of an input that a client may forge, and those that are proven."
)]
#[cfg_attr(not(feature = "server"), doc = "")]
#[doc = include_str!("../docs/trust.md")]
pub mod security {}
