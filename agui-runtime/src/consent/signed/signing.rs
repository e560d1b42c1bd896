//! The configuration of signatures.

use std::sync::{Arc, Once};
use std::time::{Duration, SystemTime};

use super::key::{InterruptKey, InterruptKeyError, of_process};
use crate::consent::Proof;

/// The default time for which a question can be answered.
const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The key, the lifetime and the subject of signed questions, each `None` until it is set.
#[derive(Clone, Debug, Default)]
pub(in crate::consent) struct Signing {
    /// The key; `None` means the key of the process.
    key: Option<InterruptKey>,
    lifetime: Option<Duration>,
    subject: Option<Arc<str>>,
    /// True if one answer may be used again: for tests, which ask the same question with the same ids.
    is_repeatable: bool,
}

#[cfg(any(feature = "server", feature = "mcp"))]
impl Signing {
    fn or(self, server: &Self) -> Self {
        Self {
            key: self.key.or_else(|| server.key.clone()),
            lifetime: self.lifetime.or(server.lifetime),
            subject: self.subject.or_else(|| server.subject.clone()),
            is_repeatable: self.is_repeatable || server.is_repeatable,
        }
    }
}

impl Proof {
    /// Signs with this key, and turns signing on.
    pub(crate) fn with_key(mut self, key: InterruptKey) -> Self {
        self.unsigned = Some(false);
        self.signing.key = Some(key);
        self
    }

    /// Signs with the key of a thread store, if neither the options nor the environment have one.
    #[cfg(feature = "server")]
    pub(crate) fn or_store_key(mut self, key: InterruptKey) -> Self {
        if self.signing.key.is_none() && of_process().is_ok_and(|(_, is_random)| is_random) {
            self.signing.key = Some(key);
        }
        self
    }

    pub(crate) fn with_lifetime(mut self, lifetime: Duration) -> Self {
        self.signing.lifetime = Some(lifetime);
        self
    }

    pub(crate) fn with_subject(mut self, subject: impl Into<Arc<str>>) -> Self {
        self.signing.subject = Some(subject.into());
        self
    }

    pub(crate) fn repeatable(mut self) -> Self {
        self.signing.is_repeatable = true;
        self
    }

    /// Returns the subject, the only party that may answer. No subject and an empty one differ.
    pub(in crate::consent) fn subject(&self) -> Option<&str> {
        self.signing.subject.as_deref()
    }

    /// Returns the expiry of a question that is asked now, or `None` if questions do not expire.
    pub(in crate::consent) fn expiry(&self, now: SystemTime) -> Option<SystemTime> {
        now.checked_add(self.signing.lifetime.unwrap_or(LIFETIME))
    }

    /// Returns the key that signs and verifies.
    pub(in crate::consent) fn key(&self) -> Result<InterruptKey, InterruptKeyError> {
        match &self.signing.key {
            Some(key) => Ok(key.clone()),
            None => of_process().map(|(key, _)| key),
        }
    }

    /// Warns, once in a process, if the answer to a new question may come after this process has ended.
    ///
    /// # Errors
    /// [`InterruptKeyError`] if there is no key.
    pub(in crate::consent) fn warn_before_asking(&self) -> Result<(), InterruptKeyError> {
        static TOLD: Once = Once::new();
        if self.signing.key.is_none()
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

    /// Returns the same, completed by the settings of a server.
    #[cfg(any(feature = "server", feature = "mcp"))]
    pub(crate) fn or(self, server: &Self) -> Self {
        Self { unsigned: self.unsigned.or(server.unsigned), signing: self.signing.or(&server.signing) }
    }

    pub(in crate::consent) fn is_repeatable(&self) -> bool {
        self.signing.is_repeatable
    }
}
