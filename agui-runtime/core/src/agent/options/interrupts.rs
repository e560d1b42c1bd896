//! Run options for interrupts: signatures, lifetime, and the subject that may resume.

#[cfg(feature = "signed-interrupts")]
use std::time::Duration;

use super::RunOptions;
#[cfg(feature = "signed-interrupts")]
use crate::consent::InterruptKey;
#[cfg(feature = "server")]
use crate::consent::InterruptProof;

#[cfg(feature = "signed-interrupts")]
impl RunOptions {
    /// Signs this run's interrupts, and verifies resume entries for earlier ones, with this key instead of the secret in the
    /// environment variable `AGUI_SECRET`; see [`InterruptKey`].
    ///
    /// ```
    /// use agui_runtime::{InterruptKey, RunOptions};
    ///
    /// let options = RunOptions::default().interrupt_key(InterruptKey::new([7; 32])?);
    /// # Ok::<(), agui_runtime::interrupts::InterruptKeyError>(())
    /// ```
    #[must_use]
    pub fn interrupt_key(mut self, key: InterruptKey) -> Self {
        self.proof = self.proof.with_key(key);
        self
    }

    /// Sets the time in which clients can resume an interrupt, if the agent sets no expiry
    /// ([`Interrupt::with_expires_at`](crate::protocol::Interrupt::with_expires_at)); default 24 hours. The client receives the
    /// date as `expiresAt`; a later resume entry ends the run in RUN_ERROR with code `interrupt_expired`. With [`Duration::MAX`]
    /// interrupts do not expire.
    #[must_use]
    pub fn interrupt_lifetime(mut self, lifetime: Duration) -> Self {
        self.proof = self.proof.with_lifetime(lifetime);
        self
    }

    /// Names the party this run serves, such as the customer id from a token: the run's interrupts are signed for that party, and
    /// only a run for the same party can resume them. Without a subject, any caller that has the thread id and another client's
    /// resume entry can send that entry. An interrupt sent without a subject is resumed without one.
    ///
    /// By default the subject is the client's identity, if the server knows one (`Server::identity`).
    #[must_use]
    pub fn subject(mut self, subject: impl Into<String>) -> Self {
        self.proof = self.proof.with_subject(subject.into());
        self
    }

    /// Accepts the same resume entry any number of times.
    pub(crate) fn repeatable_entries(mut self) -> Self {
        self.proof = self.proof.repeatable();
        self
    }

    /// Refuses a cancellation without proof, and a second one, as resume entries that allow something are refused.
    #[cfg(feature = "tool-servers")]
    pub(in crate::agent) fn counting_cancellations(mut self) -> Self {
        self.proof = self.proof.counting_cancellations();
        self
    }

    /// Signs with a fixed key, sets no expiry, and accepts the same resume entry any number of times.
    pub(crate) fn signed_for_tests(self) -> Self {
        let options = self.interrupt_lifetime(Duration::MAX).repeatable_entries();
        match InterruptKey::for_tests() {
            Ok(key) => options.interrupt_key(key),
            Err(_) => options,
        }
    }

    /// Signs with the thread store's key, if there is no other.
    #[cfg(feature = "server")]
    pub(crate) fn store_key(mut self, key: InterruptKey) -> Self {
        self.proof = self.proof.or_store_key(key);
        self
    }
}

impl RunOptions {
    /// Sends interrupts under the agent's own ids, and accepts every resume entry: **then a client can approve calls that were
    /// never sent for approval, with arguments the client invents** (see [What you may
    /// trust](crate::guide::security#what-you-may-trust)). For tests, and for clients that expect fixed ids. Off by default;
    /// `false` here takes precedence over a server that signs nothing.
    #[must_use]
    pub fn unsigned_interrupts(mut self, unsigned: bool) -> Self {
        self.proof = self.proof.unsigned(unsigned);
        self
    }

    #[cfg(feature = "server")]
    pub(crate) fn proof(mut self, proof: InterruptProof) -> Self {
        self.proof = proof;
        self
    }
}
