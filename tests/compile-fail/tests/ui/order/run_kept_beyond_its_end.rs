#![allow(unused)]

use agui_runtime::prelude::*;

use std::sync::Mutex;

struct Kept(Mutex<Option<&'static Emit>>);

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, kept: &Kept) -> Result<(), Stop> {
    *kept.0.lock().unwrap() = Some(run);
    Ok(())
}

fn main() {}
