//! Where a value is in the document: a linked list on the stack that costs nothing until an operation is written.

use crate::protocol::forms::print::escape;

/// A place in the document (RFC 6901). Each level borrows the one above, so a path costs nothing until it is written.
#[derive(Debug, Clone, Copy)]
pub struct StatePath<'p> {
    up: Option<&'p StatePath<'p>>,
    segment: PathSegment<'p>,
    depth: usize,
}

/// A map key's text, made when an operation needs it.
pub trait KeyText {
    /// Passes the text to `take`; fails for a key that JSON cannot write as a name.
    ///
    /// # Errors
    /// Serde's reason when the key has no name.
    fn text(&self, take: &mut dyn FnMut(&str)) -> Result<(), serde_json::Error>;
}

impl KeyText for str {
    fn text(&self, take: &mut dyn FnMut(&str)) -> Result<(), serde_json::Error> {
        take(self);
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum PathSegment<'p> {
    Root,
    Literal(&'static str),
    Name(&'p str),
    Key(&'p dyn KeyText),
    Index(usize),
    End,
    /// A whole pointer, as the inside of a JSON string.
    Written(&'p str),
}

impl std::fmt::Debug for PathSegment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Root => f.write_str("root"),
            Self::Literal(text) => f.write_str(text),
            Self::Name(text) => f.write_str(text),
            Self::Key(key) => {
                let mut result = Ok(());
                if key.text(&mut |text| result = f.write_str(text)).is_err() {
                    return f.write_str("?");
                }
                result
            }
            Self::Index(index) => write!(f, "{index}"),
            Self::End => f.write_str("-"),
            Self::Written(text) => f.write_str(text),
        }
    }
}

/// The kind of place that a path leads to. The kind decides the operation that sets the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlaceKind {
    /// The root or an object member: `add` replaces the present value (RFC 6902, 4.1).
    Member,
    /// An array element: `add` would insert, so the operation is `replace`.
    Element,
}

/// The path segments that are array indices; the others are names.
#[derive(Debug, Clone, Copy)]
pub(super) struct SegmentKinds {
    /// One bit for each depth.
    indexes: u128,
}

impl SegmentKinds {
    /// Returns true if the segment that leads to a depth is an index.
    pub(super) fn is_index(self, depth: usize) -> bool {
        self.indexes & bit(depth) != 0
    }
}

/// Returns a depth's bit. No operation is deeper than [`MAX_DEPTH`].
fn bit(depth: usize) -> u128 {
    depth
        .checked_sub(1)
        .and_then(|depth| u32::try_from(depth).ok())
        .and_then(|depth| 1_u128.checked_shl(depth))
        .unwrap_or(0)
}

/// The reason why a path cannot be written.
#[derive(Debug)]
pub(crate) enum UnwritablePath {
    /// The depth at which a value must be sent whole: the JavaScript client's patch library refuses the name of one of the value's
    /// members in a path.
    Refused(usize),
    /// A key in the path has no name.
    Nameless(serde_json::Error),
}

/// The greatest depth of an operation's path. Deeper values are sent inside their owner: serde_json reads no deeper document.
pub(crate) const MAX_DEPTH: usize = 128;

impl<'p> StatePath<'p> {
    /// The whole document.
    #[must_use]
    pub const fn root() -> Self {
        Self { up: None, segment: PathSegment::Root, depth: 0 }
    }

    /// A member whose name is known at compile time: `/name`, with pointer escapes (`~0`, `~1`) and then JSON string escapes
    /// already applied.
    #[must_use]
    #[inline]
    pub const fn lit(&'p self, token: &'static str) -> StatePath<'p> {
        self.below(PathSegment::Literal(token))
    }

    /// A member by plain name.
    #[must_use]
    #[inline]
    pub const fn name(&'p self, name: &'p str) -> StatePath<'p> {
        self.below(PathSegment::Name(name))
    }

    /// A map member by key.
    #[must_use]
    #[inline]
    pub const fn key(&'p self, key: &'p dyn KeyText) -> StatePath<'p> {
        self.below(PathSegment::Key(key))
    }

    /// An array element.
    #[must_use]
    #[inline]
    pub const fn index(&'p self, index: usize) -> StatePath<'p> {
        self.below(PathSegment::Index(index))
    }

    /// The place after an array's last element.
    #[must_use]
    #[inline]
    pub(crate) const fn end(&'p self) -> StatePath<'p> {
        self.below(PathSegment::End)
    }

    /// An array element by the whole pointer with `depth` segments, as the inside of a JSON string.
    pub(super) const fn written(pointer: &'p str, depth: usize) -> Self {
        Self { up: None, segment: PathSegment::Written(pointer), depth }
    }

    #[inline]
    const fn below(&'p self, segment: PathSegment<'p>) -> StatePath<'p> {
        StatePath { up: Some(self), segment, depth: self.depth + 1 }
    }

    /// Returns the path text's minimal length, as if every index had one digit.
    pub(crate) fn least(&self) -> usize {
        let own = match self.segment {
            PathSegment::Root => 0,
            PathSegment::Literal(token) => token.len(),
            PathSegment::Name(name) => 1 + name.len(),
            PathSegment::Key(_) => 1,
            PathSegment::Index(_) | PathSegment::End => 2,
            PathSegment::Written(text) => text.len(),
        };
        own + self.up.map_or(0, Self::least)
    }

    /// Returns the number of path segments.
    #[must_use]
    #[inline]
    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    #[inline]
    pub(crate) const fn is_deep(&self) -> bool {
        self.depth >= MAX_DEPTH
    }

    /// Returns the segments' kinds.
    pub(super) fn kinds(&self) -> SegmentKinds {
        let own = match self.segment {
            PathSegment::Index(_) => bit(self.depth),
            _ => 0,
        };
        SegmentKinds { indexes: own | self.up.map_or(0, |up| up.kinds().indexes) }
    }

    pub(crate) const fn place(&self) -> PlaceKind {
        match self.segment {
            PathSegment::Index(_) | PathSegment::End | PathSegment::Written(_) => PlaceKind::Element,
            PathSegment::Root | PathSegment::Literal(_) | PathSegment::Name(_) | PathSegment::Key(_) => {
                PlaceKind::Member
            }
        }
    }

    /// Appends the path as the inside of a JSON string.
    pub(crate) fn write(&self, out: &mut String) -> Result<(), UnwritablePath> {
        let Some(up) = self.up else {
            if let PathSegment::Written(pointer) = self.segment {
                out.push_str(pointer);
            }
            return Ok(());
        };
        up.write(out)?;
        let start = out.len();
        match self.segment {
            PathSegment::Root | PathSegment::Written(_) => {}
            PathSegment::Literal(token) => out.push_str(token),
            PathSegment::Name(name) => write_token(name, out),
            PathSegment::Key(key) => {
                key.text(&mut |text| write_token(text, out)).map_err(UnwritablePath::Nameless)?;
            }
            PathSegment::Index(index) => {
                out.push('/');
                out.push_str(itoa::Buffer::new().format(index));
            }
            PathSegment::End => out.push_str("/-"),
        }
        let is_refused = match self.segment {
            PathSegment::Root | PathSegment::Index(_) | PathSegment::End | PathSegment::Written(_) => false,
            PathSegment::Literal(_) | PathSegment::Name(_) | PathSegment::Key(_) => is_refused(out, start),
        };
        if is_refused { Err(UnwritablePath::Refused(up.depth)) } else { Ok(()) }
    }
}

/// Returns true if the JavaScript client's patch library refuses the last segment, which starts at `start`.
fn is_refused(path: &str, start: usize) -> bool {
    match path.get(start..) {
        Some("/__proto__") => true,
        Some("/prototype") => path.get(..start).is_some_and(|before| before.ends_with("/constructor")),
        _ => false,
    }
}

fn write_token(name: &str, out: &mut String) {
    out.push('/');
    if name.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        let escaped = name.replace('~', "~0").replace('/', "~1");
        escape::write(&escaped, out);
    } else {
        escape::write(name, out);
    }
}
