//! First check of a body: JSON, within the limits, and unambiguous. Builds no values.

use std::borrow::Cow;
use std::fmt;

use http::StatusCode;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::input_limits::InputLimits;
use super::json_path;
use crate::protocol::any_json::meter::{LIST, MEMBER, OBJECT, VALUE};
use crate::protocol::forms::shape::{JsonShape, MemberShape};
use crate::server::response::rejection::Rejection;

/// Checks a whole document. In an object that `shape` describes, each described member may occur only once: given two, one program
/// would read the first and another the last.
pub(in crate::server) fn take(
    bytes: &[u8],
    limits: &InputLimits,
    shape: Option<&'static JsonShape>,
) -> Result<DocumentCounts, CensusRefusal> {
    let most_untyped = limits.untyped.max(bytes.len().saturating_mul(UNTYPED));
    let mut census =
        JsonCensus { limits, most_untyped, nodes: 0, untyped: 0, depth: 0, path: Vec::new(), breach: None };
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let node = CensusNode {
        census: &mut census,
        shape,
        is_untyped: false,
        place: CensusLocation::Other,
        step: CensusStep::Root,
    };
    let taken = node.deserialize(&mut json).and_then(|()| json.end());
    match taken {
        Ok(()) => Ok(DocumentCounts { nodes: census.nodes, untyped: census.untyped }),
        Err(error) => Err(CensusRefusal { path: census.path(), breach: census.breach, error }),
    }
}

/// Totals for a document within the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) struct DocumentCounts {
    /// Number of values.
    pub(in crate::server) nodes: usize,
    /// Memory that all untyped values take as trees, in bytes.
    pub(in crate::server) untyped: usize,
}

/// The reason why a document is refused, and the path.
#[derive(Debug)]
pub(in crate::server) struct CensusRefusal {
    path: String,
    breach: Option<RuleBreach>,
    error: serde_json::Error,
}

impl CensusRefusal {
    /// Returns true if the document is not JSON at all.
    pub(in crate::server) fn is_syntax(&self) -> bool {
        self.breach.is_none()
    }
}

impl From<CensusRefusal> for Rejection {
    fn from(refusal: CensusRefusal) -> Self {
        let CensusRefusal { path, breach, error } = refusal;
        let rejection = match breach {
            Some(RuleBreach { status, code, message }) => Self::new(status, code, message),
            None => Self::new(StatusCode::BAD_REQUEST, "invalid_json", format!("malformed JSON: {error}"))
                .on(error.line(), error.column()),
        };
        rejection.at(path)
    }
}

/// A broken rule in well-formed JSON.
#[derive(Debug)]
struct RuleBreach {
    status: StatusCode,
    code: &'static str,
    message: String,
}

/// Tree memory for untyped values, in body lengths. An agent that reads all of its input holds the body's text, and in trees the
/// same text again and this many body lengths: together less than eight times the body.
const UNTYPED: usize = 4;

struct JsonCensus<'l> {
    limits: &'l InputLimits,
    most_untyped: usize,
    nodes: usize,
    /// Memory that untyped values take as trees, in bytes; without the state, which an agent reads as a type with a limit of its
    /// own.
    untyped: usize,
    depth: usize,
    /// From the error's location outwards.
    path: Vec<String>,
    breach: Option<RuleBreach>,
}

impl JsonCensus<'_> {
    fn check(&mut self, found: usize, limit: usize, code: &'static str, what: &str) -> Result<(), ()> {
        if found <= limit {
            return Ok(());
        }
        let status = match code {
            "too_deep" => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::PAYLOAD_TOO_LARGE,
        };
        self.breach = Some(RuleBreach { status, code, message: format!("expected at most {limit} {what}") });
        Err(())
    }

    fn node(&mut self) -> Result<(), ()> {
        self.nodes += 1;
        self.check(self.nodes, self.limits.nodes, "too_many_nodes", "values in the whole document")
    }

    fn untyped(&mut self, bytes: usize) -> Result<(), ()> {
        self.untyped = self.untyped.saturating_add(bytes);
        let what = "bytes for the values without a type, once they are read";
        self.check(self.untyped, self.most_untyped, "untyped_too_large", what)
    }

    fn enter(&mut self) -> Result<(), ()> {
        self.depth += 1;
        self.check(self.depth, self.limits.depth, "too_deep", "levels of objects and lists")
    }

    fn text(&mut self, text: &str) -> Result<(), ()> {
        self.check(text.len(), self.limits.text, "text_too_long", "bytes in one string")
    }

    fn element(&mut self, place: CensusLocation, len: usize) -> Result<(), ()> {
        match place {
            CensusLocation::Messages => {
                self.check(len, self.limits.messages, "too_many_messages", "messages")
            }
            CensusLocation::Calls => {
                self.check(len, self.limits.calls, "too_many_calls", "calls in one message")
            }
            CensusLocation::Tools => self.check(len, self.limits.tools, "too_many_tools", "tools"),
            CensusLocation::Message | CensusLocation::Other => Ok(()),
        }
    }

    fn report_duplicate(&mut self, key: &str) {
        self.breach = Some(RuleBreach {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            code: "duplicate_member",
            message: format!("expected one member `{key}`, found two"),
        });
    }

    fn path(&self) -> String {
        json_path::or_root(self.path.iter().rev().fold(String::new(), |mut path, step| {
            if !path.is_empty() && !step.starts_with('[') {
                path.push('.');
            }
            path.push_str(step);
            path
        }))
    }
}

/// A location with its own limit besides the limits for every value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CensusLocation {
    Messages,
    Message,
    /// A message's tool calls.
    Calls,
    Tools,
    Other,
}

/// The step from a parent to a value.
enum CensusStep<'k> {
    Root,
    Key(&'k str),
    Index(usize),
}

/// A value, with the facts known about its location.
struct CensusNode<'c, 'l, 'k> {
    census: &'c mut JsonCensus<'l>,
    shape: Option<&'static JsonShape>,
    /// True inside a value that may be any JSON.
    is_untyped: bool,
    place: CensusLocation,
    step: CensusStep<'k>,
}

impl<'de> DeserializeSeed<'de> for CensusNode<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let CensusNode { census, shape, is_untyped, place, step } = self;
        let is_untyped =
            is_untyped || matches!(shape, Some(JsonShape::Any | JsonShape::NonNull | JsonShape::Open));
        let counted = census.node().and_then(|()| if is_untyped { census.untyped(VALUE) } else { Ok(()) });
        let read = match counted {
            Ok(()) => deserializer.deserialize_any(Value { census, shape, is_untyped, place }),
            Err(()) => Err(limit_error()),
        };
        if read.is_err() {
            match step {
                CensusStep::Root => {}
                CensusStep::Key(key) => census.path.push(key.to_owned()),
                CensusStep::Index(index) => census.path.push(format!("[{index}]")),
            }
        }
        read
    }
}

struct Value<'c, 'l> {
    census: &'c mut JsonCensus<'l>,
    shape: Option<&'static JsonShape>,
    is_untyped: bool,
    place: CensusLocation,
}

/// Counts every scalar except strings.
macro_rules! scalars {
    ($($visit:ident($kind:ty))*) => {
        $(
            fn $visit<E>(self, _: $kind) -> Result<(), E> {
                Ok(())
            }
        )*
    };
}

impl<'de> Visitor<'de> for Value<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    scalars! { visit_bool(bool) visit_i64(i64) visit_u64(u64) visit_f64(f64) }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        self.census.text(text).map_err(|()| limit_error())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Value { census, shape, is_untyped, place } = self;
        let inner =
            if place == CensusLocation::Messages { CensusLocation::Message } else { CensusLocation::Other };
        census.enter().map_err(|()| limit_error())?;
        let shape = match shape {
            Some(JsonShape::List { of, .. } | JsonShape::TextOrList { of }) => Some(*of),
            _ => None,
        };
        let mut index = 0;
        while let Some(()) = items.next_element_seed(CensusNode {
            census: &mut *census,
            shape,
            is_untyped,
            place: inner,
            step: CensusStep::Index(index),
        })? {
            index += 1;
            if is_untyped && index == 1 {
                census.untyped(LIST).map_err(|()| limit_error())?;
            }
            census.element(place, index).map_err(|()| limit_error())?;
        }
        census.depth -= 1;
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Value { census, shape, is_untyped, place } = self;
        census.enter().map_err(|()| limit_error())?;
        // The content of most messages is a text or a list, and that of an activity any object.
        let is_untyped = is_untyped || matches!(shape, Some(JsonShape::TextOrList { .. }));
        let (mut count, mut seen) = (0, 0_u128);
        while let Some(CensusKey(key)) = members.next_key_seed(CensusKeySeed)? {
            count += 1;
            let limit = census.limits.members;
            census.text(&key).map_err(|()| limit_error())?;
            census
                .check(count, limit, "too_many_members", "members in one object")
                .map_err(|()| limit_error())?;
            if is_untyped {
                census.untyped(MEMBER + if count == 1 { OBJECT } else { 0 }).map_err(|()| limit_error())?;
            }
            let described = shape.and_then(|shape| described_member(shape, &key));
            if let Some((number, _)) = described {
                let bit = 1_u128.checked_shl(number).unwrap_or_default();
                if seen & bit != 0 {
                    census.report_duplicate(&key);
                    census.path.push(key.into_owned());
                    return Err(limit_error());
                }
                seen |= bit;
            }
            let inner = match (census.depth, &*key) {
                (1, "messages") => CensusLocation::Messages,
                (1, "tools") => CensusLocation::Tools,
                (_, "toolCalls") if place == CensusLocation::Message => CensusLocation::Calls,
                _ => CensusLocation::Other,
            };
            let shape = described.map(|(_, shape)| shape);
            let step = CensusStep::Key(&key);
            members.next_value_seed(CensusNode {
                census: &mut *census,
                shape,
                is_untyped,
                place: inner,
                step,
            })?;
        }
        census.depth -= 1;
        Ok(())
    }
}

/// Returns a member's number among all members that the shape allows, and its shape. A union's tag may come after the member, so
/// any of the union's objects may have the member.
fn described_member(shape: &'static JsonShape, key: &str) -> Option<(u32, &'static JsonShape)> {
    match shape {
        JsonShape::Object(object) => {
            let found = object.members.iter().position(|member| member.key == key)?;
            Some((found.try_into().ok()?, object.members.get(found)?.shape))
        }
        JsonShape::Union(union) => {
            if key == union.key {
                return Some((0, &JsonShape::Text));
            }
            let objects = union.variants.iter().filter_map(|(_, shape)| match shape {
                JsonShape::Object(object) => Some(object.members),
                _ => None,
            });
            let mut found: Option<(u32, &'static MemberShape)> = None;
            for (number, member) in (1..).zip(objects.flatten()).filter(|(_, member)| member.key == key) {
                match &mut found {
                    None => found = Some((number, member)),
                    // One key has one number, and the shape with the most detail.
                    Some((_, first)) if !is_composite(first.shape) => *first = member,
                    Some(_) => {}
                }
            }
            found.map(|(number, member)| (number, member.shape))
        }
        _ => None,
    }
}

fn is_composite(shape: &JsonShape) -> bool {
    matches!(
        shape,
        JsonShape::Object(_) | JsonShape::Union(_) | JsonShape::List { .. } | JsonShape::TextOrList { .. }
    )
}

/// Returns the error that stops reading; the census has the details.
fn limit_error<E: serde::de::Error>() -> E {
    E::custom("refused")
}

struct CensusKey<'de>(Cow<'de, str>);

struct CensusKeySeed;

impl<'de> DeserializeSeed<'de> for CensusKeySeed {
    type Value = CensusKey<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<CensusKey<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for CensusKeySeed {
    type Value = CensusKey<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<CensusKey<'de>, E> {
        Ok(CensusKey(Cow::Borrowed(key)))
    }

    fn visit_str<E>(self, key: &str) -> Result<CensusKey<'de>, E> {
        Ok(CensusKey(Cow::Owned(key.to_owned())))
    }
}
