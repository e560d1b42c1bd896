//! A collection that records its changes.

use std::ops::DerefMut;

use super::super::StateNode;
use super::super::engine::{PatchText, StatePath};
use super::stamp::{FlushStamp, RecordCoverage};
use super::transparent::{node_of_inner, transparent};

/// A list or map that records which elements were touched, so that a flush compares only those: for large collections that change
/// a little at a time.
///
/// `Tracked<Vec<T>>` and `Tracked<BTreeMap<K, V>>` have the usual methods under their usual names; each is recorded exactly, also
/// several in one flush. All other `Vec` and `BTreeMap` methods work as well and make the next flush compare the whole collection:
/// tracking may be coarse, but it never misses a change.
///
/// ```
/// use agui_runtime::state::{Shadow, StateChange, Tracked};
///
/// let mut list: Tracked<Vec<String>> = (0..1000).map(|n| format!("ingredient {n}")).collect();
/// let (mut shadow, _snapshot) = Shadow::start(&list)?;
///
/// list.push("wine".to_owned());
/// list[1].push('!');
/// list.remove(500);
/// // Three of a thousand elements are looked at.
/// assert_eq!(
///     shadow.flush(&list)?,
///     StateChange::Delta(concat!(
///         r#"[{"op":"add","path":"/-","value":"wine"},{"op":"remove","path":"/500"},"#,
///         r#"{"op":"replace","path":"/1","value":"ingredient 1!"}]"#,
///     )),
/// );
/// # Ok::<(), agui_runtime::state::StateError>(())
/// ```
#[derive(Clone)]
pub struct Tracked<C: TrackedCollection> {
    pub(super) inner: C,
    pub(super) log: C::Log,
    stamp: FlushStamp,
}

/// A collection that can be [`Tracked`]: a `Vec` or a `BTreeMap`.
#[diagnostic::on_unimplemented(
    message = "`Tracked<{Self}>` cannot be tracked",
    label = "not a list or a map that can be tracked",
    note = "`Tracked` holds a `Vec<T>` or a `BTreeMap<K, V>`; other state is compared, which is never wrong"
)]
pub trait TrackedCollection: StateNode {
    /// The changes since the last flush.
    #[doc(hidden)]
    type Log: Log;

    /// Works like [`StateNode::sync`] by the log; returns `None` if the log does not lead from this value to `now`.
    #[doc(hidden)]
    fn replay(&mut self, now: &Self, log: &Self::Log, at: &StatePath<'_>, out: &mut PatchText) -> Option<()>;
}

/// A change log.
#[doc(hidden)]
pub trait Log: Clone + Default {
    /// Empties the log.
    fn clear(&mut self);

    /// Records a change for which there is no entry.
    fn give_up(&mut self);

    /// Returns true if everything must be compared.
    fn is_given_up(&self) -> bool;
}

impl<C: TrackedCollection> Tracked<C> {
    /// Wraps a collection as [`Tracked`]; nothing counts as sent.
    pub fn new(inner: C) -> Self {
        Self { inner, log: C::Log::default(), stamp: FlushStamp::new() }
    }

    /// Returns the collection without its record.
    pub fn into_inner(self) -> C {
        self.inner
    }

    /// Returns the log for a new entry.
    #[inline]
    pub(super) fn record(&mut self) -> &mut C::Log {
        if self.stamp.begin() {
            self.log.clear();
        }
        &mut self.log
    }

    fn coarse(&mut self) -> &mut C {
        self.record().give_up();
        &mut self.inner
    }
}

impl<C: TrackedCollection> DerefMut for Tracked<C> {
    fn deref_mut(&mut self) -> &mut C {
        self.coarse()
    }
}

transparent!(Tracked<C: TrackedCollection>, inner);

#[diagnostic::do_not_recommend]
impl<C: TrackedCollection> StateNode for Tracked<C> {
    node_of_inner!(C, inner);

    fn sync(&mut self, now: &Self, at: &StatePath<'_>, out: &mut PatchText) {
        match self.stamp.compared(&now.stamp) {
            RecordCoverage::Same => return,
            RecordCoverage::Recorded if !now.log.is_given_up() && !at.is_deep() => {
                let mark = out.mark();
                if self.inner.replay(&now.inner, &now.log, at, out).is_none() {
                    self.inner.sync(&now.inner, at, out);
                }
                out.settle(mark, at, &now.inner);
            }
            RecordCoverage::Recorded | RecordCoverage::Nothing => self.inner.sync(&now.inner, at, out),
        }
        self.stamp.agree(&now.stamp);
    }
}
