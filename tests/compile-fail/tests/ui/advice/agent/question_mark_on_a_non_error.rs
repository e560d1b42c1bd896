//! Question mark on what is no error.
//!
//! error: `?` couldn't convert the error: `Burnt: IntoStop` is not satisfied
//! write: implement `std::error::Error` for it, or box it as `Box<dyn Error + Send + Sync>`

use crate::kit::*;

struct Burnt;

fn bake() -> Result<u32, Burnt> {
    Err(Burnt)
}

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<u32, Stop> {
    Ok(bake()?)
}
