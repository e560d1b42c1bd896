//! Configures how a run proves its interrupts.

#[cfg(feature = "signed-interrupts")]
use super::signed::SigningConfig;

/// The method by which a run recognises its interrupts: ids signed with a key.
///
/// Every part is `None` until set, so that a server's options can complete a run's options.
///
/// A thread store would be another kind of proof. A store knows the thread's open interrupts and their calls, so stored records
/// tell [`Consent`](super::Consent) if an interrupt was raised and about which call, and the ids stay as the agent gave them.
#[derive(Clone, Debug, Default)]
pub(crate) struct InterruptProof {
    /// True if the run has no proof, and every resume entry counts.
    pub(super) unsigned: Option<bool>,
    #[cfg(feature = "signed-interrupts")]
    pub(super) signing: SigningConfig,
}

impl InterruptProof {
    /// Turns signing off or on, and keeps the key.
    pub(crate) fn unsigned(mut self, unsigned: bool) -> Self {
        self.unsigned = Some(unsigned);
        self
    }

    pub(super) fn is_unsigned(&self) -> bool {
        self.unsigned == Some(true)
    }
}
