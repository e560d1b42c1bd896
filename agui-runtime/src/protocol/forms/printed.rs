//! `Print` for types that the macros do not declare.

use std::sync::Arc;

use serde_json::{Number, Value};

use super::print::{Print, close, integer, list, member, text, text_member};
use crate::protocol::any_json::json::JsonObject;
use crate::protocol::conversation::content::Content;
use crate::protocol::conversation::interrupt::Interrupts;
use crate::protocol::json_patch::pointer::JsonPointer;
use crate::protocol::number::{Count, Timestamp};

impl<T: Print> Print for Option<T> {
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

impl<T: Print> Print for Box<T> {
    fn print(&self, out: &mut Vec<u8>) {
        T::print(self, out);
    }
}

impl<T: Print> Print for Vec<T> {
    fn print(&self, out: &mut Vec<u8>) {
        list(self, out);
    }
}

impl<T: Print> Print for Arc<[T]> {
    fn print(&self, out: &mut Vec<u8>) {
        list(self.iter(), out);
    }
}

impl Print for Interrupts {
    fn print(&self, out: &mut Vec<u8>) {
        list(self.iter(), out);
    }
}

impl Print for String {
    #[inline]
    fn print(&self, out: &mut Vec<u8>) {
        text(self, out);
    }

    #[inline]
    fn member(&self, start: &'static str, out: &mut Vec<u8>) {
        text_member(start, self, out);
    }
}

impl Print for JsonPointer {
    fn print(&self, out: &mut Vec<u8>) {
        text(self.as_str(), out);
    }

    #[inline]
    fn member(&self, start: &'static str, out: &mut Vec<u8>) {
        text_member(start, self.as_str(), out);
    }
}

impl Print for Content {
    fn print(&self, out: &mut Vec<u8>) {
        match self {
            Self::Text(words) => text(words, out),
            Self::Parts(parts) => list(parts, out),
        }
    }
}

impl Print for bool {
    fn print(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(if *self { b"true" } else { b"false" });
    }
}

impl Print for Timestamp {
    fn print(&self, out: &mut Vec<u8>) {
        integer(self.millis(), out);
    }
}

impl Print for Count {
    fn print(&self, out: &mut Vec<u8>) {
        integer(self.get(), out);
    }
}

impl Print for JsonObject {
    fn print(&self, out: &mut Vec<u8>) {
        let start = out.len();
        for (name, value) in self {
            member(name, out);
            value.print(out);
        }
        close(start, out);
    }
}

impl Print for Value {
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

impl Print for Number {
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
