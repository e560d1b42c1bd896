//! The sent copy: the document as the receiver has it.

use super::engine::PatchText;
use super::{State, StateError};
use crate::protocol::{Event, JsonDocument, JsonPatch, StateDeltaEvent, StateSnapshotEvent};

/// The document length below which a delta may be as long as the document, so that small states show their changes.
const SMALL: usize = 512;

/// The document that a receiver has: the copy that changes are compared with.
///
/// [`Run::state`](crate::Run::state) keeps one; use it directly to send state in other ways. A shadow starts with a whole
/// document, and each [`flush`](Self::flush) returns the text that brings the receiver up to date:
///
/// - nothing, when nothing changed;
/// - the operations (RFC 6902) for all changes since the previous flush;
/// - the whole document again, when the operations are longer than half the last one sent (or half the minimal length that
///   a list has grown to since). A document up to 512 bytes gets operations as long as they are no longer than the document.
///
/// An unchanged value costs a comparison and no allocation; a changed value is copied.
///
/// ```
/// use agui_runtime::state::{Shadow, StateChange};
///
/// let mut list = vec!["a first line".to_owned(), "and a second one that is longer".to_owned()];
/// let (mut shadow, snapshot) = Shadow::start(&list)?;
/// assert_eq!(snapshot, r#"["a first line","and a second one that is longer"]"#);
///
/// list.push("c".to_owned());
/// assert_eq!(shadow.flush(&list)?, StateChange::Delta(r#"[{"op":"add","path":"/-","value":"c"}]"#));
/// assert_eq!(shadow.flush(&list)?, StateChange::Nothing);
/// # Ok::<(), agui_runtime::state::StateError>(())
/// ```
#[derive(Debug)]
pub struct Shadow<T> {
    sent: T,
    patch: PatchText,
    /// The length of the last whole document.
    document: usize,
    exact: bool,
    /// True if a delta may be longer than the document.
    deltas: bool,
    /// True if the copy is not valid: a value in it has no JSON form, user code panicked during a flush, or a flushed text never
    /// reached the receiver.
    is_broken: bool,
    /// The number of written deltas; some of them are checked.
    #[cfg(debug_assertions)]
    deltas_written: u32,
}

/// The document length up to which every change is checked.
#[cfg(debug_assertions)]
const CHECKED: usize = 16 << 10;

/// A change as text, from [`Shadow::flush`].
///
/// ```
/// use agui_runtime::state::{Shadow, StateChange};
///
/// let (mut shadow, _snapshot) = Shadow::start(&1)?;
/// let sent = match shadow.flush(&2)? {
///     StateChange::Nothing => None,
///     StateChange::Delta(operations) => Some(("STATE_DELTA", operations)),
///     StateChange::Snapshot(document) => Some(("STATE_SNAPSHOT", document)),
/// };
/// assert_eq!(sent, Some(("STATE_SNAPSHOT", "2")));
/// # Ok::<(), agui_runtime::state::StateError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateChange<'t> {
    /// The receiver is up to date.
    Nothing,
    /// A JSON Patch as text.
    Delta(&'t str),
    /// The whole document as text.
    Snapshot(&'t str),
}

impl<T: State> Shadow<T> {
    /// Starts from a value. The returned text is the whole document; send it first. For an example see [`Shadow`].
    ///
    /// # Errors
    /// [`StateError::Json`] when the value has no JSON form; [`StateError::WrittenOtherwise`].
    pub fn start(now: &T) -> Result<(Self, String), StateError> {
        let mut shadow = Self {
            sent: now.clone(),
            patch: PatchText::default(),
            document: 0,
            exact: T::EXACT,
            deltas: false,
            is_broken: false,
            #[cfg(debug_assertions)]
            deltas_written: 0,
        };
        let text = shadow.whole()?.to_owned();
        Ok((shadow, text))
    }

    /// Writes existing members with `replace` in place of `add`. RFC 6902 (4.1) lets `add` replace, which is shorter and repairs a
    /// receiver that lost the member.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use agui_runtime::state::{Shadow, StateChange};
    ///
    /// let mut amounts: BTreeMap<u32, String> = (0..30).map(|n| (n, format!("{n} g"))).collect();
    /// let (shadow, _snapshot) = Shadow::start(&amounts)?;
    /// let mut shadow = shadow.exact(true);
    ///
    /// amounts.insert(7, "a pinch".to_owned());
    /// assert_eq!(shadow.flush(&amounts)?, StateChange::Delta(r#"[{"op":"replace","path":"/7","value":"a pinch"}]"#));
    /// # Ok::<(), agui_runtime::state::StateError>(())
    /// ```
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Self {
        self.exact = exact || T::EXACT;
        self
    }

    /// Allows operations longer than the document: for receivers that show changes.
    #[must_use]
    pub fn deltas(mut self, deltas: bool) -> Self {
        self.deltas = deltas;
        self
    }

    /// Compares with the document last sent, and counts the difference as sent.
    ///
    /// # Errors
    /// [`StateError::Json`] when a value has no JSON form, and [`StateError::WrittenOtherwise`]; the next flush returns the whole
    /// document.
    ///
    /// ```
    /// use agui_runtime::state::{Shadow, StateChange};
    ///
    /// let mut lines = vec!["stir".to_owned(); 20];
    /// let (mut shadow, _snapshot) = Shadow::start(&lines)?;
    /// assert_eq!(shadow.flush(&lines)?, StateChange::Nothing);
    ///
    /// lines.truncate(1);
    /// let delta = r#"[{"op":"add","path":"","value":["stir"]}]"#; // shorter than nineteen removes
    /// assert_eq!(shadow.flush(&lines)?, StateChange::Delta(delta));
    /// # Ok::<(), agui_runtime::state::StateError>(())
    /// ```
    pub fn flush(&mut self, now: &T) -> Result<StateChange<'_>, StateError> {
        if self.is_broken {
            self.sent.clone_from(now);
            return self.whole().map(StateChange::Snapshot);
        }
        let limit = self.limit(now);
        self.patch.restart(limit, self.exact);
        // Anything that ends the pass early, even a panic in user code, leaves a copy that is ahead of the
        // receiver.
        self.is_broken = true;
        self.patch.bring(&mut self.sent, now);
        if let Some(error) = self.patch.take_error() {
            return Err(error.into());
        }
        if self.patch.is_empty() {
            self.is_broken = false;
            Ok(StateChange::Nothing)
        } else if self.patch.is_complete() && self.patch.length() <= limit {
            #[cfg(debug_assertions)]
            self.check_change()?;
            let text = self.patch.close()?;
            self.is_broken = false;
            Ok(StateChange::Delta(text))
        } else {
            self.whole().map(StateChange::Snapshot)
        }
    }

    /// Returns the whole document as it was last sent.
    ///
    /// # Errors
    /// [`StateError::Json`] when a value has no JSON form.
    pub fn resend(&mut self) -> Result<&str, StateError> {
        self.whole()
    }

    fn whole(&mut self) -> Result<&str, StateError> {
        self.patch.restart_whole();
        self.is_broken = true;
        let text = self.patch.write_whole(&self.sent)?;
        #[cfg(debug_assertions)]
        super::serde_form::check_serde_form(&self.sent, text)?;
        self.is_broken = false;
        self.document = text.len();
        Ok(text)
    }

    /// Checks the document after a change. A change to a long document costs little, but its check costs the document's length, so
    /// only some changes are checked.
    #[cfg(debug_assertions)]
    fn check_change(&mut self) -> Result<(), StateError> {
        self.deltas_written = self.deltas_written.wrapping_add(1);
        if self.document <= CHECKED || self.deltas_written.is_power_of_two() {
            super::serde_form::check_state_form(&self.sent)?;
        }
        Ok(())
    }

    /// Returns a delta's maximum length. A list that has grown since it was last sent whole counts with its minimal length.
    fn limit(&self, now: &T) -> usize {
        if self.deltas {
            return usize::MAX;
        }
        let document = self.document.max(now.floor());
        document.min(SMALL).max(document / 2)
    }
}

impl<T: State> Shadow<T> {
    /// Counts a value as sent that was sent in another way.
    pub(crate) fn count_as_sent(&mut self, now: &T) {
        self.is_broken = true;
        self.sent.clone_from(now);
        self.is_broken = false;
    }

    /// Returns true if the receiver has every sent part of this value.
    pub(crate) fn holds_all_of(&self, now: &T) -> bool {
        self.holds() && self.sent.same(now)
    }
}

impl<T> Shadow<T> {
    /// Returns true if the copy equals the receiver's document.
    pub(crate) fn holds(&self) -> bool {
        !self.is_broken
    }

    /// Records that a change counted as sent was not: the next flush returns the whole document.
    pub(crate) fn lose(&mut self) {
        self.is_broken = true;
    }
}

impl StateChange<'_> {
    /// Returns the change's event, if there is one.
    pub(crate) fn event(self) -> Result<Option<Event>, StateError> {
        Ok(match self {
            Self::Nothing => None,
            Self::Delta(text) => Some(StateDeltaEvent::new(JsonPatch::from_text(text.to_owned())?).into()),
            Self::Snapshot(text) => Some(snapshot(text)?),
        })
    }
}

pub(crate) fn snapshot(text: &str) -> Result<Event, StateError> {
    Ok(StateSnapshotEvent::new(JsonDocument::from_text(text.to_owned())?).into())
}
