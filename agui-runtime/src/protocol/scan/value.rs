//! Scanning of the types that the macros do not declare.

use std::sync::Arc;

use serde_json::Value;

use super::super::content::{Content, ContentPart};
use super::super::interrupt::{Interrupt, Interrupts};
use super::super::json::JsonObject;
use super::super::number::{Count, Timestamp};
use super::super::patch::PatchOperation;
use super::super::pointer::JsonPointer;
use super::super::written::{JsonDocument, JsonPatch};
use super::{Scan, Scanner};

impl<T: Scan> Scan for Option<T> {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        T::scan(scanner).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Scan> Scan for Box<T> {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        T::scan(scanner).map(Self::new)
    }
}

impl<T: Scan> Scan for Vec<T> {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        let mut items = Self::with_capacity(scanner.expected_len::<T>());
        scanner.open(b'[')?;
        let mut first = true;
        while scanner.element(&mut first, b']')? {
            items.push(T::scan(scanner)?);
        }
        Some(items)
    }
}

impl<T: Scan> Scan for Arc<[T]> {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        Vec::scan(scanner).map(Into::into)
    }
}

impl Scan for String {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        scanner.string().map(Into::into)
    }
}

impl Scan for bool {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        match scanner.peek()? {
            b't' => (scanner.take(4)? == "true").then_some(true),
            _ => (scanner.take(5)? == "false").then_some(false),
        }
    }
}

impl Scan for Value {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        match scanner.peek()? {
            b'"' => String::scan(scanner).map(Self::String),
            b'{' => JsonObject::scan(scanner).map(Self::Object),
            b'[' => Vec::scan(scanner).map(Self::Array),
            b't' | b'f' => bool::scan(scanner).map(Self::Bool),
            b'n' => (scanner.take(4)? == "null").then_some(Self::Null),
            _ => scanner.number(),
        }
    }
}

impl Scan for JsonObject {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        scanner.open(b'{')?;
        let mut object = Self::new();
        let mut first = true;
        while scanner.element(&mut first, b'}')? {
            let key = scanner.any_key()?.into_owned();
            // As with serde_json, the later of two equal keys wins.
            object.insert(key, Value::scan(scanner)?);
        }
        Some(object)
    }
}

impl Scan for JsonDocument {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        Value::scan(scanner).map(Self::from)
    }
}

impl Scan for JsonPatch {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        <Vec<PatchOperation>>::scan(scanner).map(Self::from)
    }
}

impl Scan for JsonPointer {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        Self::try_from(String::scan(scanner)?).ok()
    }
}

impl Scan for Interrupts {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        Self::try_from(<Vec<Interrupt>>::scan(scanner)?).ok()
    }
}

impl Scan for Content {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        match scanner.peek()? {
            b'"' => String::scan(scanner).map(Self::Text),
            _ => <Vec<ContentPart>>::scan(scanner).map(Self::Parts),
        }
    }
}

impl Scan for Timestamp {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        Self::from_millis(scanner.integer()?).ok()
    }
}

impl Scan for Count {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        Self::try_from(u64::try_from(scanner.integer()?).ok()?).ok()
    }
}

impl Scanner<'_> {
    /// Reads any number. serde_json reads those that are not plain integers.
    fn number(&mut self) -> Option<Value> {
        let start = self.mark();
        let is_negative = self.peek()? == b'-';
        match self.integer() {
            // `-0` is a float in serde_json, not an integer.
            Some(0) if is_negative => {}
            Some(number) => return Some(number.into()),
            None => {}
        }
        self.back_to(start);
        let len = self.measure(Self::skip_value)?;
        serde_json::from_str(self.take(len)?).ok()
    }

    /// Reads a whole number in its plain spelling.
    fn integer(&mut self) -> Option<i64> {
        let is_negative = self.peek()? == b'-';
        if is_negative {
            self.skip(1);
        }
        let digits = self.rest();
        let len = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
        let is_plain = match digits.get(..len)? {
            [] | [b'0', _, ..] => false,
            // Every number of the protocol has at most 16 digits.
            _ => len <= 16,
        };
        let number = self.take(len)?;
        if !is_plain || matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        let number = number.bytes().fold(0, |number: i64, digit| number * 10 + i64::from(digit - b'0'));
        Some(if is_negative { -number } else { number })
    }
}
