//! Numbers and other scalars.

use std::num::{NonZeroI16, NonZeroU8};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Case, Shapes};

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Numbers {
    u8: u8,
    u16: u16,
    u32: u32,
    /// Exact in Rust.
    u64: u64,
    usize: usize,
    i8: i8,
    i16: i16,
    i32: i32,
    i64: i64,
    isize: isize,
    f32: f32,
    f64: f64,
    bool: bool,
    char: char,
    non_zero: NonZeroU8,
    signed_non_zero: NonZeroI16,
    #[schemars(range(min = 1, max = 6))]
    die: u8,
    #[schemars(length(min = 1, max = 3))]
    short: String,
}

pub(super) fn case() -> Case {
    let numbers = Numbers {
        u8: u8::MAX,
        u16: u16::MAX,
        u32: u32::MAX,
        u64: 1 << 53,
        usize: 1,
        i8: i8::MIN,
        i16: i16::MIN,
        i32: i32::MIN,
        i64: -(1 << 53),
        isize: -1,
        f32: 0.5,
        f64: 1e-9,
        bool: true,
        char: '🦀',
        non_zero: NonZeroU8::MIN,
        signed_non_zero: NonZeroI16::MIN,
        die: 6,
        short: "abc".into(),
    };
    let with = |name: &str, value: serde_json::Value| {
        let mut value_of = serde_json::to_value(&numbers).unwrap();
        value_of[name] = value;
        value_of
    };
    Shapes::new("numbers", "Numbers and scalars.")
        .shape(
            "numbers",
            [numbers.clone()],
            [
                with("u8", json!(256)),
                with("u8", json!(-1)),
                with("u8", json!(1.5)),
                with("i8", json!(-129)),
                with("u32", json!("1")),
                with("bool", json!(0)),
                with("char", json!("ab")),
                with("f64", json!("1")),
                with("f64", json!(true)),
                with("u8", json!(true)),
                with("u64", json!(-1)),
                with("u32", json!(1_u64 << 32)),
                with("i32", json!(1_u64 << 31)),
                with("i32", json!(-(1_i64 << 31) - 1)),
                with("u16", json!(65_536)),
                with("i16", json!(32_768)),
                with("i16", json!(-32_769)),
            ],
        )
        .finish()
}
