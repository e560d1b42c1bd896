//! Where a value is in the document: a list on the stack, free until an operation is written.

use crate::protocol::print::escape;

/// A place in the document (RFC 6901). Each level borrows the one above, so a path costs nothing until it is written.
#[derive(Debug, Clone, Copy)]
pub struct Path<'p> {
    up: Option<&'p Path<'p>>,
    segment: Segment<'p>,
    depth: usize,
}

/// The text of a map's key, made when an operation needs it.
pub trait KeyText {
    /// Hands the text over; fails for a key that JSON cannot write as a name.
    ///
    /// # Errors
    /// serde's reason when the key has no name.
    fn text(&self, take: &mut dyn FnMut(&str)) -> Result<(), serde_json::Error>;
}

impl KeyText for str {
    fn text(&self, take: &mut dyn FnMut(&str)) -> Result<(), serde_json::Error> {
        take(self);
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Segment<'p> {
    Root,
    Literal(&'static str),
    Name(&'p str),
    Key(&'p dyn KeyText),
    Index(usize),
    End,
}

impl std::fmt::Debug for Segment<'_> {
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
        }
    }
}

/// What a path leads to decides the operation that sets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The root or a member of an object: `add` replaces what is there (RFC 6902, 4.1).
    Member,
    /// An element of an array: `add` would insert, so it is `replace`.
    Element,
}

/// Why a path cannot be written.
#[derive(Debug)]
pub(crate) enum Unsaid {
    /// The depth of the value that has a member which the JavaScript client's patch library refuses in a path: that
    /// value must be sent whole.
    Refused(usize),
    /// A key in it has no name.
    Nameless(serde_json::Error),
}

/// How deep operations reach. What lies below is sent as part of its owner: serde_json reads no deeper document.
pub(crate) const MAX_DEPTH: usize = 128;

impl<'p> Path<'p> {
    /// The whole document.
    #[must_use]
    pub const fn root() -> Self {
        Self { up: None, segment: Segment::Root, depth: 0 }
    }

    /// A member whose name is known at compile time: `/name`, with the pointer's escapes (`~0`, `~1`) and then those of
    /// a JSON string already applied.
    #[must_use]
    #[inline]
    pub const fn lit(&'p self, token: &'static str) -> Path<'p> {
        self.below(Segment::Literal(token))
    }

    /// A member by its plain name.
    #[must_use]
    #[inline]
    pub const fn name(&'p self, name: &'p str) -> Path<'p> {
        self.below(Segment::Name(name))
    }

    /// A member of a map by its key.
    #[must_use]
    #[inline]
    pub const fn key(&'p self, key: &'p dyn KeyText) -> Path<'p> {
        self.below(Segment::Key(key))
    }

    /// An element of an array.
    #[must_use]
    #[inline]
    pub const fn index(&'p self, index: usize) -> Path<'p> {
        self.below(Segment::Index(index))
    }

    /// The place after the last element of an array.
    #[must_use]
    #[inline]
    pub(crate) const fn end(&'p self) -> Path<'p> {
        self.below(Segment::End)
    }

    #[inline]
    const fn below(&'p self, segment: Segment<'p>) -> Path<'p> {
        Path { up: Some(self), segment, depth: self.depth + 1 }
    }

    /// How long the text of the path is at least, when every index has one digit.
    pub(crate) fn least(&self) -> usize {
        let own = match self.segment {
            Segment::Root => 0,
            Segment::Literal(token) => token.len(),
            Segment::Name(name) => 1 + name.len(),
            Segment::Key(_) => 1,
            Segment::Index(_) | Segment::End => 2,
        };
        own + self.up.map_or(0, Self::least)
    }

    /// How many segments the path has.
    #[must_use]
    #[inline]
    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    #[inline]
    pub(crate) const fn is_deep(&self) -> bool {
        self.depth >= MAX_DEPTH
    }

    pub(crate) const fn place(&self) -> Place {
        match self.segment {
            Segment::Index(_) | Segment::End => Place::Element,
            Segment::Root | Segment::Literal(_) | Segment::Name(_) | Segment::Key(_) => Place::Member,
        }
    }

    /// Appends the path as the inside of a JSON string.
    pub(crate) fn write(&self, out: &mut String) -> Result<(), Unsaid> {
        let Some(up) = self.up else { return Ok(()) };
        up.write(out)?;
        let start = out.len();
        match self.segment {
            Segment::Root => {}
            Segment::Literal(token) => out.push_str(token),
            Segment::Name(name) => write_token(name, out),
            Segment::Key(key) => {
                key.text(&mut |text| write_token(text, out)).map_err(Unsaid::Nameless)?;
            }
            Segment::Index(index) => {
                out.push('/');
                out.push_str(itoa::Buffer::new().format(index));
            }
            Segment::End => out.push_str("/-"),
        }
        let is_refused = match self.segment {
            Segment::Root | Segment::Index(_) | Segment::End => false,
            Segment::Literal(_) | Segment::Name(_) | Segment::Key(_) => is_refused(out, start),
        };
        if is_refused { Err(Unsaid::Refused(up.depth)) } else { Ok(()) }
    }
}

/// Whether the JavaScript client's patch library refuses the last segment, which starts at `start`.
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
