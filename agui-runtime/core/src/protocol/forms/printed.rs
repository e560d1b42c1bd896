//! `JsonPrint` for types that the macros do not declare.

use std::sync::Arc;

use serde_json::{Number, Value};

use super::print::{JsonPrint, close, integer, list, member, text, text_member};
use crate::protocol::any_json::json::JsonObject;
use crate::protocol::conversation::content::Content;
use crate::protocol::conversation::interrupt::InterruptList;
use crate::protocol::json_patch::pointer::JsonPointer;
use crate::protocol::number::{Count, Timestamp};

impl<T: JsonPrint> JsonPrint for Option<T> {
    #[inline]
    fn print(&self, out: &mut Vec<u8>) {
        match self {
            Some(value) => value.print(out),
            None => out.extend_from_slice(b"null"),
        }
    }

    #[inline]
    fn member(&self, start: &'static str, out: &mut Vec<u8>) {
        if let Some(value) = self {
            value.member(start, out);
        }
    }
}

impl<T: JsonPrint> JsonPrint for Box<T> {
    fn print(&self, out: &mut Vec<u8>) {
        T::print(self, out);
    }
}

impl<T: JsonPrint> JsonPrint for Vec<T> {
    fn print(&self, out: &mut Vec<u8>) {
        list(self, out);
    }
}

impl<T: JsonPrint> JsonPrint for Arc<[T]> {
    fn print(&self, out: &mut Vec<u8>) {
        list(self.iter(), out);
    }
}

impl JsonPrint for InterruptList {
    fn print(&self, out: &mut Vec<u8>) {
        list(self.iter(), out);
    }
}

impl JsonPrint for String {
    #[inline]
    fn print(&self, out: &mut Vec<u8>) {
        text(self, out);
    }

    #[inline]
    fn member(&self, start: &'static str, out: &mut Vec<u8>) {
        text_member(start, self, out);
    }
}

impl JsonPrint for JsonPointer {
    fn print(&self, out: &mut Vec<u8>) {
        text(self.as_str(), out);
    }

    #[inline]
    fn member(&self, start: &'static str, out: &mut Vec<u8>) {
        text_member(start, self.as_str(), out);
    }
}

impl JsonPrint for Content {
    fn print(&self, out: &mut Vec<u8>) {
        match self {
            Self::Text(words) => text(words, out),
            Self::Parts(parts) => list(parts, out),
        }
    }
}

impl JsonPrint for bool {
    fn print(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(if *self { b"true" } else { b"false" });
    }
}

impl JsonPrint for Timestamp {
    fn print(&self, out: &mut Vec<u8>) {
        integer(self.millis(), out);
    }
}

impl JsonPrint for Count {
    fn print(&self, out: &mut Vec<u8>) {
        integer(self.get(), out);
    }
}

impl JsonPrint for JsonObject {
    fn print(&self, out: &mut Vec<u8>) {
        let start = out.len();
        for (name, value) in self {
            member(name, out);
            value.print(out);
        }
        close(start, out);
    }
}

impl JsonPrint for Value {
    fn print(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.extend_from_slice(b"null"),
            Self::Bool(value) => value.print(out),
            Self::Number(number) => number.print(out),
            Self::String(words) => text(words, out),
            Self::Array(items) => list(items, out),
            Self::Object(members) => members.print(out),
        }
    }
}

impl JsonPrint for Number {
    fn print(&self, out: &mut Vec<u8>) {
        match (self.as_u64(), self.as_i64(), self.as_f64()) {
            (Some(number), ..) => integer(number, out),
            (None, Some(number), _) => integer(number, out),
            (None, None, Some(number)) if number.is_finite() => {
                out.extend_from_slice(zmij::Buffer::new().format_finite(number).as_bytes());
            }
            // `Number` cannot be anything else; serde_json would write the same.
            _ => out.extend_from_slice(b"null"),
        }
    }
}
