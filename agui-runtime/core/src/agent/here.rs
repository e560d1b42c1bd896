//! A type that makes a method uncallable, because the type implements no trait.

/// Parameter in every forbidden method call. Implements no trait that bounds these methods.
pub enum ForbiddenCall {}
