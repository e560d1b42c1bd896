//! The reasons why an answer to a question is not accepted.

use std::borrow::Cow;

use crate::protocol::InterruptId;

/// An answer of the client that is not accepted. Passed on with `?`, it ends the run in RUN_ERROR with a stable
/// [`code`](Self::code).
///
/// All of them but [`Several`](Self::Several) are checked before the agent is called, and a refused run uses up no
/// answer: [`Response`](Self::Response) and [`Twice`](Self::Twice) for the questions that the agent lists, the others
/// for all questions.
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
    /// The payload of the answer is not a valid response to the question.
    #[error("response to interrupt `{id}` at `{path}`: {message}")]
    Response {
        /// The question.
        id: InterruptId,
        /// The place in the JSON document where reading stopped, `.` for the whole.
        path: String,
        /// The expected value.
        message: String,
    },
    /// The question was not asked on this thread, or was asked by another agent, of another
    /// [subject](crate::RunOptions::subject), or by a server with another [key](crate::InterruptKey).
    #[error(
        "the question of interrupt `{}` was not asked by this agent on this thread, or was signed with another key: cancel it to continue",
        shown(.id)
    )]
    NotAsked {
        /// The id that the client sent.
        id: InterruptId,
    },
    /// The answer came too late: the question can only be cancelled.
    #[error("the interrupt `{}` has expired and can only be cancelled", shown(.id))]
    Expired {
        /// The question.
        id: InterruptId,
    },
    /// The question was answered before, in another run of this process: an answer counts once, however its run ended.
    #[error("the interrupt `{}` has been answered already", shown(.id))]
    Answered {
        /// The question.
        id: InterruptId,
    },
    /// The conversation lacks the call of the question, or has it with another tool or other arguments.
    #[error("the call of interrupt `{}` is missing in the conversation, or has another tool or other arguments there", shown(.id))]
    CallChanged {
        /// The question.
        id: InterruptId,
    },
    /// One question is answered twice.
    #[error("the interrupt `{id}` is answered twice")]
    Twice {
        /// The question.
        id: InterruptId,
    },
    /// One answer was expected, and there are more: [`Input::resumed_all`](crate::Input::resumed_all) reads all.
    #[error("there are {count} answers to interrupts of the reason `{reason}`, where one was expected")]
    Several {
        /// The reason of the interrupts.
        reason: &'static str,
        /// The number of answers.
        count: usize,
    },
}

impl ResumedError {
    /// Returns the code of the RUN_ERROR, for programs.
    ///
    /// | error | code |
    /// |---|---|
    /// | [`NotAsked`](Self::NotAsked) | `interrupt_not_asked` |
    /// | [`Expired`](Self::Expired) | `interrupt_expired` |
    /// | [`Answered`](Self::Answered) | `interrupt_answered` |
    /// | [`CallChanged`](Self::CallChanged) | `interrupt_call_changed` |
    /// | [`Response`](Self::Response) | `resume_invalid_response` |
    /// | [`Twice`](Self::Twice) | `resume_answered_twice` |
    /// | [`Several`](Self::Several) | `resume_several_answers` |
    ///
    /// ```
    /// use agui_runtime::interrupts::ResumedError;
    ///
    /// let error = ResumedError::Twice { id: "may#1-interrupt-1#".into() };
    /// assert_eq!(error.code(), "resume_answered_twice");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAsked { .. } => "interrupt_not_asked",
            Self::Expired { .. } => "interrupt_expired",
            Self::Answered { .. } => "interrupt_answered",
            Self::CallChanged { .. } => "interrupt_call_changed",
            Self::Response { .. } => "resume_invalid_response",
            Self::Twice { .. } => "resume_answered_twice",
            Self::Several { .. } => "resume_several_answers",
        }
    }
}

/// Returns the first part of an id: a client can send an id as long as its request.
fn shown(id: &InterruptId) -> Cow<'_, str> {
    match id.as_str().char_indices().nth(120) {
        Some((end, _)) => Cow::Owned(format!("{}…", id.as_str().get(..end).unwrap_or_default())),
        None => Cow::Borrowed(id.as_str()),
    }
}
