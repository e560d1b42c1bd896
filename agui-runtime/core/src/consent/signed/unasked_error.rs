//! Reasons why an interrupt cannot be signed.

use super::InterruptKeyError;
use crate::protocol::Interrupt;

/// An interrupt that could not be signed. The run fails instead, because a resume entry could not be trusted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnsignedInterruptError {
    #[error(
        "the interrupt `{id}` expires at `{expires_at}`: expected a date with an offset, such as `2999-01-31T12:00:00Z`"
    )]
    Expiry { id: String, expires_at: String },
    #[error("an interrupt cannot be signed")]
    Key(#[source] InterruptKeyError),
}

impl UnsignedInterruptError {
    pub(super) fn expiry(question: &Interrupt) -> Self {
        let expires_at = question.expires_at.clone().unwrap_or_default();
        Self::Expiry { id: question.id.as_str().to_owned(), expires_at }
    }

    pub(super) fn key(error: InterruptKeyError) -> Self {
        Self::Key(error)
    }

    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Expiry { .. } => "interrupt_expiry_unreadable",
            Self::Key(_) => "interrupt_key_missing",
        }
    }
}
