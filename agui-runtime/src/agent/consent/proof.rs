use std::sync::Once;

use super::key::{InterruptKey, InterruptKeyError, of_process};

/// How a run knows that a question was asked.
///
/// A thread store becomes one more variant. It knows which questions of the thread are open and what they are about, so it answers
/// what [`Consent`](super::Consent) asks here (is this answer to a question that was asked, and about which call?) from its records,
/// and the ids stay as the agent gave them.
#[derive(Clone, Debug, Default)]
pub(crate) enum Proof {
    /// By the id, signed with the key of the process.
    #[default]
    Process,
    /// By the id, signed with this key.
    Key(InterruptKey),
    /// Not at all: what the client says counts.
    Unsigned,
}

impl Proof {
    /// The same without proof, or with proof again.
    pub(crate) fn unsigned(&self, unsigned: bool) -> Self {
        match self {
            _ if unsigned => Self::Unsigned,
            Self::Unsigned => Self::Process,
            proof => proof.clone(),
        }
    }

    /// The key that signs and verifies.
    pub(super) fn key(&self) -> Result<InterruptKey, InterruptKeyError> {
        match self {
            Self::Key(key) => Ok(key.clone()),
            Self::Process | Self::Unsigned => of_process().map(|(key, _)| key),
        }
    }

    /// The same for a question, whose answer may come after this process has ended.
    pub(super) fn key_to_ask(&self) -> Result<InterruptKey, InterruptKeyError> {
        static TOLD: Once = Once::new();
        if let Self::Process = self
            && let (key, true) = of_process()?
        {
            TOLD.call_once(|| {
                tracing::warn!(
                    "interrupts are signed with a random key: answers count in this process alone, and not after a restart; \
                     set AGUI_SECRET to keep them"
                );
            });
            return Ok(key);
        }
        self.key()
    }

    /// Whether a server that proves questions in this way can start.
    #[cfg(feature = "server")]
    pub(crate) fn check(&self) -> Result<(), InterruptKeyError> {
        match self {
            Self::Process => of_process().map(drop),
            Self::Key(_) | Self::Unsigned => Ok(()),
        }
    }
}
