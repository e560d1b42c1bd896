//! `serde_json::Value`: any JSON.

use serde_json::{Number, Value};

use super::super::StateNode;
use super::super::engine::{JsonOut, PatchText, StatePath, ValueToken, VisitedTypes};

#[diagnostic::do_not_recommend]
impl StateNode for Value {
    fn is_open(types: &mut VisitedTypes) -> bool {
        let _ = types;
        true
    }

    fn same(&self, now: &Self) -> bool {
        crate::json::same(self, now)
    }

    fn write(&self, out: &mut JsonOut) {
        match self {
            Self::Null => out.raw("null"),
            Self::Bool(truth) => truth.write(out),
            Self::Number(number) => write_number(number, out),
            Self::String(text) => out.str(text),
            Self::Array(elements) => elements.write(out),
            Self::Object(members) => members.write(out),
        }
    }

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        match (&mut *self, now) {
            (Self::Array(old), Self::Array(now)) => old.sync(now, at, out),
            (Self::Object(old), Self::Object(now)) => old.sync(now, at, out),
            (old, now) => out.whole(old, now, at),
        }
    }

    fn is_null(&self) -> bool {
        self.is_null()
    }

    fn floor(&self) -> usize {
        match self {
            Self::Null | Self::Bool(_) => 4,
            Self::Number(_) => 1,
            Self::String(text) => text.len() + 2,
            Self::Array(elements) => elements.floor(),
            Self::Object(members) => members.floor(),
        }
    }

    fn token(&self, token: &mut ValueToken) {
        match self {
            Self::Null => token.null(),
            Self::Bool(truth) => truth.token(token),
            // Equal numbers may be written differently.
            Self::Number(number) => token.float(number.as_f64().unwrap_or(f64::NAN)),
            Self::String(text) => text.token(token),
            Self::Array(elements) => elements.token(token),
            Self::Object(members) => members.token(token),
        }
    }

    fn document(&self) -> Result<Self, serde_json::Error> {
        Ok(self.clone())
    }
}

fn write_number(number: &Number, out: &mut JsonOut) {
    if let Some(number) = number.as_u64() {
        out.integer(number);
    } else if let Some(number) = number.as_i64() {
        out.integer(number);
    } else {
        out.serde(number);
    }
}
