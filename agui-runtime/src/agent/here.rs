//! A type that makes a method uncallable, because it implements no trait.

/// The parameter of every call of a [signpost](super::signpost). It implements none of the traits that bound signposts.
pub enum Here {}
