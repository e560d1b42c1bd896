//! `JsonScan` for types that the macros do not declare.

use std::sync::Arc;

use serde_json::Value;

use super::scan::{JsonScan, JsonScanner};
use crate::protocol::any_json::json::JsonObject;
use crate::protocol::any_json::written::{JsonDocument, JsonPatch};
use crate::protocol::conversation::content::{Content, ContentPart};
use crate::protocol::conversation::interrupt::{Interrupt, InterruptList};
use crate::protocol::json_patch::patch::PatchOperation;
use crate::protocol::json_patch::pointer::JsonPointer;
use crate::protocol::number::{Count, Timestamp};

impl<T: JsonScan> JsonScan for Option<T> {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        T::scan(scanner).map(Some)
    }
}

impl<T: JsonScan> JsonScan for Box<T> {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        T::scan(scanner).map(Self::new)
    }
}

impl<T: JsonScan> JsonScan for Vec<T> {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        let mut items = Self::with_capacity(scanner.expected_len::<T>());
        scanner.open(b'[')?;
        let mut first = true;
        while scanner.element(&mut first, b']')? {
            items.push(T::scan(scanner)?);
        }
        Some(items)
    }
}

impl<T: JsonScan> JsonScan for Arc<[T]> {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        Vec::scan(scanner).map(Into::into)
    }
}

impl JsonScan for String {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        scanner.string().map(Into::into)
    }
}

impl JsonScan for bool {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        match scanner.peek()? {
            b't' => (scanner.take(4)? == "true").then_some(true),
            _ => (scanner.take(5)? == "false").then_some(false),
        }
    }
}

impl JsonScan for Value {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
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

impl JsonScan for JsonObject {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
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

impl JsonScan for JsonDocument {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        Value::scan(scanner).map(Self::from)
    }
}

impl JsonScan for JsonPatch {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        <Vec<PatchOperation>>::scan(scanner).map(Self::from)
    }
}

impl JsonScan for JsonPointer {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        Self::try_from(String::scan(scanner)?).ok()
    }
}

impl JsonScan for InterruptList {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        Self::try_from(<Vec<Interrupt>>::scan(scanner)?).ok()
    }
}

impl JsonScan for Content {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        match scanner.peek()? {
            b'"' => String::scan(scanner).map(Self::Text),
            _ => <Vec<ContentPart>>::scan(scanner).map(Self::Parts),
        }
    }
}

impl JsonScan for Timestamp {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        Self::from_millis(scanner.integer()?).ok()
    }
}

impl JsonScan for Count {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        Self::try_from(u64::try_from(scanner.integer()?).ok()?).ok()
    }
}
