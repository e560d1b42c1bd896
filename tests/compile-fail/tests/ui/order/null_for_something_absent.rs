#![allow(unused)]

use std::sync::Arc;

use agui_runtime::prelude::*;

/// Reads a lot.
#[agent]
async fn reader(run: &mut Run<Reader>, input: Input<Reader>) -> Result<(), Stop> {
    Ok(())
}

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, reader: &Arc<Reader>) -> Result<(), Stop> {
    run.delegate("reader", reader, []).description(None::<String>).await?;
    Ok(())
}

fn main() {}
