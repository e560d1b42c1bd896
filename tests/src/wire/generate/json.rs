//! Random JSON, text, ids.

use agui_runtime::protocol::*;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Number, Value};

/// Any text, also strings that break encoders.
pub fn text() -> BoxedStrategy<String> {
    prop_oneof![
        1 => Just(String::new()),
        1 => proptest::sample::select(vec![
            "\u{0}", "\"", "\\", "\n", "\r\n", "\u{2028}", "\u{feff}", "\u{e9}\u{301}", "\u{1f469}\u{200d}\u{1f373}",
            "null", "__proto__", "toString", "data: [DONE]",
        ])
        .prop_map(str::to_owned),
        4 => proptest::string::string_regex("[a-zA-Z0-9 _./~-]{1,12}").expect("a pattern"),
        2 => vec(any::<char>(), 0..6).prop_map(String::from_iter),
    ]
    .boxed()
}

/// Any id: any text.
pub fn id<I: From<String> + std::fmt::Debug + 'static>() -> BoxedStrategy<I> {
    text().prop_map(I::from).boxed()
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        // Eighths are exact in binary and in decimal, so that the printing of fractions does not matter.
        any::<i32>().prop_map(|eighths| Number::from_f64(f64::from(eighths) / 8.0).expect("finite")),
    ]
}

/// Any JSON value.
pub fn value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number().prop_map(Value::Number),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((text(), inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
    .boxed()
}

/// Any JSON value except `null`.
pub fn non_null() -> BoxedStrategy<NonNull> {
    value().prop_filter_map("null", NonNull::new).boxed()
}

/// Any JSON object.
pub fn object() -> BoxedStrategy<JsonObject> {
    vec((text(), value()), 0..4).prop_map(JsonObject::from_iter).boxed()
}

/// Any metadata.
pub fn metadata() -> BoxedStrategy<Metadata> {
    object().prop_map(Metadata::from).boxed()
}

/// Any count, also the largest.
pub(super) fn count() -> BoxedStrategy<Count> {
    let largest = (1_u64 << 53) - 1;
    prop_oneof![Just(0), Just(largest), 0..=largest]
        .prop_map(|count| Count::try_from(count).expect("in range"))
        .boxed()
}

/// Any timestamp, also the extreme ones.
pub(super) fn timestamp() -> BoxedStrategy<Timestamp> {
    let largest = (1_i64 << 53) - 1;
    prop_oneof![Just(-largest), Just(largest), -largest..=largest]
        .prop_map(|millis| Timestamp::from_millis(millis).expect("in range"))
        .boxed()
}
