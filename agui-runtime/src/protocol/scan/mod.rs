//! The fast way in: from text straight into the types, for what is well-formed and entirely of this version.
//!
//! Where a scan meets anything else (an unknown key or tag, a wrong value, a member twice, an odd spelling of a number) it gives up
//! with `None` and says nothing: whoever asked reads the text again, carefully. So a scan never has to explain, and never decides
//! what is left out or refused. What it does give is what careful reading gives.

mod ids;
mod scanner;
mod text;
mod value;

pub(crate) use ids::KnownIds;
pub(crate) use scanner::Scanner;

/// A type that can be scanned.
pub(crate) trait Scan: Sized {
    /// Reads a value of the type; `None` gives up.
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self>;

    /// What a member of this type is when it is left out; `None` if it may not be.
    fn absent() -> Option<Self> {
        None
    }

    /// The member itself if it is the tag, and the tag has been read already.
    fn told(_key: &str, _tag: Option<&'static str>) -> Option<Self> {
        None
    }
}

/// An object that can be scanned from behind its brace.
pub(crate) trait ScanMembers: Sized {
    /// Reads the members and the closing brace. `tag` is the key of the union's tag, if that was the first member and has been read.
    fn scan_members(scanner: &mut Scanner<'_>, tag: Option<&'static str>) -> Option<Self>;
}
