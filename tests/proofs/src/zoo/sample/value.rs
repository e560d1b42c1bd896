//! JSON of any shape.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::{Sample, Source};

impl Sample for Value {
    fn sample(source: &mut Source<'_>) -> Self {
        match source.below(8) {
            0 => Self::Null,
            1 => bool::sample(source).into(),
            2 => i64::sample(source).into(),
            3 => serde_json::Number::from_f64(f64::sample(source)).map_or(Self::Null, Self::Number),
            4 => u64::sample(source).into(),
            5 => String::sample(source).into(),
            6 => Vec::<Self>::sample(source).into(),
            _ => Self::Object(BTreeMap::<String, Self>::sample(source).into_iter().collect()),
        }
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        match self {
            Self::Array(elements) if source.below(4) > 0 => elements.nudge(source),
            Self::Object(members) if source.below(4) > 0 => {
                let mut map: BTreeMap<String, Self> = std::mem::take(members).into_iter().collect();
                map.nudge(source);
                *members = map.into_iter().collect();
            }
            other => *other = Self::sample(source),
        }
    }
}
