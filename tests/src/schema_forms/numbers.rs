//! Numbers. schemars states the bounds of integers up to 16 bits, and the sign of all; serde checks the others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Form, Of, form, of};

#[derive(JsonSchema, Serialize, Deserialize)]
struct Bounded {
    #[schemars(length(max = 10))]
    text: String,
    #[schemars(extend("multipleOf" = 5))]
    number: u16,
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    share: f64,
}

macro_rules! integers {
    ($($of:ident: $refuses:expr),* $(,)?) => {
        vec![$(
            form::<Of<$of>>(stringify!($of), ends!($of), json!($refuses))
        ),*]
    };
}

/// The least and the greatest value, or the greatest that serde_json can hold.
macro_rules! ends {
    ($of:ident) => {{
        let least = i64::try_from($of::MIN).unwrap_or(i64::MIN);
        let greatest = u64::try_from($of::MAX).unwrap_or(u64::MAX);
        json!([of(least), of(greatest)])
    }};
}

pub(super) fn forms() -> Vec<Form> {
    let mut forms = integers! {
        i8: [of(-129), of(128)],
        i16: [of(-32_769), of(32_768)],
        i32: [of(0.5)],
        i64: [of(0.5)],
        i128: [of("1")],
        isize: [of(0.5)],
        u8: [of(-1), of(256)],
        u16: [of(-1), of(65_536)],
        u32: [of(-1)],
        u64: [of(-1)],
        u128: [of(-1)],
        usize: [of(-1)],
    };
    forms.extend([
        form::<Of<f32>>("f32", of(0.5), of("0.5")),
        form::<Of<f64>>("f64", of(0.5), of(Value::Null)),
        form::<Of<bool>>("bool", of(true), of(1)),
        form::<Of<std::num::NonZeroU8>>("integer above zero", of(1), of(0)),
        form::<Of<Option<u8>>>("optional integer", json!([of(Value::Null), of(1)]), of("1")),
        form::<Bounded>(
            "bounds",
            json!({ "text": "a", "number": 5, "share": 0.5 }),
            json!({ "text": 1, "number": 5, "share": 0.5 }),
        ),
    ]);
    forms
}
