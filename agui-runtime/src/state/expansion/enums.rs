//! `enum`s: the five ways serde writes them. The same variant is compared field by field, another is sent whole.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::Node;
use super::super::apply::{Edit, Fault, Target};
use super::super::engine::{Members, Out, Patch, Path, Token, members, opaque};
use super::structs::Item;

/// Externally tagged: a unit is a string, everything else is below `/Variant`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) enum External {
    Unit,
    Newtype(Item),
    Tuple(u8, String),
    #[serde(rename_all = "camelCase")]
    Struct {
        some_text: String,
    },
}

impl Node for External {
    // The least of all variants is enough; 2 is always right for an enum that is not untagged.
    const MIN: usize = 2;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        match (self, now) {
            (Self::Unit, Self::Unit) => true,
            (Self::Newtype(old0), Self::Newtype(now0)) => old0.same(now0),
            (Self::Tuple(old0, old1), Self::Tuple(now0, now1)) => old0.same(now0) && old1.same(now1),
            (Self::Struct { some_text: old0 }, Self::Struct { some_text: now0 }) => old0.same(now0),
            _ => false,
        }
    }

    fn write(&self, out: &mut Out) {
        match self {
            Self::Unit => out.raw("\"Unit\""),
            Self::Newtype(own0) => {
                out.raw("{\"Newtype\":");
                own0.write(out);
                out.byte(b'}');
            }
            Self::Tuple(own0, own1) => {
                out.raw("{\"Tuple\":[");
                own0.write(out);
                out.byte(b',');
                own1.write(out);
                out.raw("]}");
            }
            Self::Struct { some_text: own0 } => {
                out.raw("{\"Struct\":{\"someText\":");
                own0.write(out);
                out.raw("}}");
            }
        }
    }

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        let mark = out.mark();
        match (&mut *self, now) {
            (Self::Unit, Self::Unit) => {}
            (Self::Newtype(old0), Self::Newtype(now0)) => old0.sync(now0, &at.lit("/Newtype"), out),
            (Self::Tuple(old0, old1), Self::Tuple(now0, now1)) => {
                let at = at.lit("/Tuple");
                old0.sync(now0, &at.index(0), out);
                old1.sync(now1, &at.index(1), out);
            }
            (Self::Struct { some_text: old0 }, Self::Struct { some_text: now0 }) => {
                let at = at.lit("/Struct");
                old0.sync(now0, &at.lit("/someText"), out);
            }
            (old, now) => out.whole(old, now, at),
        }
        out.settle(mark, at, now);
    }

    fn token(&self, token: &mut Token) {
        match self {
            Self::Unit => token.number(0),
            Self::Newtype(own0) => {
                token.number(1);
                own0.token(token);
            }
            Self::Tuple(own0, own1) => {
                token.number(2);
                own0.token(token);
                own1.token(token);
            }
            Self::Struct { some_text: own0 } => {
                token.number(3);
                own0.token(token);
            }
        }
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        // Only a newtype's payload has an object of its own to give; payloads of other variants are reached by reading
        // the enum anew.
        match (self, segment) {
            (Self::Newtype(own0), "Newtype") => Some(own0),
            _ => None,
        }
    }
}

/// Internally tagged: the fields stand beside the tag. A newtype variant's payload must be `Members`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Internal {
    Idle,
    Running { percent: u8 },
    Inner(super::structs::Section),
}

impl Node for Internal {
    const MIN: usize = 2;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        match (self, now) {
            (Self::Idle, Self::Idle) => true,
            (Self::Running { percent: old0 }, Self::Running { percent: now0 }) => old0.same(now0),
            (Self::Inner(old0), Self::Inner(now0)) => old0.same(now0),
            _ => false,
        }
    }

    fn write(&self, out: &mut Out) {
        out.byte(b'{');
        Members::write_members(self, out);
        out.byte(b'}');
    }

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        let mark = out.mark();
        match (&mut *self, now) {
            (Self::Idle, Self::Idle) => {}
            (Self::Running { percent: old0 }, Self::Running { percent: now0 }) => {
                old0.sync(now0, &at.lit("/percent"), out);
            }
            (Self::Inner(old0), Self::Inner(now0)) => Members::sync_members(old0, now0, at, out),
            (old, now) => out.whole(old, now, at),
        }
        out.settle(mark, at, now);
    }

    fn token(&self, token: &mut Token) {
        match self {
            Self::Idle => token.number(0),
            Self::Running { percent: own0 } => {
                token.number(1);
                own0.token(token);
            }
            Self::Inner(own0) => {
                token.number(2);
                own0.token(token);
            }
        }
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        match (self, segment) {
            (Self::Running { percent: own0 }, "percent") => Some(own0),
            (Self::Inner(own0), _) => Node::child(own0, segment),
            _ => None,
        }
    }
}

/// An enum that always writes an object is `Members` too: internally tagged ones, untagged ones of structs, adjacently
/// tagged ones, externally tagged ones without unit variants.
impl Members for Internal {
    fn write_members(&self, out: &mut Out) {
        match self {
            Self::Idle => out.member("\"kind\":\"idle\""),
            Self::Running { percent: own0 } => {
                out.member("\"kind\":\"running\",\"percent\":");
                own0.write(out);
            }
            Self::Inner(own0) => {
                out.member("\"kind\":\"inner\"");
                Members::write_members(own0, out);
            }
        }
    }

    fn sync_members(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        match (&mut *self, now) {
            (Self::Idle, Self::Idle) => {}
            (Self::Running { percent: old0 }, Self::Running { percent: now0 }) => {
                old0.sync(now0, &at.lit("/percent"), out);
            }
            (Self::Inner(old0), Self::Inner(now0)) => Members::sync_members(old0, now0, at, out),
            (old, now) => {
                members::exchange(Some(&*old), Some(now), at, out);
                old.clone_from(now);
            }
        }
    }
}

/// Adjacently tagged: the payload is below `/content`; a unit variant has none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    Unit,
    Newtype(Item),
    Struct { a: u8 },
}

impl Node for Adjacent {
    const MIN: usize = 2;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        match (self, now) {
            (Self::Unit, Self::Unit) => true,
            (Self::Newtype(old0), Self::Newtype(now0)) => old0.same(now0),
            (Self::Struct { a: old0 }, Self::Struct { a: now0 }) => old0.same(now0),
            _ => false,
        }
    }

    fn write(&self, out: &mut Out) {
        match self {
            Self::Unit => out.raw("{\"t\":\"Unit\"}"),
            Self::Newtype(own0) => {
                out.raw("{\"t\":\"Newtype\",\"c\":");
                own0.write(out);
                out.byte(b'}');
            }
            Self::Struct { a: own0 } => {
                out.raw("{\"t\":\"Struct\",\"c\":{\"a\":");
                own0.write(out);
                out.raw("}}");
            }
        }
    }

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        let mark = out.mark();
        match (&mut *self, now) {
            (Self::Unit, Self::Unit) => {}
            (Self::Newtype(old0), Self::Newtype(now0)) => old0.sync(now0, &at.lit("/c"), out),
            (Self::Struct { a: old0 }, Self::Struct { a: now0 }) => {
                let at = at.lit("/c");
                old0.sync(now0, &at.lit("/a"), out);
            }
            (old, now) => out.whole(old, now, at),
        }
        out.settle(mark, at, now);
    }

    fn token(&self, token: &mut Token) {
        match self {
            Self::Unit => token.number(0),
            Self::Newtype(own0) => {
                token.number(1);
                own0.token(token);
            }
            Self::Struct { a: own0 } => {
                token.number(2);
                own0.token(token);
            }
        }
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        match (self, segment) {
            (Self::Newtype(own0), "c") => Some(own0),
            _ => None,
        }
    }
}

/// Untagged: in line. Other variants may have the same JSON (`1` and `1.0`), so their texts are compared, and any
/// variant may be `null`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Untagged {
    Integer(i64),
    Float(f64),
    Nothing,
    Struct { a: u8, b: Option<u8> },
}

impl Node for Untagged {
    // The least of all variants; 1 is always right.
    const MIN: usize = 1;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        match (self, now) {
            (Self::Integer(old0), Self::Integer(now0)) => old0.same(now0),
            (Self::Float(old0), Self::Float(now0)) => old0.same(now0),
            (Self::Nothing, Self::Nothing) => true,
            (Self::Struct { a: old0, b: old1 }, Self::Struct { a: now0, b: now1 }) => {
                old0.same(now0) && old1.same(now1)
            }
            (old, now) => opaque::same_written(old, now),
        }
    }

    fn write(&self, out: &mut Out) {
        match self {
            Self::Integer(own0) => own0.write(out),
            Self::Float(own0) => own0.write(out),
            Self::Nothing => out.raw("null"),
            Self::Struct { a: own0, b: own1 } => {
                out.raw("{\"a\":");
                own0.write(out);
                out.raw(",\"b\":");
                own1.write(out);
                out.byte(b'}');
            }
        }
    }

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        let mark = out.mark();
        match (&mut *self, now) {
            (Self::Integer(old0), Self::Integer(now0)) => old0.sync(now0, at, out),
            (Self::Float(old0), Self::Float(now0)) => old0.sync(now0, at, out),
            (Self::Nothing, Self::Nothing) => {}
            (Self::Struct { a: old0, b: old1 }, Self::Struct { a: now0, b: now1 }) => {
                old0.sync(now0, &at.lit("/a"), out);
                old1.sync(now1, &at.lit("/b"), out);
            }
            (old, now) => out.whole(old, now, at),
        }
        out.settle(mark, at, now);
    }

    fn is_null(&self) -> bool {
        match self {
            Self::Integer(own0) => own0.is_null(),
            Self::Float(own0) => own0.is_null(),
            Self::Nothing => true,
            Self::Struct { .. } => false,
        }
    }

    fn token(&self, token: &mut Token) {
        // Without the variant: other variants may have the same JSON.
        match self {
            Self::Integer(own0) => own0.token(token),
            Self::Float(own0) => own0.token(token),
            Self::Nothing => token.null(),
            Self::Struct { a: own0, b: own1 } => {
                own0.token(token);
                own1.token(token);
            }
        }
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        // What changes below may make it another variant, so the whole is read anew.
        let _ = segment;
        None
    }

    fn edit(&mut self, edit: Edit<'_>) -> Option<Result<(), Fault>> {
        let _ = edit;
        None
    }
}

/// A variant with `#[serde(skip)]` or `skip_serializing` has no JSON form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) enum Partly {
    Known,
    #[serde(skip)]
    Unknown,
}

impl Node for Partly {
    const MIN: usize = 2;

    #[inline]
    fn same(&self, now: &Self) -> bool {
        match (self, now) {
            (Self::Known, Self::Known) => true,
            // `Unknown` is not even the same as itself, so that writing it is tried and fails.
            _ => false,
        }
    }

    fn write(&self, out: &mut Out) {
        match self {
            Self::Known => out.raw("\"Known\""),
            Self::Unknown => out.fail_with("the enum variant Partly::Unknown cannot be serialized"),
        }
    }

    fn token(&self, token: &mut Token) {
        match self {
            Self::Known => token.number(0),
            Self::Unknown => token.number(1),
        }
    }
}
