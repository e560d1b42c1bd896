//! Resume entries for interrupts (AG-UI 1.0, sections "Interrupt and `ResumeEntry`" and "Interrupt utilities").

use std::time::SystemTime;

use serde::Serialize;

use crate::date;
use crate::protocol::{Interrupt, InterruptId, Metadata, NonNull, ResumeEntry, ResumeStatus};

/// A user's response to one interrupt: resolved with a payload, or cancelled.
///
/// ```
/// use agui_runtime::client::Answer;
/// use agui_runtime::protocol::NonNull;
/// use serde_json::json;
///
/// // A refusal is an answer too; giving up is not.
/// let no = Answer::resolved(NonNull::new(json!({ "approved": false })));
/// assert_ne!(no, Answer::cancelled());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    status: ResumeStatus,
    payload: Option<NonNull>,
    metadata: Option<Metadata>,
}

impl Answer {
    /// Resolves the interrupt; by convention the payload follows the interrupt's `responseSchema`.
    ///
    /// ```
    /// use agui_runtime::client::Answer;
    /// use agui_runtime::protocol::NonNull;
    ///
    /// let (yes, seen) = (Answer::resolved(NonNull::from(true)), Answer::resolved(None));
    /// assert_ne!(yes, seen);
    /// ```
    #[must_use]
    pub fn resolved(payload: impl Into<Option<NonNull>>) -> Self {
        Self { status: ResumeStatus::Resolved, payload: payload.into(), metadata: None }
    }

    /// Resolves the interrupt with a serializable value. A value that serializes to `null` becomes no payload.
    ///
    /// # Errors
    /// The serde_json error if the value has no JSON form.
    ///
    /// ```
    /// use agui_runtime::client::Answer;
    /// use serde_json::json;
    ///
    /// #[derive(serde::Serialize)]
    /// struct Approval {
    ///     approved: bool,
    /// }
    ///
    /// let answer = Answer::of(&Approval { approved: true })?;
    /// assert_eq!(answer, Answer::resolved(agui_runtime::protocol::NonNull::new(json!({ "approved": true }))));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn of<T: Serialize + ?Sized>(payload: &T) -> Result<Self, serde_json::Error> {
        Ok(Self::resolved(NonNull::new(crate::json::to_value(payload)?)))
    }

    /// Cancels the interrupt.
    ///
    /// ```
    /// use agui_runtime::client::Answer;
    ///
    /// assert_ne!(Answer::cancelled(), Answer::resolved(None));
    /// ```
    #[must_use]
    pub fn cancelled() -> Self {
        Self { status: ResumeStatus::Cancelled, payload: None, metadata: None }
    }

    /// Adds metadata to the resume entry, beside the payload.
    #[must_use]
    pub fn with_metadata(mut self, metadata: Metadata) -> Self {
        self.metadata = Some(metadata);
        self
    }

    fn to(self, question: &InterruptId) -> ResumeEntry {
        let mut entry = ResumeEntry::new(question, self.status);
        entry.payload = self.payload;
        entry.metadata = self.metadata;
        entry
    }
}

/// Why resume entries do not fit the open interrupts. Nothing was sent.
///
/// ```
/// use agui_runtime::client::{Answer, ResumeError, build_resume};
///
/// let error = build_resume(&[], [("gone", Answer::cancelled())]).unwrap_err();
/// assert_eq!(error, ResumeError::Unknown(vec!["gone".into()]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// An open interrupt has no resume entry. All open interrupts are resumed together; an omitted one is not cancelled.
    #[error("the run was interrupted and has interrupts without an answer: {}", list(.0))]
    Unanswered(Vec<InterruptId>),
    /// A resume entry names an interrupt that is not open.
    #[error("there are answers to interrupts that are not open: {}", list(.0))]
    Unknown(Vec<InterruptId>),
    /// An interrupt has expired; only cancelling is still possible.
    #[error("the interrupt {id} expired at {expired_at} and can only be cancelled")]
    Expired {
        /// The interrupt's id.
        id: InterruptId,
        /// The interrupt's `expiresAt`.
        expired_at: String,
    },
}

fn list(ids: &[InterruptId]) -> String {
    ids.iter().map(InterruptId::as_str).collect::<Vec<_>>().join(", ")
}

/// True if the interrupt has expired at `now`. An interrupt without a date, or with a malformed date, never expires.
///
/// ```
/// use std::time::SystemTime;
///
/// use agui_runtime::client::is_expired;
/// use agui_runtime::protocol::Interrupt;
///
/// let question = Interrupt::new("q", "confirmation").with_expires_at("2026-01-01T00:00:00Z");
/// assert!(!is_expired(&question, SystemTime::UNIX_EPOCH));
/// assert!(is_expired(&question, SystemTime::now()));
/// ```
#[must_use]
pub fn is_expired(interrupt: &Interrupt, now: SystemTime) -> bool {
    interrupt.expires_at.as_deref().and_then(date::read).is_some_and(|at| at <= now)
}

/// Builds the resume list for the next input: one entry for each open interrupt, in order.
///
/// # Errors
/// [`ResumeError::Unanswered`] and [`ResumeError::Unknown`].
///
/// ```
/// use agui_runtime::client::{Answer, build_resume};
/// use agui_runtime::protocol::{Interrupt, NonNull};
///
/// let open = [Interrupt::new("a", "confirmation"), Interrupt::new("b", "confirmation")];
/// let entries = build_resume(&open, [("b", Answer::cancelled()), ("a", Answer::resolved(NonNull::from(true)))])?;
/// assert_eq!(entries[0].interrupt_id, "a");
/// assert!(build_resume(&open, [("a", Answer::cancelled())]).is_err());
/// # Ok::<(), agui_runtime::client::ResumeError>(())
/// ```
pub fn build_resume<I: Into<InterruptId>>(
    open: &[Interrupt],
    answers: impl IntoIterator<Item = (I, Answer)>,
) -> Result<Vec<ResumeEntry>, ResumeError> {
    let mut answers: indexmap::IndexMap<InterruptId, Answer> =
        answers.into_iter().map(|(id, answer)| (id.into(), answer)).collect();
    let missing: Vec<_> =
        open.iter().map(|question| &question.id).filter(|id| !answers.contains_key(*id)).cloned().collect();
    if !missing.is_empty() {
        return Err(ResumeError::Unanswered(missing));
    }
    let entries = open
        .iter()
        .filter_map(|question| answers.shift_remove(&question.id).map(|answer| answer.to(&question.id)));
    let entries: Vec<_> = entries.collect();
    if answers.is_empty() { Ok(entries) } else { Err(ResumeError::Unknown(answers.into_keys().collect())) }
}

/// Checks that an input with this resume list may be sent while `open` interrupts wait. Entries for other interrupts are left to
/// the producer.
///
/// # Errors
/// [`ResumeError::Unanswered`], then [`ResumeError::Expired`].
///
/// ```
/// use std::time::SystemTime;
///
/// use agui_runtime::client::check_resume;
/// use agui_runtime::protocol::{Interrupt, ResumeEntry, ResumeStatus};
///
/// let open = [Interrupt::new("a", "confirmation").with_expires_at("2026-01-01")];
/// let entry = |status| [ResumeEntry::new("a", status)];
/// assert!(check_resume(&open, &entry(ResumeStatus::Resolved), SystemTime::now()).is_err());
/// assert!(check_resume(&open, &entry(ResumeStatus::Cancelled), SystemTime::now()).is_ok());
/// ```
pub fn check_resume(open: &[Interrupt], resume: &[ResumeEntry], now: SystemTime) -> Result<(), ResumeError> {
    let entry = |id: &InterruptId| resume.iter().find(|entry| entry.interrupt_id == *id);
    let missing: Vec<_> =
        open.iter().map(|question| &question.id).filter(|id| entry(id).is_none()).cloned().collect();
    if !missing.is_empty() {
        return Err(ResumeError::Unanswered(missing));
    }
    let answered_too_late = open.iter().find(|question| {
        let given_up = entry(&question.id).is_some_and(|entry| entry.status == ResumeStatus::Cancelled);
        !given_up && is_expired(question, now)
    });
    match answered_too_late {
        None => Ok(()),
        Some(question) => Err(ResumeError::Expired {
            id: question.id.clone(),
            expired_at: question.expires_at.clone().unwrap_or_default(),
        }),
    }
}
