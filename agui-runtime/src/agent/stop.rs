use std::any::Any;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::ResumedError;
use crate::emit::PendingCalls;
use crate::protocol::{Interrupts, Message, ToolCallId};

/// Why a run ends otherwise than with a value. Travels by `?`.
///
/// Any [`std::error::Error`] converts into it, so `?` on your own errors ends the run in RUN_ERROR with their text.
/// `Stop` is not an error itself, for three of its four kinds are not failures.
///
/// ```
/// use agui_runtime::Stop;
///
/// fn portions(text: &str) -> Result<u32, Stop> {
///     let portions = text.parse::<u32>()?;                    // RUN_ERROR "invalid digit found in string"
///     if portions > 100 {
///         return Err(Stop::error("that is a canteen").with_code("TOO_MANY"));
///     }
///     Ok(portions)
/// }
/// assert!(portions("many").is_err());
/// ```
#[derive(Debug)]
#[must_use = "return it from the agent: `return Err(stop)`"]
pub struct Stop(pub(crate) Reason);

#[derive(Debug)]
pub(crate) enum Reason {
    Error { message: String, code: Option<String>, source: Option<Box<dyn Error + Send + Sync>> },
    AwaitFrontend(Vec<ToolCallId>),
    Interrupt { interrupts: Interrupts, messages: Option<Vec<Message>> },
    Cancelled,
}

impl Stop {
    /// The run failed: RUN_ERROR with a text for people (AG-UI 1.0, section "Runs and steps").
    ///
    /// ```
    /// use agui_runtime::Stop;
    ///
    /// let stop = Stop::error("the shop is closed").with_code("CLOSED");
    /// assert_eq!(stop.to_string(), "the shop is closed");
    /// ```
    pub fn error(message: impl Into<String>) -> Self {
        Self(Reason::Error { message: message.into(), code: None, source: None })
    }

    /// The stable code a failure carries, for programs. Other kinds of stop have no code; theirs stays as it is.
    pub fn with_code(mut self, new: impl Into<String>) -> Self {
        if let Reason::Error { code, .. } = &mut self.0 {
            *code = Some(new.into());
        }
        self
    }

    /// The run did its part and waits for the user interface to answer these frontend calls: RUN_FINISHED with
    /// outcome `success` and `pendingToolCallIds`.
    ///
    /// A client from before AG-UI 1.0, which is one that declares no `protocolVersion`, knows neither: its RUN_FINISHED has
    /// no outcome, and it finds the calls in the events before.
    ///
    /// Takes one call, an array or a vector of calls of one tool, or a tuple of calls of different ones.
    ///
    /// ```
    /// # use agui_runtime::{PendingCall, Stop, Tool};
    /// # fn example(call: PendingCall<impl Tool>) -> Result<(), Stop> {
    /// Err(Stop::await_frontend(call))
    /// # }
    /// ```
    pub fn await_frontend(calls: impl PendingCalls) -> Self {
        Self(Reason::AwaitFrontend(calls.into_ids()))
    }

    /// The run needs something from outside before it can go on: RUN_FINISHED with outcome `interrupt` (AG-UI 1.0, section
    /// "Interrupts"). The next run brings the answers in its input's `resume`, by the ids that are given here: on the wire a token
    /// follows each, and only answers with their token count (see [What you may trust](crate#what-you-may-trust)).
    ///
    /// What is open is closed first, and the state goes out as a STATE_SNAPSHOT if the run has one. A backend call stays
    /// unanswered if a question names it: [`ToolCall::interrupt`](crate::ToolCall::interrupt) makes such a stop, and the next run
    /// takes the call up with [`Run::resume_call`](crate::Run::resume_call).
    ///
    /// A question that the generated clients know has a type: [`Run::ask`](crate::Run::ask) makes a stop of it.
    ///
    /// Some mistakes are found only when the run ends, which is then RUN_ERROR:
    ///
    /// | code | mistake |
    /// |---|---|
    /// | `duplicate_interrupt` | two questions have one id |
    /// | `interrupt_about_frontend_call` | a question is about a call of the user interface, which answers that by itself: use [`await_frontend`](Self::await_frontend) |
    /// | `interrupt_expiry_unreadable` | `expires_at` is no date with an offset, such as `2999-01-31T12:00:00Z` |
    /// | `interrupt_key_missing` | there is no key to sign with; see [`InterruptKeyError`](crate::InterruptKeyError) |
    ///
    /// One question converts by itself; several are an [`Interrupts`], which is never empty:
    ///
    /// ```
    /// use agui_runtime::{Stop, protocol::{Interrupt, Interrupts}};
    ///
    /// let one = Stop::interrupt(Interrupt::new("portions", "input_required"));
    ///
    /// let mut both = Interrupts::from(Interrupt::new("portions", "input_required"));
    /// both.push(Interrupt::new("sure", "confirmation"));
    /// let two = Stop::interrupt(both);
    /// ```
    pub fn interrupt(interrupts: impl Into<Interrupts>) -> Self {
        Self(Reason::Interrupt { interrupts: interrupts.into(), messages: None })
    }

    /// Restates the conversation before an interrupting finish: MESSAGES_SNAPSHOT. For an agent whose next run needs
    /// messages the client has not seen, or should see otherwise than it did; what
    /// [`messages_snapshot`](crate::Run::messages_snapshot) says of ids holds here too. A call that a question is about must stand in
    /// it as it was made, or the answer is refused with `interrupt_call_changed`. Other kinds of stop stay as they are.
    ///
    /// The state goes out before such a finish by itself, if the run has one.
    ///
    /// ```
    /// use agui_runtime::protocol::{Interrupt, UserMessage};
    /// use agui_runtime::Stop;
    ///
    /// let history = vec![UserMessage::new("1", "Order it.").into()];
    /// let stop = Stop::interrupt(Interrupt::new("sure", "confirmation")).with_messages(history);
    /// ```
    pub fn with_messages(mut self, history: Vec<Message>) -> Self {
        if let Reason::Interrupt { messages, .. } = &mut self.0 {
            *messages = Some(history);
        }
        self
    }

    /// Both: for parts of a run that stopped side by side.
    ///
    /// The questions of two interrupts are asked together, and so are the calls of two that wait for the user interface.
    /// Where they differ, the first of these wins: an error (the earlier of two), cancelled, an interrupt, waiting.
    ///
    /// ```
    /// use agui_runtime::Stop;
    ///
    /// fn sum(a: Result<u32, Stop>, b: Result<u32, Stop>) -> Result<u32, Stop> {
    ///     match (a, b) {
    ///         (Err(a), Err(b)) => Err(a.and(b)), // one RUN_FINISHED with the questions of both
    ///         (a, b) => Ok(a? + b?),
    ///     }
    /// }
    /// # assert_eq!(sum(Err(Stop::cancelled()), Err(Stop::error("no rice"))).unwrap_err().to_string(), "no rice");
    /// ```
    pub fn and(self, other: Self) -> Self {
        Self(match (self.0, other.0) {
            (error @ Reason::Error { .. }, _) | (_, error @ Reason::Error { .. }) => error,
            (Reason::Cancelled, _) | (_, Reason::Cancelled) => Reason::Cancelled,
            (
                Reason::Interrupt { mut interrupts, messages },
                Reason::Interrupt { interrupts: more, messages: later },
            ) => {
                more.into_vec().into_iter().for_each(|interrupt| interrupts.push(interrupt));
                Reason::Interrupt { interrupts, messages: later.or(messages) }
            }
            (interrupt @ Reason::Interrupt { .. }, _) | (_, interrupt @ Reason::Interrupt { .. }) => {
                interrupt
            }
            (Reason::AwaitFrontend(mut calls), Reason::AwaitFrontend(more)) => {
                calls.extend(more);
                Reason::AwaitFrontend(calls)
            }
        })
    }

    /// What becomes of a panic that was caught. Its text may hold anything, so it is not what the stop says.
    pub(crate) fn of_panic(panic: Box<dyn Any + Send>) -> Self {
        let text = panic
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no text");
        tracing::error!(panic = text, "the agent panicked");
        let text = text.to_owned();
        discard(panic);
        Self(Reason::Error {
            message: "the agent panicked".to_owned(),
            code: Some("panic".to_owned()),
            source: Some(Box::new(Panicked(text))),
        })
    }

    /// The run was stopped on purpose before it completed: RUN_FINISHED with outcome `cancelled`.
    ///
    /// ```
    /// # use agui_runtime::Stop;
    /// fn go_on(open: bool) -> Result<(), Stop> {
    ///     if open { Ok(()) } else { Err(Stop::cancelled()) }
    /// }
    /// # assert!(go_on(false).is_err());
    /// ```
    pub fn cancelled() -> Self {
        Self(Reason::Cancelled)
    }
}

/// The text of a panic, for whoever asks for it.
#[derive(Debug, thiserror::Error)]
#[error("the agent panicked: {0}")]
pub(crate) struct Panicked(String);

impl<E: Error + Send + Sync + 'static> From<E> for Stop {
    fn from(error: E) -> Self {
        // One conversion serves all errors, so the few that have a code are known by their type.
        let code = (&error as &dyn Any).downcast_ref::<ResumedError>().map(|error| error.code().to_owned());
        Self(Reason::Error { message: error.to_string(), code, source: Some(Box::new(error)) })
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::Error { message, .. } => f.write_str(message),
            Reason::AwaitFrontend(calls) => write!(f, "waiting for {} frontend tool calls", calls.len()),
            Reason::Interrupt { interrupts, .. } => {
                write!(f, "interrupted by {} questions", interrupts.len())
            }
            Reason::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// Drops what anybody's code left behind: that is anybody's code again, and must not take a run down. What panics even
/// then is leaked.
pub(crate) fn discard<T>(left: T) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(left))) {
        std::mem::forget(panic);
    }
}
