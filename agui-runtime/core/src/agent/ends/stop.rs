//! Run ends other than a value.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::failure::{BoxError, StopFailure};
use crate::agent::PendingCalls;
use crate::protocol::{InterruptList, Message, ToolCallId};

/// A run's end without a value. Travels by `?`.
///
/// Clients see a failure's text only if the text was written for users:
///
/// | the agent returns | RUN_ERROR message | code |
/// |---|---|---|
/// | [`Stop::error("the shop is closed")`](Self::error) | that text | the [`with_code`](Self::with_code) code, or none |
/// | this crate's error, such as [`StateError`](crate::state::StateError) | its text, bounded: it quotes client or model text | its own, such as `state_invalid` |
/// | any other error, by `?` | `the agent failed (run run-1)` | `internal_error`, or the `with_code` code |
/// | nothing, because it panicked | `the agent panicked (run run-1)` | `panic` |
///
/// The log has the error with its causes, the run id and the thread id, at level `error`, or `warn` if the text was written for
/// users. With
/// [`RunOptions::reveal_errors`](crate::RunOptions::reveal_errors) the client sees the error too: by default on a server that is a
/// debug build on a loopback address.
///
/// `?` takes every [`std::error::Error`], `anyhow::Error`, `Box<dyn Error + Send + Sync>`, `String` and `&str`: every type that
/// converts into `Box<dyn Error + Send + Sync>`. A `String` is hidden like the rest, because it often repeats another error's
/// text; use [`Stop::error`](Self::error) for a text for users.
///
/// `Stop` is not an error itself, because three of its four kinds are not failures. Its `Display` is a text that clients may see.
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
pub struct Stop(pub(crate) StopReason);

#[derive(Debug)]
pub(crate) enum StopReason {
    Error(StopFailure),
    AwaitFrontend(Vec<ToolCallId>),
    Interrupt { interrupts: InterruptList, messages: Option<Vec<Message>> },
    Cancelled,
}

impl Stop {
    /// Creates a failure: RUN_ERROR with this text, which users see unchanged (AG-UI 1.0, section "Runs and steps").
    ///
    /// ```
    /// use agui_runtime::Stop;
    ///
    /// let stop = Stop::error("the shop is closed").with_code("CLOSED");
    /// assert_eq!(stop.to_string(), "the shop is closed");
    /// ```
    pub fn error(message: impl Into<String>) -> Self {
        Self(StopReason::Error(StopFailure::shown(message.into())))
    }

    /// Sets a failure's stable code, for programs. Other stop kinds carry no code and stay unchanged.
    pub fn with_code(mut self, new: impl Into<String>) -> Self {
        if let StopReason::Error(failure) = &mut self.0 {
            failure.code = Some(new.into());
        }
        self
    }

    /// Sets the error behind a failure, for the log; clients see the error with
    /// [`RunOptions::reveal_errors`](crate::RunOptions::reveal_errors) alone. Other stop kinds stay unchanged.
    pub fn with_source(mut self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        if let StopReason::Error(failure) = &mut self.0 {
            failure.source = Some(error.into());
        }
        self
    }

    /// Makes a failure end the run even if a tool returns it. By default a tool's error is a result, which the model reads. Other
    /// stop kinds stay unchanged: they always end the run.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    ///
    /// /// Looks up what something costs, in cents.
    /// #[tool]
    /// async fn price(name: String) -> Result<u32, Stop> {
    ///     let Ok(rate) = std::env::var("RATE") else {
    ///         return Err(Stop::error("the shop has no prices today").fatal()); // no other call can succeed
    ///     };
    ///     rate.parse().map_err(|_| Stop::error(format!("{name} has no price"))) // the text for the model
    /// }
    /// ```
    pub fn fatal(mut self) -> Self {
        if let StopReason::Error(failure) = &mut self.0 {
            failure.fatal = true;
        }
        self
    }

    pub(crate) fn is_error(&self) -> bool {
        matches!(self.0, StopReason::Error(_))
    }

    /// True if the stop ends the run even when a tool returns it.
    pub(crate) fn ends_run(&self) -> bool {
        match &self.0 {
            StopReason::Error(failure) => failure.fatal,
            StopReason::AwaitFrontend(_) | StopReason::Interrupt { .. } | StopReason::Cancelled => true,
        }
    }

    /// Creates a stop that waits until the user interface sends results for frontend calls: RUN_FINISHED with outcome `success` and
    /// `pendingToolCallIds`, which names all pending calls in the run. The argument proves that there is one.
    ///
    /// A legacy client, which declares no `protocolVersion`, knows neither: its RUN_FINISHED has no outcome, and the client finds
    /// the calls in the earlier events.
    ///
    /// Takes one call, an array or vector with calls to one tool, or a tuple with calls to different tools.
    ///
    /// ```
    /// # use agui_runtime::{PendingCall, Stop, Tool};
    /// # fn example(call: PendingCall<impl Tool>) -> Result<(), Stop> {
    /// Err(Stop::await_frontend(call))
    /// # }
    /// ```
    pub fn await_frontend(calls: impl PendingCalls) -> Self {
        Self(StopReason::AwaitFrontend(calls.into_ids()))
    }

    /// Does the same for calls known by id.
    #[cfg(feature = "model")]
    pub(crate) fn await_calls(calls: Vec<ToolCallId>) -> Self {
        Self(StopReason::AwaitFrontend(calls))
    }

    /// Creates a stop that interrupts the run for outside input: RUN_FINISHED with outcome `interrupt` (AG-UI 1.0, section
    /// "Interrupts"). The next run brings the resume entries in its input's `resume`, under the ids given here: on the wire a
    /// token follows each id, and only entries with that token count (see [What you may
    /// trust](crate::guide::security#what-you-may-trust)).
    ///
    /// Open spans are closed first, and the state is sent as a STATE_SNAPSHOT if the run has one. A backend call stays pending if
    /// an interrupt names the call: [`Call::interrupt`](crate::Call::interrupt) creates such a stop, and the next run resumes the
    /// call with [`Run::resume_call`](crate::Run::resume_call).
    ///
    /// Use [`Run::ask`](crate::Run::ask) for a typed interrupt, which the generated clients know.
    ///
    /// Some mistakes are found only when the run ends, and then end the run in RUN_ERROR:
    ///
    /// | code | mistake |
    /// |---|---|
    /// | `duplicate_interrupt` | two interrupts have one id |
    /// | `interrupt_about_frontend_call` | an interrupt names a frontend call, whose result the user interface sends itself: use [`await_frontend`](Self::await_frontend) |
    /// | `interrupt_expiry_unreadable` | `expires_at` is not a date with an offset, such as `2999-01-31T12:00:00Z` |
    /// | `interrupt_key_missing` | there is no key to sign with; see [`InterruptKeyError`](crate::interrupts::InterruptKeyError) |
    ///
    /// A single interrupt converts by itself; several are an [`InterruptList`], which is never empty:
    ///
    /// ```
    /// use agui_runtime::{Stop, protocol::{Interrupt, InterruptList}};
    ///
    /// let one = Stop::interrupt(Interrupt::new("portions", "input_required"));
    ///
    /// let mut both = InterruptList::from(Interrupt::new("portions", "input_required"));
    /// both.push(Interrupt::new("sure", "confirmation"));
    /// let two = Stop::interrupt(both);
    /// ```
    pub fn interrupt(interrupts: impl Into<InterruptList>) -> Self {
        Self(StopReason::Interrupt { interrupts: interrupts.into(), messages: None })
    }

    /// Restates the conversation before an interrupting finish: MESSAGES_SNAPSHOT. For an agent whose next run needs messages that
    /// the client has not seen, or should see in another form; the id rules for
    /// [`messages_snapshot`](crate::Run::messages_snapshot) hold here too. A call that an interrupt names must be included
    /// unchanged, or the resume entry is refused with `interrupt_call_changed`. Other stop kinds stay unchanged.
    ///
    /// The state is sent before such a finish anyway, if the run has one.
    pub fn with_messages(mut self, history: Vec<Message>) -> Self {
        if let StopReason::Interrupt { messages, .. } = &mut self.0 {
            *messages = Some(history);
        }
        self
    }

    /// Combines two stops from concurrent run parts.
    ///
    /// Two interrupts become one finish with both interrupt lists, and two waits for the user interface become one wait. If the
    /// kinds differ, the first in this list takes precedence: an error (the earlier), cancelled, an interrupt, waiting.
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
            (error @ StopReason::Error(_), _) | (_, error @ StopReason::Error(_)) => error,
            (StopReason::Cancelled, _) | (_, StopReason::Cancelled) => StopReason::Cancelled,
            (
                StopReason::Interrupt { mut interrupts, messages },
                StopReason::Interrupt { interrupts: more, messages: later },
            ) => {
                more.into_vec().into_iter().for_each(|interrupt| interrupts.push(interrupt));
                StopReason::Interrupt { interrupts, messages: later.or(messages) }
            }
            (interrupt @ StopReason::Interrupt { .. }, _) | (_, interrupt @ StopReason::Interrupt { .. }) => {
                interrupt
            }
            (StopReason::AwaitFrontend(mut calls), StopReason::AwaitFrontend(more)) => {
                calls.extend(more);
                StopReason::AwaitFrontend(calls)
            }
        })
    }

    /// Returns the interrupts if the stop restates no conversation; any other stop as is.
    #[cfg(feature = "model")]
    pub(crate) fn into_interrupts(self) -> Result<InterruptList, Self> {
        match self.0 {
            StopReason::Interrupt { interrupts, messages: None } => Ok(interrupts),
            other => Err(Self(other)),
        }
    }

    /// Returns the interrupts with which the run ends.
    pub(crate) fn interrupts(&self) -> Option<&InterruptList> {
        match &self.0 {
            StopReason::Interrupt { interrupts, .. } => Some(interrupts),
            _ => None,
        }
    }

    /// Sets the log text that replaces the error, because the error quotes content; unused if content is logged.
    #[cfg(feature = "model")]
    pub(crate) fn logged_as(mut self, text: String) -> Self {
        if let StopReason::Error(failure) = &mut self.0 {
            failure.logged = Some(text);
        }
        self
    }

    /// Returns the log-only error, with its causes.
    pub(crate) fn hidden_causes(&self) -> Option<String> {
        match &self.0 {
            StopReason::Error(failure) => failure.hidden_causes(),
            _ => None,
        }
    }

    /// Returns the causes behind an error with a text for users.
    pub(crate) fn causes(&self) -> Option<String> {
        match &self.0 {
            StopReason::Error(failure) => failure.causes(),
            _ => None,
        }
    }

    /// Creates the stop for a caught panic.
    pub(crate) fn from_panic(panic: Box<dyn Any + Send>) -> Self {
        let failure = StopFailure::from_panic(&*panic);
        discard(panic);
        Self(StopReason::Error(failure))
    }

    /// Creates a stop for a run that was cancelled on purpose: RUN_FINISHED with outcome `cancelled`.
    ///
    /// ```
    /// # use agui_runtime::Stop;
    /// fn go_on(open: bool) -> Result<(), Stop> {
    ///     if open { Ok(()) } else { Err(Stop::cancelled()) }
    /// }
    /// # assert!(go_on(false).is_err());
    /// ```
    pub fn cancelled() -> Self {
        Self(StopReason::Cancelled)
    }

    /// Moves the stop out from a tool's returned value.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::cancelled())
    }
}

/// Values that `?` turns into a [`Stop`]: errors, boxed errors and texts.
///
/// Every type that converts into `Box<dyn Error + Send + Sync>` implements this trait; there is nothing to implement by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot end a run",
    label = "neither an error that is `Send + Sync` nor a text: implement `std::error::Error` for it, or box it as `Box<dyn Error + Send + Sync>`",
    note = "implement `std::error::Error` for it, or write the text that the client gets: `.map_err(|error| Stop::error(\"..\"))?`"
)]
pub trait IntoStop {
    #[doc(hidden)]
    fn into_stop(self) -> Stop;
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> IntoStop for E {
    fn into_stop(self) -> Stop {
        Stop(StopReason::Error(StopFailure::from_error(self.into())))
    }
}

// `Stop` must never implement `Error`: this impl and `From<Stop> for Stop` would overlap.
impl<E: IntoStop> From<E> for Stop {
    fn from(error: E) -> Self {
        error.into_stop()
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            StopReason::Error(failure) => f.write_str(failure.text()),
            StopReason::AwaitFrontend(calls) => write!(f, "waiting for {} frontend tool calls", calls.len()),
            StopReason::Interrupt { interrupts, .. } => {
                write!(f, "interrupted by {} questions", interrupts.len())
            }
            StopReason::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// Drops a foreign value, whose destructor may panic and must not end a run. A value that panics again is leaked.
pub(crate) fn discard<T>(left: T) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(left))) {
        std::mem::forget(panic);
    }
}
