//! A line in the report.

use std::fmt;

/// The state that a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FindingStatus {
    /// As expected.
    Ok,
    /// Neither right nor wrong.
    Note,
    /// Not installed, or too old.
    Missing,
    /// Generated from a source that has changed since.
    Stale,
    /// Unreadable, or does not build.
    Broken,
}

impl FindingStatus {
    /// Returns true if the user has nothing to do.
    pub(super) fn is_well(self) -> bool {
        matches!(self, Self::Ok | Self::Note)
    }
}

/// A checked item, the item's state, and a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DoctorFinding {
    pub(super) status: FindingStatus,
    subject: String,
    found: String,
    remedy: Option<String>,
}

impl DoctorFinding {
    pub(super) fn new(status: FindingStatus, subject: impl Into<String>, found: impl Into<String>) -> Self {
        Self { status, subject: subject.into(), found: found.into(), remedy: None }
    }

    /// Adds what the user can do.
    pub(super) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

impl fmt::Display for DoctorFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            FindingStatus::Ok => "ok",
            FindingStatus::Note => "note",
            FindingStatus::Missing => "missing",
            FindingStatus::Stale => "stale",
            FindingStatus::Broken => "broken",
        };
        writeln!(f, "{status:<8} {}: {}", self.subject, self.found)?;
        match &self.remedy {
            Some(remedy) => writeln!(f, "         → {remedy}"),
            None => Ok(()),
        }
    }
}
