//! The fast reader: from text directly into the types, for well-formed text that is entirely this protocol version.
//!
//! On any other text (an unknown key or tag, a wrong value, a duplicate member, an unusual number spelling) a scan gives up with
//! `None` and no reason; the caller then reads the text again with the careful reader. So a scan never reports an error and never
//! decides on left-out or refused material. A successful scan equals the careful reader's result.

mod ids;
mod number;
mod scanner;
mod text;

pub(crate) use ids::KnownIds;
pub(crate) use scanner::JsonScanner;

/// A type that can be scanned.
pub(crate) trait JsonScan: Sized {
    /// Reads a value; `None` means that the scan gave up.
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self>;

    /// Returns the member itself if it is the union's tag and the tag was already read.
    fn from_tag(_key: &str, _tag: Option<&'static str>) -> Option<Self> {
        None
    }
}

/// An object that can be scanned from after the opening brace.
pub(crate) trait ScanMembers: Sized {
    /// Reads the members and the closing brace. `tag` is the key for the union's tag, if the tag was the first member and was
    /// already read.
    fn scan_members(scanner: &mut JsonScanner<'_>, tag: Option<&'static str>) -> Option<Self>;
}
