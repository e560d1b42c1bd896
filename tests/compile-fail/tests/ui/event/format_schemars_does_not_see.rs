#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

fn loudly<S: serde::Serializer>(loud: &bool, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(if *loud { "LOUD" } else { "quiet" })
}

#[derive(CustomEvent, Serialize, JsonSchema)]
struct Sizzle {
    #[serde(serialize_with = "loudly")]
    loud: bool,
}

#[agent(events = [Sizzle])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.custom(Sizzle { loud: true }).await?;
    Ok(())
}

fn main() {}
