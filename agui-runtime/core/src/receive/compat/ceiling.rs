//! The highest protocol version that an agent may have.

use std::fmt;
use std::str::FromStr;

use crate::protocol::ProtocolVersion;

/// The highest version of the AG-UI *packages* that the agent is known to use, such as `0.0.57`. This is not a protocol version,
/// such as `1.0` (AG-UI 1.0, section "Eras").
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
    /// A release is newer than its pre-releases.
    released: bool,
}

/// The error for text that is not a version such as `0.0.57`.
///
/// ```
/// use agui_runtime::receive::{InvalidCeiling, PeerCeiling};
///
/// let error: InvalidCeiling = "newest".parse::<PeerCeiling>().unwrap_err();
/// assert_eq!(error.to_string(), "`newest` is not a package version such as `0.0.57`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a package version such as `0.0.57`")]
pub struct InvalidCeiling(String);

impl PeerCeiling {
    /// The version of this crate's protocol: nothing has to be changed for the agent.
    pub const CURRENT: Self = Self::of(ProtocolVersion::LATEST);
    /// The last version without subagents.
    pub(super) const BEFORE_SUBAGENTS: Self = Self::new(0, 0, 57);
    /// The last version without content parts.
    pub(super) const BEFORE_PARTS: Self = Self::new(0, 0, 39);

    /// Returns the newest protocol version that such an agent reads; `None` for an agent from before versions.
    pub(super) fn protocol(self) -> Option<ProtocolVersion> {
        ProtocolVersion::ALL.into_iter().rfind(|version| self >= Self::of(*version))
    }

    /// The first package of a protocol version: both share the first two numbers.
    const fn of(version: ProtocolVersion) -> Self {
        let (major, minor) = version.numbers();
        Self::new(major, minor, 0)
    }

    /// Creates the [`PeerCeiling`] for a released version.
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
        // Build metadata after `+` does not affect the order of versions.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_reads_the_versions_up_to_its_own() {
        for (package, version) in [
            ("0.0.57", None),
            ("1.0.0-beta.2", None),
            ("1.0.0", Some(ProtocolVersion::V1_0)),
            ("1.0.9", Some(ProtocolVersion::V1_0)),
            ("1.1.0-beta.1", Some(ProtocolVersion::V1_0)),
            ("1.1.0", Some(ProtocolVersion::V1_1)),
            ("1.99.0", Some(ProtocolVersion::LATEST)),
            ("2.0.0", Some(ProtocolVersion::LATEST)),
        ] {
            assert_eq!(package.parse::<PeerCeiling>().unwrap().protocol(), version, "{package}");
        }
        for version in ProtocolVersion::ALL {
            assert_eq!(PeerCeiling::of(version).protocol(), Some(version));
            assert_eq!(PeerCeiling::of(version).to_string(), format!("{version}.0"));
        }
    }
}
