//! The options of a run about its questions: their signatures, their lifetime, and the subject that may answer.

#[cfg(feature = "signed-interrupts")]
use std::time::Duration;

use super::RunOptions;
#[cfg(feature = "signed-interrupts")]
use crate::consent::InterruptKey;
#[cfg(feature = "server")]
use crate::consent::Proof;

#[cfg(feature = "signed-interrupts")]
impl RunOptions {
    /// Signs the questions of this run, and verifies the answers to earlier ones, with this key instead of the secret
    /// in the environment variable `AGUI_SECRET`; see [`InterruptKey`].
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

    /// Sets the time for which a question of this run can be answered, if the agent sets no expiry
    /// ([`Interrupt::with_expires_at`](crate::protocol::Interrupt::with_expires_at)); the default is 24 hours. The
    /// client receives the date as `expiresAt`, and a later answer ends the run in RUN_ERROR with the code
    /// `interrupt_expired`. With [`Duration::MAX`] questions do not expire.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let options = agui_runtime::RunOptions::default().interrupt_lifetime(Duration::from_secs(15 * 60));
    /// ```
    #[must_use]
    pub fn interrupt_lifetime(mut self, lifetime: Duration) -> Self {
        self.proof = self.proof.with_lifetime(lifetime);
        self
    }

    /// Names the party that this run is for, such as the customer's id from a token: the questions of the run are
    /// signed for it, and only a run for the same party can answer them. Without a subject, any caller that has the
    /// thread id and the answer of another client can send it. A question that was asked without a subject is answered
    /// without one.
    ///
    /// If the options name none, the subject is the client's identity, if the server knows one (`Server::identity`).
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().subject("customer-17");
    /// ```
    #[must_use]
    pub fn subject(mut self, subject: impl Into<String>) -> Self {
        self.proof = self.proof.with_subject(subject.into());
        self
    }

    /// Accepts the same answer any number of times.
    pub(crate) fn repeatable_answers(mut self) -> Self {
        self.proof = self.proof.repeatable();
        self
    }

    /// Signs with a key that is always the same, sets no expiry, and accepts the same answer any number of times.
    pub(crate) fn signed_for_tests(self) -> Self {
        let options = self.interrupt_lifetime(Duration::MAX).repeatable_answers();
        match InterruptKey::for_tests() {
            Ok(key) => options.interrupt_key(key),
            Err(_) => options,
        }
    }

    /// Signs with the key of a thread store, if there is no other.
    #[cfg(feature = "server")]
    pub(crate) fn store_key(mut self, key: InterruptKey) -> Self {
        self.proof = self.proof.or_store_key(key);
        self
    }
}

impl RunOptions {
    /// Sends interrupts under the ids that the agent gives them, and accepts every answer: **then a client can approve
    /// calls that were never asked about, with arguments of its own** (see [What you may
    /// trust](crate::guide::security#what-you-may-trust)). For clients that expect fixed ids, and for tests. The default is off; `false`
    /// here takes precedence over a server that signs nothing.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().unsigned_interrupts(true); // in a test
    /// ```
    #[must_use]
    pub fn unsigned_interrupts(mut self, unsigned: bool) -> Self {
        self.proof = self.proof.unsigned(unsigned);
        self
    }

    #[cfg(feature = "server")]
    pub(crate) fn proof(mut self, proof: Proof) -> Self {
        self.proof = proof;
        self
    }
}
