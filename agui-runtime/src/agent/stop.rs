use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::failure::{BoxError, Failure};
use crate::emit::PendingCalls;
use crate::protocol::{Interrupts, Message, ToolCallId};

/// The way a run ends without a value. Travels by `?`.
///
/// A client sees the text of a failure only if it was written for people:
///
/// | the agent returns | RUN_ERROR says | code |
/// |---|---|---|
/// | [`Stop::error("the shop is closed")`](Self::error) | that text | that of [`with_code`](Self::with_code), or none |
/// | an error of this crate, such as [`StateError`](crate::StateError) | its text, bounded: it quotes what the client or the model sent | its own, such as `state_invalid` |
/// | any other error, by `?` | `the agent failed (run run-1)` | `internal_error`, or that of `with_code` |
/// | nothing, because it panicked | `the agent panicked (run run-1)` | `panic` |
///
/// The log has the error with its causes, the run id and the thread id, at level `error`. In development
/// [`RunOptions::reveal_errors`](crate::RunOptions::reveal_errors) shows it to the client, too.
///
/// `?` takes every [`std::error::Error`], `anyhow::Error`, `Box<dyn Error + Send + Sync>`, `String` and `&str`: all that
/// converts into `Box<dyn Error + Send + Sync>`. A `String` is hidden like the rest, for it is often the text of another
/// error; text for people is a [`Stop::error`](Self::error).
///
/// `Stop` is not an error itself, for three of its four kinds are not failures. Its `Display` is what a client may see.
///
/// ```
/// use agui_runtime::Stop;
///
/// fn portions(text: &str) -> Result<u32, Stop> {
///     let portions = text.parse::<u32>()?; // the log: "invalid digit found in string"
///     if portions > 100 {
///         return Err(Stop::error("that is a canteen").with_code("TOO_MANY"));
///     }
///     Ok(portions)
/// }
/// assert_eq!(portions("many").unwrap_err().to_string(), "the agent failed");
/// assert_eq!(portions("101").unwrap_err().to_string(), "that is a canteen");
/// ```
#[derive(Debug)]
#[must_use = "return it from the agent: `return Err(stop)`"]
pub struct Stop(pub(crate) Reason);

#[derive(Debug)]
pub(crate) enum Reason {
    Error(Failure),
    AwaitFrontend(Vec<ToolCallId>),
    Interrupt { interrupts: Interrupts, messages: Option<Vec<Message>> },
    Cancelled,
}

impl Stop {
    /// The run failed: RUN_ERROR with this text, which is shown to people as it is (AG-UI 1.0, section "Runs and steps").
    ///
    /// ```
    /// use agui_runtime::Stop;
    ///
    /// let stop = Stop::error("the shop is closed").with_code("CLOSED");
    /// assert_eq!(stop.to_string(), "the shop is closed");
    /// ```
    pub fn error(message: impl Into<String>) -> Self {
        Self(Reason::Error(Failure::shown(message.into())))
    }

    /// The stable code a failure carries, for programs. Other kinds of stop have no code; theirs stays as it is.
    pub fn with_code(mut self, new: impl Into<String>) -> Self {
        if let Reason::Error(failure) = &mut self.0 {
            failure.code = Some(new.into());
        }
        self
    }

    /// The error behind a failure, for the log alone. Other kinds of stop stay as they are.
    ///
    /// ```
    /// use agui_runtime::Stop;
    ///
    /// fn read(path: &str) -> Result<String, Stop> {
    ///     std::fs::read_to_string(path).map_err(|error| Stop::error("The menu is missing.").with_source(error))
    /// }
    /// assert_eq!(read("no such file").unwrap_err().to_string(), "The menu is missing.");
    /// ```
    pub fn with_source(mut self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        if let Reason::Error(failure) = &mut self.0 {
            failure.source = Some(error.into());
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
    /// "Interrupts"). The next run brings the answers in its input's `resume`, by the ids of the questions.
    ///
    /// What is open is closed first, and the state goes out as a STATE_SNAPSHOT if the run has one. A backend call stays
    /// unanswered if a question names it: [`ToolCall::interrupt`](crate::ToolCall::interrupt) makes such a stop, and the next run
    /// takes the call up with [`Run::resume_call`](crate::Run::resume_call).
    ///
    /// A question that the generated clients know has a type: [`Run::ask`](crate::Run::ask) makes a stop of it.
    ///
    /// Two mistakes are found only when the run ends, which is then RUN_ERROR: two questions with one id (code
    /// `duplicate_interrupt`), and a question about a call of the user interface, which answers that by itself (code
    /// `interrupt_about_frontend_call`; use [`await_frontend`](Self::await_frontend)).
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
    /// [`messages_snapshot`](crate::Run::messages_snapshot) says of ids holds here too. Other kinds of stop stay as they are.
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
            (error @ Reason::Error(_), _) | (_, error @ Reason::Error(_)) => error,
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

    /// The error that only the log may see, with its causes.
    pub(crate) fn hidden_causes(&self) -> Option<String> {
        match &self.0 {
            Reason::Error(failure) => failure.hidden_causes(),
            _ => None,
        }
    }

    /// A panic that was caught.
    pub(crate) fn of_panic(panic: Box<dyn Any + Send>) -> Self {
        let failure = Failure::of_panic(&*panic);
        discard(panic);
        Self(Reason::Error(failure))
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

/// Everything that `?` turns into a [`Stop`]: errors, boxed errors and texts.
///
/// There is nothing to implement: a type is one that converts into `Box<dyn Error + Send + Sync>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot end a run",
    label = "neither an error that is `Send + Sync` nor a text: implement `std::error::Error` for it, or box it as `Box<dyn Error + Send + Sync>`",
    note = "implement `std::error::Error` for it, or say what the client is told: `.map_err(|error| Stop::error(\"..\"))?`"
)]
pub trait IntoStop {
    #[doc(hidden)]
    fn into_stop(self) -> Stop;
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> IntoStop for E {
    fn into_stop(self) -> Stop {
        Stop(Reason::Error(Failure::of(self.into())))
    }
}

// `Stop` is no `Error` and must never become one: this impl and `From<Stop> for Stop` would overlap.
impl<E: IntoStop> From<E> for Stop {
    fn from(error: E) -> Self {
        error.into_stop()
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::Error(failure) => f.write_str(failure.text()),
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
