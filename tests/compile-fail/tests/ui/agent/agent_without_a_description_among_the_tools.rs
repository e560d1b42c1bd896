#![allow(unused)]

use std::sync::Arc;

use agui_runtime::prelude::*;

#[agent]
async fn silent(run: &mut Run<Silent>, input: Input<Silent>) -> Result<(), Stop> {
    Ok(())
}

#[agent(tools = [Silent])]
async fn host(run: &mut Run<Host>, input: Input<Host>, silent: &Arc<Silent>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
