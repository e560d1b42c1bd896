//! Reasons to refuse a resume entry.

use std::borrow::Cow;

use crate::protocol::InterruptId;

/// A resume entry that is refused. Passed on with `?`, the error ends the run in RUN_ERROR with a stable [`code`](Self::code).
///
/// All variants but [`Several`](Self::Several) are checked before the agent is called, and a refused run uses up no entry:
/// [`Response`](Self::Response) and [`Twice`](Self::Twice) for the interrupts that the agent lists, the others for all interrupts.
///
/// ```
/// use agui_runtime::interrupts::ResumedError;
///
/// fn advice(error: &ResumedError) -> &'static str {
///     match error {
///         ResumedError::Expired { .. } => "cancel the question, and ask again",
///         ResumedError::Response { .. } => "answer again",
///         _ => "start a new run",
///     }
/// }
///
/// let error = ResumedError::Expired { id: "may#1-interrupt-1#".into() };
/// assert_eq!(advice(&error), "cancel the question, and ask again");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumedError {
    /// The payload is not valid for the interrupt.
    #[error("response to interrupt `{id}` at `{path}`: {message}")]
    Response {
        /// The interrupt.
        id: InterruptId,
        /// JSON location where reading stopped, `.` for the whole document.
        path: String,
        /// The expected value.
        message: String,
    },
    /// The interrupt was not raised on this thread, or was raised by another agent, for another
    /// [subject](crate::RunOptions::subject), or by a server with another [key](crate::InterruptKey).
    #[error(
        "the question of interrupt `{}` was not asked by this agent on this thread, or was signed with another key: cancel it to continue",
        shown(.id)
    )]
    NotAsked {
        /// The id that the client sent.
        id: InterruptId,
    },
    /// The entry came too late: the interrupt can only be cancelled.
    #[error("the interrupt `{}` has expired and can only be cancelled", shown(.id))]
    Expired {
        /// The interrupt.
        id: InterruptId,
    },
    /// Another run in this process already resumed the interrupt: a resume entry counts once, however the run ended.
    #[error("the interrupt `{}` was resumed already", shown(.id))]
    Used {
        /// The interrupt.
        id: InterruptId,
    },
    /// The conversation lacks the interrupt's call, or has the call with another tool or other arguments.
    #[error("the call of interrupt `{}` is missing in the conversation, or has another tool or other arguments there", shown(.id))]
    CallChanged {
        /// The interrupt.
        id: InterruptId,
    },
    /// Two entries resume one interrupt.
    #[error("the interrupt `{id}` is resumed twice")]
    Twice {
        /// The interrupt.
        id: InterruptId,
    },
    /// One entry was expected, and several came: [`Input::resumed_all`](crate::Input::resumed_all) reads all.
    #[error(
        "there are {count} resume entries for interrupts with the reason `{reason}`, where one was expected"
    )]
    Several {
        /// The interrupts' reason.
        reason: &'static str,
        /// The number of entries.
        count: usize,
    },
}

impl ResumedError {
    /// Returns the RUN_ERROR code for programs.
    ///
    /// | error | code |
    /// |---|---|
    /// | [`NotAsked`](Self::NotAsked) | `interrupt_not_asked` |
    /// | [`Expired`](Self::Expired) | `interrupt_expired` |
    /// | [`Used`](Self::Used) | `interrupt_used` |
    /// | [`CallChanged`](Self::CallChanged) | `interrupt_call_changed` |
    /// | [`Response`](Self::Response) | `resume_invalid_response` |
    /// | [`Twice`](Self::Twice) | `resume_twice` |
    /// | [`Several`](Self::Several) | `resume_several` |
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAsked { .. } => "interrupt_not_asked",
            Self::Expired { .. } => "interrupt_expired",
            Self::Used { .. } => "interrupt_used",
            Self::CallChanged { .. } => "interrupt_call_changed",
            Self::Response { .. } => "resume_invalid_response",
            Self::Twice { .. } => "resume_twice",
            Self::Several { .. } => "resume_several",
        }
    }
}

/// Shortens an id for messages: a client can send an id as long as its request.
fn shown(id: &InterruptId) -> Cow<'_, str> {
    match id.as_str().char_indices().nth(120) {
        Some((end, _)) => Cow::Owned(format!("{}…", id.as_str().get(..end).unwrap_or_default())),
        None => Cow::Borrowed(id.as_str()),
    }
}
