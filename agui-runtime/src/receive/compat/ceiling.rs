//! How old the agent is.

use std::fmt;
use std::str::FromStr;

/// The version of the AG-UI *packages* the agent is known to speak at most, such as `0.0.57`: not a protocol version, which is
/// `1.0` (AG-UI 1.0, section "Eras").
///
/// ```
/// use agui_runtime::receive::PeerCeiling;
///
/// let old: PeerCeiling = "0.0.45".parse()?;
/// assert!(old < PeerCeiling::CURRENT && "1.0.0-beta.2".parse::<PeerCeiling>()? < PeerCeiling::CURRENT);
/// assert_eq!(old.to_string(), "0.0.45");
/// assert!("current".parse::<PeerCeiling>().is_err());
/// # Ok::<(), agui_runtime::receive::InvalidCeiling>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerCeiling {
    numbers: [u64; 3],
    /// A version is newer than what came before its release.
    released: bool,
}

/// Text that is not a version such as `0.0.57`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a package version such as `0.0.57`")]
pub struct InvalidCeiling(String);

impl PeerCeiling {
    /// That of this crate: nothing has to be changed for the agent.
    pub const CURRENT: Self = Self::new(1, 0, 0);
    /// The last that had no subagents.
    pub(super) const BEFORE_SUBAGENTS: Self = Self::new(0, 0, 57);
    /// The last that had no parts.
    pub(super) const BEFORE_PARTS: Self = Self::new(0, 0, 39);

    /// A released version.
    ///
    /// ```
    /// use agui_runtime::receive::PeerCeiling;
    ///
    /// assert_eq!("0.0.57".parse(), Ok(PeerCeiling::new(0, 0, 57)));
    /// ```
    #[must_use]
    pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self { numbers: [major, minor, patch], released: true }
    }
}

impl Default for PeerCeiling {
    fn default() -> Self {
        Self::CURRENT
    }
}

impl FromStr for PeerCeiling {
    type Err = InvalidCeiling;

    fn from_str(text: &str) -> Result<Self, InvalidCeiling> {
        let invalid = || InvalidCeiling(text.to_owned());
        // What comes after `+` says nothing about age.
        let (version, _) = text.split_once('+').unwrap_or((text, ""));
        let (numbers, released) = match version.split_once('-') {
            Some((numbers, _)) => (numbers, false),
            None => (version, true),
        };
        let mut parts = numbers.split('.').map(str::parse::<u64>);
        let mut next = || parts.next().and_then(Result::ok).ok_or_else(invalid);
        let numbers = [next()?, next()?, next()?];
        if parts.next().is_some() {
            return Err(invalid());
        }
        Ok(Self { numbers, released })
    }
}

impl fmt::Display for PeerCeiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}{}", if self.released { "" } else { "-pre" })
    }
}
