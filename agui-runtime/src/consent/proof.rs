//! The configuration of how a run proves its questions.

use std::sync::{Arc, Once};
use std::time::{Duration, SystemTime};

use super::key::{InterruptKey, InterruptKeyError, of_process};

/// The default time for which a question can be answered.
const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The method by which a run knows that a question was asked: an id that is signed with a key.
///
/// Every part is `None` until it is set, so that the options of a run can be completed by those of its server.
///
/// A thread store becomes another kind of proof. It knows the open questions of the thread and their calls, so it
/// answers the question of [`Consent`](super::Consent) from its records (was this asked, and about which call?), and
/// the ids stay as the agent gave them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    /// The key; `None` means the key of the process.
    key: Option<InterruptKey>,
    /// True if there is no proof, and every answer of the client counts.
    unsigned: Option<bool>,
    lifetime: Option<Duration>,
    subject: Option<Arc<str>>,
    /// True if one answer may be used again: for tests, which ask the same question with the same ids.
    is_repeatable: bool,
}

impl Proof {
    /// Signs with this key, and turns signing on.
    pub(crate) fn with_key(self, key: InterruptKey) -> Self {
        Self { key: Some(key), unsigned: Some(false), ..self }
    }

    /// Signs with the key of a thread store, if neither the options nor the environment have one.
    #[cfg(feature = "server")]
    pub(crate) fn or_store_key(self, key: InterruptKey) -> Self {
        let is_random = self.key.is_none() && of_process().is_ok_and(|(_, is_random)| is_random);
        if is_random { Self { key: Some(key), ..self } } else { self }
    }

    /// Turns signing off or on, and keeps the key.
    pub(crate) fn unsigned(self, unsigned: bool) -> Self {
        Self { unsigned: Some(unsigned), ..self }
    }

    pub(crate) fn with_lifetime(self, lifetime: Duration) -> Self {
        Self { lifetime: Some(lifetime), ..self }
    }

    pub(crate) fn with_subject(self, subject: impl Into<Arc<str>>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }

    pub(crate) fn repeatable(self) -> Self {
        Self { is_repeatable: true, ..self }
    }

    /// Returns the same, completed by the settings of a server.
    #[cfg(any(feature = "server", feature = "mcp"))]
    pub(crate) fn or(self, server: &Self) -> Self {
        Self {
            key: self.key.or_else(|| server.key.clone()),
            unsigned: self.unsigned.or(server.unsigned),
            lifetime: self.lifetime.or(server.lifetime),
            subject: self.subject.or_else(|| server.subject.clone()),
            is_repeatable: self.is_repeatable || server.is_repeatable,
        }
    }

    pub(super) fn is_unsigned(&self) -> bool {
        self.unsigned == Some(true)
    }

    pub(super) fn is_repeatable(&self) -> bool {
        self.is_repeatable
    }

    /// Returns the subject, the only party that may answer. No subject and an empty one differ.
    pub(super) fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// Returns the expiry of a question that is asked now, or `None` if questions do not expire.
    pub(super) fn expiry(&self, now: SystemTime) -> Option<SystemTime> {
        now.checked_add(self.lifetime.unwrap_or(LIFETIME))
    }

    /// Returns the key that signs and verifies.
    pub(super) fn key(&self) -> Result<InterruptKey, InterruptKeyError> {
        match &self.key {
            Some(key) => Ok(key.clone()),
            None => of_process().map(|(key, _)| key),
        }
    }

    /// Warns, once in a process, if the answer to a new question may come after this process has ended.
    ///
    /// # Errors
    /// [`InterruptKeyError`] if there is no key.
    pub(super) fn warn_before_asking(&self) -> Result<(), InterruptKeyError> {
        static TOLD: Once = Once::new();
        if self.key.is_none()
            && let (_, true) = of_process()?
        {
            TOLD.call_once(|| {
                tracing::warn!(
                    "interrupts are signed with a random key: answers count in this process alone, and not after a restart; \
                     set AGUI_SECRET to keep them"
                );
            });
        }
        Ok(())
    }

    /// Checks that a server that proves questions in this way can start.
    #[cfg(feature = "server")]
    pub(crate) fn check(&self) -> Result<(), InterruptKeyError> {
        if self.is_unsigned() { Ok(()) } else { self.key().map(drop) }
    }
}
