//! Where the stages differ from the official client 1.0.0 on purpose: the one list of it.
//!
//! Everything else is equal, and tested to be: verdicts, error codes, messages, state.
//!
//! | difference | official client | here | why |
//! |---|---|---|---|
//! | [`AliasedCopies`](Difference::AliasedCopies) | a snapshot puts one and the same object in the place of every local message that has its id, so that later text appears in each | each place has a message of its own; later text goes to the first | copies that change together are an accident of JavaScript references |
//! | [`ActivityNotAnObject`](Difference::ActivityNotAnObject) | an activity patch may turn the content into something that is no object | the patch is refused with a warning | the schema says that content is an object, and other stages rely on it |
//! | [`MovedIntoItself`](Difference::MovedIntoItself) | `move` into the moved value itself loses it, or makes a document that contains itself | the patch is refused with a warning | RFC 6902, 4.4 |
//! | [`NothingToTheRoot`](Difference::NothingToTheRoot) | `move` or `copy` to the whole document from a place that is not there makes the state `undefined`, and every later delta fails on it | the patch is refused with a warning | RFC 6902, 4.4 and 4.5 |
//! | [`ScalarDocument`](Difference::ScalarDocument) | operations below a document that is a number, text or boolean succeed without effect, or look at the text's characters | the patch is refused with a warning | RFC 6901, 4: there is nothing below |
//! | [`InheritedMembers`](Difference::InheritedMembers) | members that every JavaScript object inherits (`toString`) count as there | they are not there | they are not in the document |
//! | [`WrappedIndexes`](Difference::WrappedIndexes) | an index is taken modulo 2^32 | it is past the end | RFC 6901, 4 |
//! | [`WarningsSaid`](Difference::WarningsSaid) | an activity delta without its activity and an encrypted value without its target are ignored in silence | the same with a warning | the specification asks for one |
//! | [`Deterministic`](Difference::Deterministic) | an error overtakes events that were accepted and not yet reduced, which are lost | everything before the refused event is applied | the same stream must end the same way |
//! | [`Truncated`](Difference::Truncated) | a stream that stops without an end reads as a success | it is `End::Truncated`, which is no error until `Strictness::Spec` | the specification says that it is no success |

/// A difference, for tests and for programs that compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Difference {
    /// Each place has a message of its own; later text goes to the first.
    AliasedCopies,
    /// The patch is refused with a warning.
    ActivityNotAnObject,
    /// The patch is refused with a warning.
    MovedIntoItself,
    /// The patch is refused with a warning.
    NothingToTheRoot,
    /// The patch is refused with a warning.
    ScalarDocument,
    /// They are not there.
    InheritedMembers,
    /// It is past the end.
    WrappedIndexes,
    /// The same with a warning.
    WarningsSaid,
    /// Everything before the refused event is applied.
    Deterministic,
    /// It is `End::Truncated`, which is no error until `Strictness::Spec`.
    Truncated,
}

impl Difference {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::AliasedCopies,
        Self::ActivityNotAnObject,
        Self::MovedIntoItself,
        Self::NothingToTheRoot,
        Self::ScalarDocument,
        Self::InheritedMembers,
        Self::WrappedIndexes,
        Self::WarningsSaid,
        Self::Deterministic,
        Self::Truncated,
    ];
}
