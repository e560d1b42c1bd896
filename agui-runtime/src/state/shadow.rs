//! The copy of what was last sent.

use serde_json::Value;

use super::engine::{Patch, Path};
use super::{State, StateError};
use crate::protocol::{Event, JsonDocument, JsonPatch, StateDeltaEvent, StateSnapshotEvent};

/// Below this length of the document a delta may be as long as it, so that small states show their changes.
const SMALL: usize = 512;

/// What a receiver holds, as far as it was told: the copy that changes are compared with.
///
/// [`Run::state`](crate::Run::state) keeps one; use it by itself to send state by other ways. It starts with a whole
/// document, and each [`flush`](Self::flush) gives the text that brings the receiver up to date:
///
/// - nothing, when nothing changed;
/// - the operations (RFC 6902) of everything that changed since the flush before;
/// - the whole document again, when the operations pass half of the last one sent (or of what a list that has grown since
///   then is at least). A document of up to 512 bytes gets operations as long as they are no longer than itself.
///
/// What did not change costs a comparison, nothing is allocated for it, and what changed is copied.
///
/// ```
/// use agui_runtime::{Change, Shadow};
///
/// let mut list = vec!["a first line".to_owned(), "and a second one that is longer".to_owned()];
/// let (mut shadow, snapshot) = Shadow::start(&list)?;
/// assert_eq!(snapshot, r#"["a first line","and a second one that is longer"]"#);
///
/// list.push("c".to_owned());
/// assert_eq!(shadow.flush(&list)?, Change::Delta(r#"[{"op":"add","path":"/-","value":"c"}]"#));
/// assert_eq!(shadow.flush(&list)?, Change::Nothing);
/// # Ok::<(), agui_runtime::StateError>(())
/// ```
#[derive(Debug)]
pub struct Shadow<T> {
    sent: T,
    patch: Patch,
    /// How long the last whole document was.
    document: usize,
    exact: bool,
    /// Whether a delta may be longer than the document.
    deltas: bool,
    /// Whether the copy cannot be trusted: a value in it has no JSON form, user code panicked halfway, or what was found
    /// never reached the receiver.
    is_broken: bool,
}

/// What [`Shadow::flush`] found.
///
/// ```
/// use agui_runtime::{Change, Shadow};
///
/// let (mut shadow, _snapshot) = Shadow::start(&1)?;
/// let sent = match shadow.flush(&2)? {
///     Change::Nothing => None,
///     Change::Delta(operations) => Some(("STATE_DELTA", operations)),
///     Change::Snapshot(document) => Some(("STATE_SNAPSHOT", document)),
/// };
/// assert_eq!(sent, Some(("STATE_SNAPSHOT", "2")));
/// # Ok::<(), agui_runtime::StateError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<'t> {
    /// The receiver is up to date.
    Nothing,
    /// The text of a JSON Patch.
    Delta(&'t str),
    /// The text of the whole document.
    Snapshot(&'t str),
}

impl<T: State> Shadow<T> {
    /// Starts from a value, which is to be sent whole: the text beside the shadow.
    ///
    /// # Errors
    /// [`StateError::Json`] when the value has no JSON form.
    ///
    /// ```
    /// let (_shadow, snapshot) = agui_runtime::Shadow::start(&vec![1, 2])?;
    /// assert_eq!(snapshot, "[1,2]");
    /// # Ok::<(), agui_runtime::StateError>(())
    /// ```
    pub fn start(now: &T) -> Result<(Self, String), StateError> {
        let mut shadow = Self {
            sent: now.clone(),
            patch: Patch::default(),
            document: 0,
            exact: T::EXACT,
            deltas: false,
            is_broken: false,
        };
        let text = shadow.whole()?.to_owned();
        Ok((shadow, text))
    }

    /// Writes members that exist already with `replace` instead of `add`. RFC 6902 (4.1) lets `add` replace, which is
    /// shorter and heals a receiver that lost the member.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use agui_runtime::{Change, Shadow};
    ///
    /// let mut amounts: BTreeMap<u32, String> = (0..30).map(|n| (n, format!("{n} g"))).collect();
    /// let (shadow, _snapshot) = Shadow::start(&amounts)?;
    /// let mut shadow = shadow.exact(true);
    ///
    /// amounts.insert(7, "a pinch".to_owned());
    /// assert_eq!(shadow.flush(&amounts)?, Change::Delta(r#"[{"op":"replace","path":"/7","value":"a pinch"}]"#));
    /// # Ok::<(), agui_runtime::StateError>(())
    /// ```
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Self {
        self.exact = exact || T::EXACT;
        self
    }

    /// Gives operations however long they are: for receivers that show what changes.
    ///
    /// ```
    /// use agui_runtime::{Change, Shadow};
    ///
    /// let (shadow, _snapshot) = Shadow::start(&vec![1])?;
    /// let mut shadow = shadow.deltas(true);
    /// assert_eq!(shadow.flush(&vec![1, 2])?, Change::Delta(r#"[{"op":"add","path":"/-","value":2}]"#));
    /// # Ok::<(), agui_runtime::StateError>(())
    /// ```
    #[must_use]
    pub fn deltas(mut self, deltas: bool) -> Self {
        self.deltas = deltas;
        self
    }

    /// Compares with what was sent, and counts the difference as sent.
    ///
    /// # Errors
    /// [`StateError::Json`] when something has no JSON form; the flush after it gives the whole document.
    ///
    /// ```
    /// use agui_runtime::{Change, Shadow};
    ///
    /// let mut lines = vec!["stir".to_owned(); 20];
    /// let (mut shadow, _snapshot) = Shadow::start(&lines)?;
    /// assert_eq!(shadow.flush(&lines)?, Change::Nothing);
    ///
    /// lines.truncate(1);
    /// let delta = r#"[{"op":"add","path":"","value":["stir"]}]"#; // shorter than nineteen removes
    /// assert_eq!(shadow.flush(&lines)?, Change::Delta(delta));
    /// # Ok::<(), agui_runtime::StateError>(())
    /// ```
    pub fn flush(&mut self, now: &T) -> Result<Change<'_>, StateError> {
        if self.is_broken {
            self.sent.clone_from(now);
            return self.whole().map(Change::Snapshot);
        }
        let limit = self.limit(now);
        self.patch.restart(limit, self.exact);
        // Whatever ends the pass early, a panic in user code too, leaves a copy that is ahead of the receiver.
        self.is_broken = true;
        self.sent.sync(now, &Path::root(), &mut self.patch);
        if let Some(error) = self.patch.take_error() {
            return Err(error.into());
        }
        if self.patch.is_empty() {
            self.is_broken = false;
            Ok(Change::Nothing)
        } else if self.patch.is_complete() && self.patch.length() <= limit {
            let text = self.patch.close()?;
            self.is_broken = false;
            Ok(Change::Delta(text))
        } else {
            self.whole().map(Change::Snapshot)
        }
    }

    /// The whole document as it was last sent.
    ///
    /// # Errors
    /// [`StateError::Json`] when something has no JSON form.
    ///
    /// ```
    /// let (mut shadow, snapshot) = agui_runtime::Shadow::start(&vec![1, 2])?;
    /// assert_eq!(shadow.resend()?, snapshot);
    /// # Ok::<(), agui_runtime::StateError>(())
    /// ```
    pub fn resend(&mut self) -> Result<&str, StateError> {
        self.whole()
    }

    fn whole(&mut self) -> Result<&str, StateError> {
        self.patch.restart_whole();
        self.is_broken = true;
        let text = self.patch.write_whole(&self.sent)?;
        self.is_broken = false;
        self.document = text.len();
        Ok(text)
    }

    /// How long a delta may be. A list that has grown since it was last sent whole counts by what it is at least.
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
    pub(super) fn count_as_sent(&mut self, now: &T) {
        self.is_broken = true;
        self.sent.clone_from(now);
        self.is_broken = false;
    }

    /// The receiver's document.
    pub(super) fn document(&self) -> Result<Value, StateError> {
        super::text_value(&self.sent)
    }
}

impl<T> Shadow<T> {
    /// Whether the copy is what the receiver holds.
    pub(super) fn holds(&self) -> bool {
        !self.is_broken
    }

    /// What was counted as sent was not: the next flush gives the whole document.
    pub(crate) fn lose(&mut self) {
        self.is_broken = true;
    }
}

impl Change<'_> {
    /// The event of a change, if there is one.
    pub(super) fn event(self) -> Result<Option<Event>, StateError> {
        Ok(match self {
            Self::Nothing => None,
            Self::Delta(text) => Some(StateDeltaEvent::new(JsonPatch::from_text(text.to_owned())?).into()),
            Self::Snapshot(text) => Some(snapshot(text)?),
        })
    }
}

pub(super) fn snapshot(text: &str) -> Result<Event, StateError> {
    Ok(StateSnapshotEvent::new(JsonDocument::from_text(text.to_owned())?).into())
}
