//! Where this crate differs from the official packages 1.0.0 on purpose: the one list of it, [`Difference`].
//!
//! Everything else is equal, and tested to be: what is taken, dropped, stripped and refused, place by place; verdicts, error codes,
//! messages, state, hooks. Each row is tested on both sides, as far as the official side can be asked.
//!
//! Differences of strictness are chosen by the caller and are not in it: see [`Enforce`](super::Enforce) and
//! [`Strictness`](crate::order::Strictness).

/// Makes the enum, its table and its texts of one list.
macro_rules! differences {
    ($($(#[$about:meta])* $part:ident { $($name:ident: $official:literal, $here:literal, $because:literal;)* })*) => {
        /// A difference, for people who look for its reason, for tests, and for programs that compare.
        ///
        $(
            #[doc = concat!("# ", stringify!($part), "\n\n| difference | the official packages 1.0.0 | here | because |\n|---|---|---|---|")]
            $(#[doc = concat!(
                "| [`", stringify!($name), "`](Self::", stringify!($name), ") | ", $official, " | ", $here, " | ", $because, " |"
            )])*
            ///
        )*
        /// ```
        /// use agui_runtime::receive::differences::{Difference, Part};
        ///
        /// let abort = Difference::Abort;
        /// assert_eq!(abort.part(), Part::Transport);
        /// assert!(abort.official().contains("RUN_ERROR") && abort.here().starts_with("dropping"));
        /// assert!(Difference::ALL.iter().all(|difference| !difference.because().is_empty()));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Difference {
            $($(
                #[doc = concat!("Here: ", $here, ".")]
                $name,
            )*)*
        }

        /// What a difference is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Part {
            $($(#[$about])* $part,)*
        }

        impl Difference {
            /// All of them.
            pub const ALL: &[Self] = &[$($(Self::$name,)*)*];

            /// What it is about.
            #[must_use]
            pub const fn part(self) -> Part {
                match self {
                    $($(Self::$name => Part::$part,)*)*
                }
            }

            /// What the official packages do.
            #[must_use]
            pub const fn official(self) -> &'static str {
                match self {
                    $($(Self::$name => $official,)*)*
                }
            }

            /// What this crate does.
            #[must_use]
            pub const fn here(self) -> &'static str {
                match self {
                    $($(Self::$name => $here,)*)*
                }
            }

            /// Why.
            #[must_use]
            pub const fn because(self) -> &'static str {
                match self {
                    $($(Self::$name => $because,)*)*
                }
            }
        }
    };
}

differences! {
    /// What is made of a frame: compatibility, enforcement.
    Reading {
        MadeUpIds:
            "ids of translated `THINKING_*` events are random",
            "they are made of the run's id and a count",
            "the same stream shall come to the same";
        MadeUpLists:
            "an echoed input without `tools` or `context` gets empty lists",
            "they stay absent; the accessors give empty lists",
            "what was read can be written as it was";
        HalfCharacters:
            "half a character (`\"\\ud83e\"`) is kept",
            "it is read as U+FFFD, with a warning",
            "text is UTF-8";
        LimitedDepth:
            "JSON may be nested as deep as memory goes",
            "127 levels, else it is not JSON",
            "a frame must not exhaust the stack";
        InfiniteNumbers:
            "a number beyond the largest double is infinite",
            "it is not JSON",
            "nothing could write it back";
        ExactIntegers:
            "integers beyond 2^53 in open places are rounded",
            "those of 64 bits are kept",
            "they need not be lost";
        PrototypeMembers:
            "a member `__proto__` of a patch operation or of a value on the binary transport is lost",
            "it is kept like any other member",
            "it is data";
        NullMessages:
            "`null` in a list of messages crashes the client",
            "it is malformed, with its place",
            "the run fails either way, and people look for the place";
        FaultPlaces:
            "a fault in a list of parts is reported at the list",
            "it is reported where it is",
            "people look for it";
        CappedFaults:
            "every fault of a frame is listed",
            "the first 64 are, and how many more there are",
            "a frame made of faults must not take many times its size";
        BinaryParts:
            "of `binary` parts the first of a message is announced, and parts that cannot be translated too",
            "each that is translated, with its place; one that repeats another is said to go",
            "what is lost is said, and nothing else";
        SubagentsFirst:
            "shims for agents of 0.0.57 and older expand chunks before they take subagents out",
            "subagents go first",
            "such an agent names none; where one did, chunks of several without ids would tell";
        TypedRequests:
            "`null`s for nothing are left out of a request, and a malformed one fails when it is sent",
            "`RunAgentInput` can hold neither: as JSON they are refused with their place",
            "a mistake is found where it is made";
        TypedStages:
            "each stage alone takes what it is given: unknown keys and events go through expansion, verification and compaction",
            "the stages behind enforcement take events, which hold what AG-UI 1.0 knows",
            "enforcement comes first in both, so a whole client never sees it";
        TypedHistory:
            "messages that are there before a run are kept as they are, and sent as 1.0",
            "they are 1.0 before anything is sent",
            "there is one type for messages";
        OwnSentences:
            "errors and warnings are its sentences",
            "they are ours; their codes, places and reasons are the same",
            "they name types and functions of this crate";
    }
    /// How bytes become frames, and frames bytes.
    Transport {
        CrLf:
            "records of server-sent events end at LF LF alone",
            "at CRLF CRLF too",
            "the grammar of server-sent events allows it, and proxies do it";
        RecordBytes:
            "a record may have 10 × 2^20 characters",
            "as many bytes of UTF-8",
            "memory is counted in bytes";
        Abort:
            "a call that is aborted ends with a `RUN_ERROR` that nobody sent, on the binary transport with an error",
            "dropping it ends it, and nothing is made up",
            "who drops it does not read on";
        WildcardAccept:
            "`Accept: */*` and `application/*` get the binary transport",
            "server-sent events: the binary transport is for those who name it",
            "shells and browsers must be able to read an agent";
        FieldsWithinMessages:
            "on the binary transport, a field may be longer than the message it is in where nothing checks it (token counts, a call's function, sources, context)",
            "the bytes are refused",
            "what is read then is not what was written";
        NoNumber:
            "on the binary transport, a number may be infinite or none",
            "it is read as `null`; one that no double holds is not written, which is an error",
            "JSON has no such number";
    }
    /// What becomes of messages, state and runs.
    Folding {
        AliasedCopies:
            "a snapshot puts one and the same object in the place of every local message that has its id, so that later text appears in each",
            "each place has a message of its own, up to a limit of bytes beyond which they stay as they are, with a warning; later text goes to the first",
            "copies that change together are an accident of JavaScript references";
        ActivityNotAnObject:
            "an activity patch may turn the content into something that is no object",
            "the patch is refused with a warning",
            "the schema says that content is an object, and other stages rely on it";
        MovedIntoItself:
            "`move` into the moved value itself loses it, or makes a document that contains itself, on which the client fails later",
            "the patch is refused with a warning",
            "RFC 6902, 4.4";
        NothingToTheRoot:
            "`move` or `copy` to the whole document from a place that is not there makes the state `undefined`, and every later delta fails on it",
            "the patch is refused with a warning",
            "RFC 6902, 4.4 and 4.5";
        ScalarDocument:
            "operations below a document that is a number, text or boolean succeed without effect, or look at the text's characters",
            "the patch is refused with a warning",
            "RFC 6901, 4: there is nothing below";
        InheritedMembers:
            "members that every JavaScript object inherits (`toString`) count as there",
            "they are not there",
            "they are not in the document";
        WrappedIndexes:
            "an index is taken modulo 2^32",
            "it is past the end",
            "RFC 6901, 4";
        BoundedCopies:
            "`copy` operations may double a document as often as they like",
            "a patch whose copies make more than a limit is refused with a warning",
            "a frame of some hundred bytes must not take all memory";
        BoundedSteps:
            "a few bytes may move a list of a million elements as often as they like",
            "a patch whose operations take more steps than a limit is refused with a warning",
            "a frame of some hundred bytes must not take all time";
        WarningsSaid:
            "an activity delta without its activity and an encrypted value without its target are ignored in silence",
            "the same with a warning",
            "the specification asks for one";
        Deterministic:
            "an error overtakes events that were accepted and not yet reduced, which are lost",
            "everything before the refused event is applied",
            "the same stream must end the same way";
        Truncated:
            "a stream that stops without an end reads as a success",
            "it is `End::Truncated`, which is no error until `Strictness::Spec`",
            "the specification says that it is no success";
    }
    /// What a session does around it.
    Session {
        ActivityGoes:
            "who replaces the messages at an event of an activity has whatever stands at its old place among the new ones written over",
            "the activity is gone with the messages it was among, as texts and calls are in both",
            "it is a place in another list";
        HooksAreFunctions:
            "hooks may wait",
            "hooks are plain functions; what takes its time is done between two updates",
            "an event without listeners costs nothing";
        HalfEscapes:
            "arguments of a call that stop in an escape right behind that of a character (`\\u00e9\\`) are completed to what is no JSON",
            "they are completed without it, as behind anything else",
            "a page shows arguments while they come";
        HooksThatPanic:
            "what a hook throws is logged, and the run goes on",
            "a hook that panics takes the turn with it, and no hook is asked after it",
            "a panic is a mistake in the program, which is not to go unnoticed";
        ChangesOnly:
            "changes are told of after every event that could change something",
            "after those that did",
            "who draws draws what is different";
        FramesAsTheyCame:
            "a middleware sees what older agents say as 1.0 says it",
            "it sees frames as they came; `middleware::expanded` reads them as the session does",
            "a frame that no layer looks at is read once";
        DatesWithoutOffset:
            "an interrupt's date without an offset is in local time",
            "it never expires",
            "whose time it is cannot be told";
    }
    /// What a producer of this crate sends.
    Producing {
        ErrorEndsWhatIsOpen:
            "nothing is said of what a `RUN_ERROR` leaves open",
            "texts, calls and steps that are open are ended before it, but for texts that break off (`TextMessage::break_off`)",
            "a consumer that counts starts and ends needs no rule of its own for errors";
    }
}
