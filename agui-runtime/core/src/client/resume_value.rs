//! Resume entries for interrupts (AG-UI 1.0, sections "Interrupt and `ResumeEntry`" and "Interrupt utilities").

use std::time::SystemTime;

use serde::Serialize;

use crate::date;
use crate::protocol::{Interrupt, InterruptId, Metadata, NonNull, ResumeEntry, ResumeStatus};

/// A user's response to one interrupt: resolved with a payload, or cancelled.
///
/// ```
/// use agui_runtime::client::ResumeValue;
/// use agui_runtime::protocol::NonNull;
/// use serde_json::json;
///
/// // A refusal resolves the interrupt; giving up cancels it.
/// let no = ResumeValue::resolved(NonNull::new(json!({ "approved": false })));
/// assert_ne!(no, ResumeValue::cancelled());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ResumeValue {
    status: ResumeStatus,
    payload: Option<NonNull>,
    metadata: Option<Metadata>,
}

impl ResumeValue {
    /// Resolves the interrupt; by convention the payload follows the interrupt's `responseSchema`.
    ///
    /// ```
    /// use agui_runtime::client::ResumeValue;
    /// use agui_runtime::protocol::NonNull;
    ///
    /// let (yes, seen) = (ResumeValue::resolved(NonNull::from(true)), ResumeValue::resolved(None));
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
    /// use agui_runtime::client::ResumeValue;
    /// use serde_json::json;
    ///
    /// #[derive(serde::Serialize)]
    /// struct Approval {
    ///     approved: bool,
    /// }
    ///
    /// let value = ResumeValue::from_payload(&Approval { approved: true })?;
    /// assert_eq!(value, ResumeValue::resolved(agui_runtime::protocol::NonNull::new(json!({ "approved": true }))));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn from_payload<T: Serialize + ?Sized>(payload: &T) -> Result<Self, serde_json::Error> {
        Ok(Self::resolved(NonNull::new(crate::json::to_value(payload)?)))
    }

    /// Cancels the interrupt.
    ///
    /// ```
    /// use agui_runtime::client::ResumeValue;
    ///
    /// assert_ne!(ResumeValue::cancelled(), ResumeValue::resolved(None));
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

    fn into_entry(self, id: &InterruptId) -> ResumeEntry {
        let mut entry = ResumeEntry::new(id, self.status);
        entry.payload = self.payload;
        entry.metadata = self.metadata;
        entry
    }
}

/// Why resume entries do not fit the open interrupts. Nothing was sent.
///
/// ```
/// use agui_runtime::client::{ResumeValue, ResumeError, build_resume};
///
/// let error = build_resume(&[], [("gone", ResumeValue::cancelled())]).unwrap_err();
/// assert_eq!(error, ResumeError::Unknown(vec!["gone".into()]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// An open interrupt has no resume entry. All open interrupts are resumed together; an omitted one is not cancelled.
    #[error("the run was interrupted and has interrupts without a resume entry: {}", list(.0))]
    Missing(Vec<InterruptId>),
    /// A resume entry names an interrupt that is not open.
    #[error("there are resume entries for interrupts that are not open: {}", list(.0))]
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
/// let interrupt = Interrupt::new("q", "confirmation").with_expires_at("2026-01-01T00:00:00Z");
/// assert!(!is_expired(&interrupt, SystemTime::UNIX_EPOCH));
/// assert!(is_expired(&interrupt, SystemTime::now()));
/// ```
#[must_use]
pub fn is_expired(interrupt: &Interrupt, now: SystemTime) -> bool {
    interrupt.expires_at.as_deref().and_then(date::read).is_some_and(|at| at <= now)
}

/// Builds the resume list for the next input: one entry for each open interrupt, in order.
///
/// # Errors
/// [`ResumeError::Missing`] and [`ResumeError::Unknown`].
///
/// ```
/// use agui_runtime::client::{ResumeValue, build_resume};
/// use agui_runtime::protocol::{Interrupt, NonNull};
///
/// let open = [Interrupt::new("a", "confirmation"), Interrupt::new("b", "confirmation")];
/// let entries = build_resume(&open, [("b", ResumeValue::cancelled()), ("a", ResumeValue::resolved(NonNull::from(true)))])?;
/// assert_eq!(entries[0].interrupt_id, "a");
/// assert!(build_resume(&open, [("a", ResumeValue::cancelled())]).is_err());
/// # Ok::<(), agui_runtime::client::ResumeError>(())
/// ```
pub fn build_resume<I: Into<InterruptId>>(
    open: &[Interrupt],
    values: impl IntoIterator<Item = (I, ResumeValue)>,
) -> Result<Vec<ResumeEntry>, ResumeError> {
    let mut values: indexmap::IndexMap<InterruptId, ResumeValue> =
        values.into_iter().map(|(id, value)| (id.into(), value)).collect();
    let missing: Vec<_> =
        open.iter().map(|interrupt| &interrupt.id).filter(|id| !values.contains_key(*id)).cloned().collect();
    if !missing.is_empty() {
        return Err(ResumeError::Missing(missing));
    }
    let entries = open.iter().filter_map(|interrupt| {
        values.shift_remove(&interrupt.id).map(|value| value.into_entry(&interrupt.id))
    });
    let entries: Vec<_> = entries.collect();
    if values.is_empty() { Ok(entries) } else { Err(ResumeError::Unknown(values.into_keys().collect())) }
}

/// Checks that an input with this resume list may be sent while `open` interrupts wait. Entries for other interrupts are left to
/// the producer.
///
/// # Errors
/// [`ResumeError::Missing`], then [`ResumeError::Expired`].
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
        open.iter().map(|interrupt| &interrupt.id).filter(|id| entry(id).is_none()).cloned().collect();
    if !missing.is_empty() {
        return Err(ResumeError::Missing(missing));
    }
    let resumed_too_late = open.iter().find(|interrupt| {
        let given_up = entry(&interrupt.id).is_some_and(|entry| entry.status == ResumeStatus::Cancelled);
        !given_up && is_expired(interrupt, now)
    });
    match resumed_too_late {
        None => Ok(()),
        Some(interrupt) => Err(ResumeError::Expired {
            id: interrupt.id.clone(),
            expired_at: interrupt.expires_at.clone().unwrap_or_default(),
        }),
    }
}
