//! Versions of the protocol (AG-UI 1.1, section "Negotiation").

use std::fmt;

/// Declares the versions, the oldest first. A new version is a row.
macro_rules! protocol_versions {
    ($($(#[$doc:meta])* $Version:ident = ($major:literal, $minor:literal);)*) => {
        /// A version of the protocol that this crate speaks. Later versions are greater.
        ///
        /// A version only adds, and each addition may be dropped: an object that goes to a peer of an earlier version loses the
        /// members that this version does not have.
        ///
        /// ```
        /// use agui_runtime::protocol::{PROTOCOL_VERSION, ProtocolVersion};
        ///
        /// assert!(ProtocolVersion::V1_0 < ProtocolVersion::LATEST);
        /// assert_eq!(ProtocolVersion::LATEST.as_str(), PROTOCOL_VERSION);
        /// assert_eq!(ProtocolVersion::from_declared("1.9"), ProtocolVersion::LATEST);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ProtocolVersion { $($(#[$doc])* $Version,)* }

        impl ProtocolVersion {
            /// All versions, the oldest first.
            pub const ALL: [Self; [$($major),*].len()] = [$(Self::$Version,)*];

            /// Returns the version as peers declare it in `protocolVersion`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$Version => concat!($major, ".", $minor),)* }
            }

            /// Returns the major and the minor number.
            pub(crate) const fn numbers(self) -> (u64, u64) {
                match self { $(Self::$Version => ($major, $minor),)* }
            }

            /// Returns the version at a place in [`ALL`](Self::ALL); the newest one if there is none.
            pub(crate) const fn at(place: usize) -> Self {
                $(if place == Self::$Version as usize { return Self::$Version; })*
                Self::LATEST
            }
        }
    };
}

protocol_versions! {
    /// AG-UI 1.0.
    V1_0 = (1, 0);
    /// AG-UI 1.1: the type beside an encrypted value.
    V1_1 = (1, 1);
}

/// The version that this crate speaks, as `RunAgentInput` and RUN_STARTED declare it to a peer whose version is not known (AG-UI 1.1,
/// section "Negotiation").
pub const PROTOCOL_VERSION: &str = ProtocolVersion::LATEST.as_str();

impl ProtocolVersion {
    /// The oldest version.
    pub const FIRST: Self = {
        let [first, ..] = Self::ALL;
        first
    };
    /// The newest version.
    pub const LATEST: Self = {
        let [.., latest] = Self::ALL;
        latest
    };

    /// Returns the newest version that a peer with this declaration reads. A declaration that is later than all versions, or that
    /// cannot be read, stands for [`LATEST`](Self::LATEST); an earlier one stands for [`FIRST`](Self::FIRST).
    #[must_use]
    pub fn from_declared(declared: &str) -> Self {
        let Some(theirs) = version_numbers(declared) else { return Self::LATEST };
        let known = Self::ALL.iter().rev().find(|known| known.numbers() <= theirs);
        known.copied().unwrap_or(Self::FIRST)
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Returns major and minor: two decimal numbers and nothing else.
pub(crate) fn version_numbers(version: &str) -> Option<(u64, u64)> {
    let number = |text: &str| {
        let is_decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that overflows is larger than any version of ours.
        is_decimal.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let (major, minor) = version.split_once('.')?;
    Some((number(major)?, number(minor)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_stands_for_the_newest_version_that_the_peer_reads() {
        for (declared, version) in [
            ("1.0", ProtocolVersion::V1_0),
            ("1.1", ProtocolVersion::V1_1),
            ("1.01", ProtocolVersion::V1_1),
            ("1.10", ProtocolVersion::LATEST),
            ("2.0", ProtocolVersion::LATEST),
            ("1.99999999999999999999999", ProtocolVersion::LATEST),
            ("0.9", ProtocolVersion::FIRST),
            ("one", ProtocolVersion::LATEST),
            ("1.1.0", ProtocolVersion::LATEST),
            ("", ProtocolVersion::LATEST),
        ] {
            assert_eq!(ProtocolVersion::from_declared(declared), version, "{declared}");
        }
    }

    #[test]
    fn versions_are_in_order() {
        let numbers = ProtocolVersion::ALL.map(ProtocolVersion::numbers);
        assert!(numbers.is_sorted(), "{numbers:?}");
        for version in ProtocolVersion::ALL {
            assert_eq!(version_numbers(version.as_str()), Some(version.numbers()));
        }
    }
}
