//! Where the stages differ from the official client 1.0.0 on purpose: the one list of it.
//!
//! Everything else is equal, and tested to be: what is taken, dropped, stripped and refused, place by place; verdicts, error codes,
//! messages, state.
//!
//! # Reading
//!
//! | the official client 1.0.0 | here | because |
//! |---|---|---|
//! | ids of translated `THINKING_*` events are random | they are made of the run's id and a count | the same stream shall come to the same |
//! | an echoed input without `tools` or `context` gets empty lists | they stay absent; the accessors give empty lists | what was read can be written as it was |
//! | half a character (`"\ud83e"`) is kept | it is read as U+FFFD, with a warning | text is UTF-8 |
//! | JSON may be nested as deep as memory goes | 127 levels, else not JSON | a frame must not exhaust the stack |
//! | a number beyond the largest double is infinite | not JSON | nothing could write it back |
//! | integers beyond 2^53 in open places are rounded | those of 64 bits are kept | they need not be lost |
//! | `__proto__` in a patch operation is lost | it is kept like any member that RFC 6902 does not define | it is data |
//! | on the binary transport, a field may be longer than the message it is in where nothing checks it (token counts, a call's function, sources, context) | the bytes are refused | what is read then is not what was written |
//! | on the binary transport, a number may be infinite or none | it is read as `null` | JSON has no such number |
//! | `null` in a list of messages is a crash of the client | it is malformed, with its place | the run fails either way |
//! | a fault in a list of parts is reported at the list | it is reported where it is | people look for it |
//! | of `binary` parts the first of a message is announced, and parts that cannot be translated too | each that is translated, with its place; one that repeats another is said to go | the same |
//! | shims for agents of 0.0.57 and older expand chunks before they take subagents out | subagents go first | such an agent names none; the messages are the same |
//! | whatever is malformed in a request is sent nowhere, nulls for nothing are left out | the same by its type: [`RunAgentInput`](crate::protocol::RunAgentInput) cannot hold either | |
//!
//! [`Strictness::Spec`](crate::order::Strictness::Spec) and [`Strictness::Producer`](crate::order::Strictness::Producer) differ on purpose:
//! see [`Enforce`](super::Enforce).
//!
//! # Transport
//!
//! | the official client and event writer 1.0.0 | here | because |
//! |---|---|---|
//! | records end at LF LF | at CRLF CRLF too | the grammar of server-sent events allows it |
//! | a record may have 10 × 2^20 characters | as many bytes of UTF-8 | memory is counted in bytes |
//! | `Accept: */*` gets the binary transport | server-sent events, and what names neither is refused with 406 | shells and browsers must be able to read an agent |
//! | a call that is aborted ends with a RUN_ERROR made up by the client | dropping it ends it, and nobody is left to be told | what is dropped is not read |
//!
//! # Subscribers
//!
//! | the official client 1.0.0 | here | because |
//! |---|---|---|
//! | who replaces the messages at an event of an activity has whatever stands at its old place among the new ones written over | the activity is gone with the messages it was among, as texts and calls are in both | it is a place in another list |
//!
//! # Folding
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
///
/// ```
/// use agui_runtime::receive::differences::Difference;
///
/// assert!(Difference::ALL.contains(&Difference::MovedIntoItself));
/// ```
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
