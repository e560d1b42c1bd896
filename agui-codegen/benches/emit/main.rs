//! The time to generate 5,000 types to TypeScript, Python and JSON Schema, and ten times as many. With fewer types, all
//! data stays in a processor's cache, so that each takes half the time: that would not measure growth.
//!
//! `cargo bench -p agui-codegen --bench emit`. Fails if it misses the goal of processor time, or grows faster than the
//! number of types. The time of other tools for the same types is printed beside it if they are installed.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::panic)]

mod peers;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use agui_codegen::{LANGUAGES, Manifest, lower::lower};
use serde_json::{Map, Value, json};

/// The goal for 5,000 types.
const GOAL: Duration = Duration::from_millis(300);

/// The limit of the factor for ten times the types.
const GROWTH: f64 = 12.0;

/// The number of types in a module: they refer to each other, and to no other module's.
const MODULE: usize = 50;

/// `count` types: structs that hold others, enums of two forms, maps, lists, tuples, in every module a recursive one.
fn types(count: usize) -> Map<String, Value> {
    let mut types = Map::new();
    for index in 0..count {
        let place = index % MODULE;
        let reference =
            |place: usize| json!({"$ref": format!("#/types/out/Type{}", index / MODULE * MODULE + place)});
        let (other, another) = (reference(place / 2), reference(place / 3));
        let schema = match place % 5 {
            0 => json!({"type": "string", "enum": ["open", "done", "late"]}),
            1 => json!({"oneOf": [
                {"type": "object", "properties": {"kind": {"type": "string", "const": "a"}, "x": other}, "required": ["kind", "x"]},
                {"type": "object", "properties": {"kind": {"type": "string", "const": "b"}}, "required": ["kind"]},
            ]}),
            _ => json!({"type": "object", "description": "One of many.", "properties": {
                "id": {"type": "integer", "format": "uint32", "minimum": 0},
                "name": {"type": ["string", "null"]},
                "others": {"type": "array", "items": other},
                "by_name": {"type": "object", "additionalProperties": another},
                "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "boolean"}], "minItems": 2, "maxItems": 2},
                "parent": if place == 49 { json!({"anyOf": [reference(place), {"type": "null"}]}) } else { json!({"type": "boolean"}) },
            }, "required": ["id", "name", "others", "pair"]}),
        };
        types.insert(format!("Type{index}"), schema);
    }
    types
}

/// An agent with these types. One in ten is the value of an event.
fn manifest(count: usize) -> Manifest {
    let types = types(count);
    let roots: Vec<Value> = (0..count)
        .filter(|index| index % MODULE >= MODULE / 10 * 9)
        .map(|index| json!({"name": format!("event{index}"), "description": "", "value": {"$ref": format!("#/types/out/Type{index}")}}))
        .collect();
    let value = json!({
        "agui_manifest": 1, "generator": "bench", "crate": {"name": "bench", "version": "0.1.0"},
        "agents": [{"name": "bench", "description": "", "version": "0.1.0", "rust": "bench", "tools": [], "events": roots}],
        "types": {"out": types, "in": {}}, "hash": {"wire": "", "full": ""},
    });
    serde_json::from_value(value).unwrap()
}

/// The processor time of this program, if the system tells it, and the time of day otherwise.
fn processor() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let told = told.and_then(|line| line.split(' ').next()?.parse().ok());
    told.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// The minimum of some measurements: other load on the machine only adds to it. Each repeats the work often enough for
/// the resolution of the system's clock.
fn least(times: u32, mut work: impl FnMut() -> usize) -> Duration {
    let times = (0..5).map(|_| {
        let start = processor();
        (0..times).for_each(|_| assert!(work() > 0));
        (processor() - start) / times
    });
    times.min().unwrap()
}

fn main() {
    let mut whole = Vec::new();
    for count in [5_000, 50_000] {
        let manifest = manifest(count);
        let times = u32::try_from(50_000 / count).unwrap();
        let lowering = least(times, || lower(&manifest).unwrap().agents.len());
        let api = lower(&manifest).unwrap();
        let mut sum = lowering;
        println!("{count} types: lowered in {lowering:.1?}");
        for language in &LANGUAGES {
            let time = least(times, || language.emit(&api).iter().map(|file| file.text.len()).sum());
            println!("{count} types: {} in {time:.1?}", language.name);
            sum += time;
        }
        println!("{count} types: all in {sum:.1?}");
        whole.push(sum);
    }
    let [whole, tenfold] = whole.as_slice() else { panic!("two sizes") };
    let growth = tenfold.as_secs_f64() / whole.as_secs_f64();
    peers::measure(&types(5_000), *whole);
    println!(
        "goal: {GOAL:?}, measured {whole:.1?}; ten times the types take {growth:.1} times as long (goal {GROWTH})"
    );
    if *whole > GOAL || growth > GROWTH {
        std::process::exit(1);
    }
}
