//! Data whose fields have no paths.

use agui_runtime::a2ui::SurfaceData;
use serde::Serialize;

#[derive(Serialize, SurfaceData)]
struct Pair(u32, u32);

#[derive(Serialize, SurfaceData)]
struct Flat {
    #[serde(flatten)]
    pair: Inner,
}

#[derive(Serialize)]
struct Inner {
    cents: u32,
}

#[derive(Serialize, SurfaceData)]
struct Outer {
    inner: Inner,
}

fn main() {}
