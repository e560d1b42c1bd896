#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::{JsonSchema, JsonSchema_repr};
use serde::{Deserialize, Serialize};
use serde_repr::{Deserialize_repr, Serialize_repr};

#[derive(State, Clone)]
#[derive(Serialize_repr, Deserialize_repr, JsonSchema_repr)]
#[repr(u8)]
enum Level {
    Low = 1,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Alarm {
    level: Level,
}

#[agent(state = Alarm)]
async fn siren(run: &mut Run<Siren>, input: Input<Siren>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
