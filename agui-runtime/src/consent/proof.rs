//! The configuration of how a run proves its questions.

#[cfg(feature = "signed-interrupts")]
use super::signed::Signing;

/// The method by which a run knows that a question was asked: an id that is signed with a key.
///
/// Every part is `None` until it is set, so that the options of a run can be completed by those of its server.
///
/// A thread store becomes another kind of proof. It knows the open questions of the thread and their calls, so it
/// answers the question of [`Consent`](super::Consent) from its records (was this asked, and about which call?), and
/// the ids stay as the agent gave them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    /// True if there is no proof, and every answer of the client counts.
    pub(super) unsigned: Option<bool>,
    #[cfg(feature = "signed-interrupts")]
    pub(super) signing: Signing,
}

impl Proof {
    /// Turns signing off or on, and keeps the key.
    pub(crate) fn unsigned(mut self, unsigned: bool) -> Self {
        self.unsigned = Some(unsigned);
        self
    }

    pub(super) fn is_unsigned(&self) -> bool {
        self.unsigned == Some(true)
    }
}
