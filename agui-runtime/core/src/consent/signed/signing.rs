//! Signature configuration.

use std::sync::{Arc, Once};
use std::time::{Duration, SystemTime};

use super::key::{InterruptKey, InterruptKeyError, process_key};
use crate::consent::InterruptProof;

/// Default time during which an interrupt can be resumed.
const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Key, lifetime and subject for signed interrupts, each `None` until set.
#[derive(Clone, Debug, Default)]
pub(in crate::consent) struct SigningConfig {
    /// `None` means the process key.
    key: Option<InterruptKey>,
    lifetime: Option<Duration>,
    subject: Option<Arc<str>>,
    /// True if a resume entry may be used again: for tests, which raise the same interrupt with the same ids.
    is_repeatable: bool,
    /// True if a cancellation counts once too, and only with proof: for runs whose agent continues after a cancellation, although no
    /// conversation tells that the interrupt was resumed.
    counts_cancellations: bool,
}

#[cfg(any(feature = "server", feature = "tool-servers"))]
impl SigningConfig {
    fn or(self, server: &Self) -> Self {
        Self {
            key: self.key.or_else(|| server.key.clone()),
            lifetime: self.lifetime.or(server.lifetime),
            subject: self.subject.or_else(|| server.subject.clone()),
            is_repeatable: self.is_repeatable || server.is_repeatable,
            counts_cancellations: self.counts_cancellations || server.counts_cancellations,
        }
    }
}

impl InterruptProof {
    /// Signs with this key, and turns signing on.
    pub(crate) fn with_key(mut self, key: InterruptKey) -> Self {
        self.unsigned = Some(false);
        self.signing.key = Some(key);
        self
    }

    /// Signs with a thread store's key, if neither the options nor the environment have one.
    #[cfg(feature = "server")]
    pub(crate) fn or_store_key(mut self, key: InterruptKey) -> Self {
        if self.signing.key.is_none() && process_key().is_ok_and(|(_, is_random)| is_random) {
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

    /// Lets a cancellation count once, as a resume entry that allows something does.
    #[cfg(feature = "tool-servers")]
    pub(crate) fn counting_cancellations(mut self) -> Self {
        self.signing.counts_cancellations = true;
        self
    }

    /// Returns the subject, the only party that may resume. An absent subject and an empty one differ.
    pub(in crate::consent) fn subject(&self) -> Option<&str> {
        self.signing.subject.as_deref()
    }

    /// Returns the expiry for an interrupt raised now, or `None` if interrupts do not expire.
    pub(in crate::consent) fn expiry(&self, now: SystemTime) -> Option<SystemTime> {
        now.checked_add(self.signing.lifetime.unwrap_or(LIFETIME))
    }

    /// Returns the key that signs and verifies.
    pub(in crate::consent) fn key(&self) -> Result<InterruptKey, InterruptKeyError> {
        match &self.signing.key {
            Some(key) => Ok(key.clone()),
            None => process_key().map(|(key, _)| key),
        }
    }

    /// Returns the key, unless this process drew it at random: then nothing that a client keeps opens after a restart.
    #[cfg(any(feature = "model", feature = "server"))]
    pub(in crate::consent) fn lasting_key(&self) -> Option<InterruptKey> {
        let of_environment = || process_key().ok().filter(|(_, is_random)| !is_random).map(|(key, _)| key);
        self.signing.key.clone().or_else(of_environment)
    }

    /// True if values can be sealed under a key that outlives the process.
    #[cfg(feature = "server")]
    pub(crate) fn has_lasting_key(&self) -> bool {
        self.lasting_key().is_some()
    }

    /// Warns, once in a process, if the resume entry for a new interrupt may come after this process has ended.
    ///
    /// # Errors
    /// [`InterruptKeyError`] without a key.
    pub(in crate::consent) fn warn_before_asking(&self) -> Result<(), InterruptKeyError> {
        static TOLD: Once = Once::new();
        if self.signing.key.is_none()
            && let (_, true) = process_key()?
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

    /// Checks that a server with this configuration can start.
    #[cfg(feature = "server")]
    pub(crate) fn check(&self) -> Result<(), InterruptKeyError> {
        if self.is_unsigned() { Ok(()) } else { self.key().map(drop) }
    }

    /// Completes missing settings from a server's settings.
    #[cfg(any(feature = "server", feature = "tool-servers"))]
    pub(crate) fn or(self, server: &Self) -> Self {
        Self { unsigned: self.unsigned.or(server.unsigned), signing: self.signing.or(&server.signing) }
    }

    pub(in crate::consent) fn counts_cancellations(&self) -> bool {
        self.signing.counts_cancellations
    }

    pub(in crate::consent) fn is_repeatable(&self) -> bool {
        self.signing.is_repeatable
    }
}
