//! The fast reader: from text directly into the types, for text that is well-formed and entirely of this
//! protocol version.
//!
//! On anything else (an unknown key or tag, a wrong value, a duplicate member, an unusual spelling of a
//! number) a scan gives up with `None` and no reason; its caller then reads the text again with the careful
//! reader. So a scan never reports an error and never decides what is left out or refused. Where it
//! succeeds, its result equals that of the careful reader.

mod ids;
mod number;
mod scanner;
mod text;

pub(crate) use ids::KnownIds;
pub(crate) use scanner::Scanner;

/// A type that can be scanned.
pub(crate) trait Scan: Sized {
    /// Reads a value of the type; `None` means that the scan gave up.
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self>;

    /// Returns the member itself if it is the union's tag and the tag was already read.
    fn from_tag(_key: &str, _tag: Option<&'static str>) -> Option<Self> {
        None
    }
}

/// An object that can be scanned from after its opening brace.
pub(crate) trait ScanMembers: Sized {
    /// Reads the members and the closing brace. `tag` is the key of the union's tag, if that was the first
    /// member and was already read.
    fn scan_members(scanner: &mut Scanner<'_>, tag: Option<&'static str>) -> Option<Self>;
}
