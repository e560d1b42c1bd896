//! Error without a text.
//!
//! error: `Burnt` cannot be the error of a tool
//! write: implement `std::fmt::Display` for it, or `std::error::Error`, for example with `thiserror`

use crate::kit::*;

struct Burnt;

/// Cooks.
#[tool]
async fn cook(name: String) -> Result<u32, Burnt> {
    Err(Burnt)
}
