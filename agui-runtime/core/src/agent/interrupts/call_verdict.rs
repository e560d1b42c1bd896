//! An earlier run's call that a resume entry, or the run's restart, continues.

use serde_json::Value;

use super::approval::Approval;
#[cfg(feature = "model")]
use super::tool_interrupt::{CallTexts, ResumedToolInput, ToolResume};
use crate::agent::tool::{ExecutionSide, SettlingCall, ToolOf, read_arguments};
use crate::agent::{Agent, ResumeCallError, Run};
#[cfg(feature = "model")]
use crate::emit::SpanGuard;
#[cfg(feature = "model")]
use crate::protocol::ToolCallId;
use crate::protocol::{ResumeEntry, ResumeStatus, ToolCall as CallInHistory, ToolSide};
use crate::quoted::quoted;

/// An untyped call with the user's decision.
#[cfg(feature = "model")]
pub(crate) struct DecidedCall<'w, T> {
    pub(crate) span: SpanGuard<'w>,
    pub(crate) id: ToolCallId,
    pub(crate) arguments: T,
    /// The reason why the call does not run.
    pub(crate) refusal: Option<String>,
    /// The arguments' JSON text.
    pub(crate) texts: CallTexts,
    /// True if the call was never sent for approval.
    pub(crate) is_lost: bool,
    /// The resume entry for the interrupt that the tool raised.
    pub(crate) resume: Option<ToolResume>,
}

/// A call before it gets its tool's type. Code that `#[agent]` generates converts the call.
#[doc(hidden)]
#[derive(Debug)]
pub struct ResumingCall<'w, A: Agent> {
    pub(super) run: &'w Run<A>,
    pub(in crate::agent) call: &'w CallInHistory,
    pub(super) verdict: CallVerdict,
}

/// The decision about a call.
#[derive(Debug)]
pub(super) enum CallVerdict {
    Approved,
    /// Approved with other arguments, as JSON text.
    Edited(String),
    Refused(Option<String>),
    /// The call's agent interrupted, and reads the resume entry.
    ToSubagent,
    /// A lost server made the call, without an approval.
    Lost,
    /// The tool raised an interrupt, and reads the resume entry.
    #[cfg(feature = "model")]
    Input(Box<ResumedToolInput>),
}

impl CallVerdict {
    /// Everything but a well-formed approval is a refusal.
    pub(super) fn from_entry(entry: &ResumeEntry) -> Self {
        let payload = entry.payload.as_ref().filter(|_| entry.status == ResumeStatus::Resolved);
        let Some(Ok(approval)) = payload.map(|payload| payload.lazy().read::<Approval<Value>>()) else {
            return Self::Refused(None);
        };
        match approval {
            Approval { approved: false, reason, .. } => Self::Refused(reason),
            Approval { edited_args: Some(edited), .. } => Self::Edited(edited.to_string()),
            Approval { .. } => Self::Approved,
        }
    }

    /// Returns the arguments that the user approved instead of the call's own.
    fn edited(&self) -> Option<&str> {
        match self {
            Self::Edited(edited) => Some(edited),
            #[cfg(feature = "model")]
            Self::Input(input) => input.edited.as_deref(),
            Self::Approved | Self::Refused(_) | Self::ToSubagent | Self::Lost => None,
        }
    }

    /// True if the verdict is about an interrupt that the call's tool raised.
    fn is_input(&self) -> bool {
        #[cfg(feature = "model")]
        return matches!(self, Self::Input(_));
        #[cfg(not(feature = "model"))]
        false
    }

    /// Returns a call's arguments, and the reason why the call does not run; `None` if the call's own arguments cannot be parsed.
    fn decide<T>(
        &self,
        arguments: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<(T, Option<String>)> {
        let edited = self.edited().unwrap_or(arguments);
        Some(match (self, read(edited)) {
            (Self::Refused(Some(why)), Ok(arguments)) => {
                (arguments, Some(format!("the user refused: {why}")))
            }
            (Self::Refused(None), Ok(arguments)) => (arguments, Some("the user refused".to_owned())),
            (_, Ok(arguments)) => (arguments, None),
            (_, Err(error)) => {
                (read(arguments).ok()?, Some(format!("the user approved other arguments: {error}")))
            }
        })
    }
}

/// Resumes a tool's call; `None` if the call cannot be resumed.
#[doc(hidden)]
pub type ResumeFn<A> = for<'w> fn(ResumingCall<'w, A>) -> Option<SettlingCall<'w>>;

/// Returns the function that resumes a tool's calls; `None` for a tool whose calls are never resumed, for which nothing is
/// compiled.
pub(in crate::agent) const fn resume_of<A: Agent, T: ToolOf<A>>() -> Option<ResumeFn<A>> {
    let may_be_lost = A::RESTARTS && matches!(T::Side::SIDE, ToolSide::Backend);
    // The conversation of a client has no private call, so one that it brings was invented.
    let may_resume = !T::Side::PRIVATE && (T::Side::APPROVAL || T::AGENT.is_some() || may_be_lost);
    if may_resume { Some(resume::<A, T>) } else { None }
}

fn resume<'w, A: Agent, T: ToolOf<A>>(resuming: ResumingCall<'w, A>) -> Option<SettlingCall<'w>> {
    resuming.settle::<T>()
}

impl<'w, A: Agent> ResumingCall<'w, A> {
    pub(crate) fn tool(&self) -> &'w str {
        &self.call.function.name
    }

    /// Continues the call as an untyped tool's call.
    #[cfg(feature = "model")]
    pub(crate) fn take_up<T>(self, read: impl Fn(&str) -> Result<T, String>) -> Option<DecidedCall<'w, T>> {
        let Self { run, call, verdict } = self;
        if matches!(verdict, CallVerdict::ToSubagent) {
            return None;
        }
        let is_lost = matches!(verdict, CallVerdict::Lost);
        let (arguments, refusal) = verdict.decide(&call.function.arguments, read)?;
        let texts =
            CallTexts { sent: call.function.arguments.clone(), edited: verdict.edited().map(str::to_owned) };
        let resume = if let CallVerdict::Input(input) = verdict { Some(input.resume) } else { None };
        let span = logged(run.take_up_span(&call.id))?;
        Some(DecidedCall { span, id: call.id.clone(), arguments, refusal, texts, is_lost, resume })
    }

    fn settle<T: ToolOf<A>>(self) -> Option<SettlingCall<'w>> {
        let Self { run, call, verdict } = self;
        let is_lost = matches!(verdict, CallVerdict::Lost);
        // An answer to one kind of question never lets a tool of the other kind run.
        if verdict.is_input() || !is_lost && matches!(verdict, CallVerdict::ToSubagent) != T::AGENT.is_some()
        {
            return None;
        }
        let read = |text: &str| read_arguments::<T>(text).map_err(|error| error.to_string());
        let (arguments, why) = verdict.decide(&call.function.arguments, read)?;
        let edited = if let CallVerdict::Edited(text) = verdict { Some(text) } else { None };
        let resumed = logged(run.take_up::<T>(call, arguments, edited))?;
        Some(match why {
            Some(why) => resumed.refuse(&why),
            None if is_lost && T::Side::APPROVAL => resumed.settle_unasked(),
            None => resumed.settle(),
        })
    }
}

fn logged<T>(taken: Result<T, ResumeCallError>) -> Option<T> {
    taken.inspect_err(|error| tracing::warn!(error = %quoted(error), "a call is not resumed")).ok()
}
