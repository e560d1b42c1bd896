//! A type that makes a method uncallable, because it implements no trait.

/// The parameter of every call of a forbidden method. It implements none of the traits that bound these methods.
pub enum Here {}
