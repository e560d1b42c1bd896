//! A collection that remembers what was done to it.

use std::ops::DerefMut;

use super::super::Node;
use super::super::apply::{Edit, Fault, Target};
use super::super::engine::{Patch, Path};
use super::stamp::{Known, Stamp};
use super::transparent::{node_of_inner, transparent};

/// A list or map that remembers which of its elements were touched, so that a flush compares only those: for large
/// collections of which little changes at a time.
///
/// `Tracked<Vec<T>>` and `Tracked<BTreeMap<K, V>>` have the usual methods under their usual names; each is remembered
/// exactly, several in one flush too. Everything else that `Vec` and `BTreeMap` can do works as well and makes the next
/// flush compare the whole collection: tracking may be coarse, but it never misses a change.
///
/// ```
/// use agui_runtime::{Change, Shadow, Tracked};
///
/// let mut list = Tracked::from(vec!["rice".to_owned(), "saffron".to_owned(), "a large onion".to_owned()]);
/// let (mut shadow, _snapshot) = Shadow::start(&list)?;
///
/// list.push("wine".to_owned());
/// list[1].push('!');
/// assert_eq!(
///     shadow.flush(&list)?,
///     Change::Snapshot(r#"["rice","saffron!","a large onion","wine"]"#),
///     "a list as short as this one is sent whole",
/// );
/// # Ok::<(), agui_runtime::StateError>(())
/// ```
#[derive(Clone)]
pub struct Tracked<C: Tracking> {
    pub(super) inner: C,
    pub(super) log: C::Log,
    stamp: Stamp,
}

/// A collection that can be tracked.
#[diagnostic::on_unimplemented(
    message = "`Tracked<{Self}>` cannot be tracked",
    label = "not a list or a map that can be tracked",
    note = "`Tracked` holds a `Vec<T>` or a `BTreeMap<K, V>`; other state is compared, which is never wrong"
)]
pub trait Tracking: Node {
    /// What was done since the last flush.
    #[doc(hidden)]
    type Log: Log;

    /// [`Node::sync`] by the log; `None` where that does not lead from this value to `now`.
    #[doc(hidden)]
    fn replay(&mut self, now: &Self, log: &Self::Log, at: &Path<'_>, out: &mut Patch) -> Option<()>;
}

/// A record of changes.
#[doc(hidden)]
pub trait Log: Clone + Default {
    /// Forgets everything.
    fn clear(&mut self);

    /// Something was done that has no entry.
    fn give_up(&mut self);

    /// Whether everything must be compared.
    fn is_given_up(&self) -> bool;
}

impl<C: Tracking> Tracked<C> {
    /// A collection of which nothing has been sent.
    pub fn new(inner: C) -> Self {
        Self { inner, log: C::Log::default(), stamp: Stamp::new() }
    }

    /// The collection, without its record.
    pub fn into_inner(self) -> C {
        self.inner
    }

    /// The log, before something is written into it.
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

impl<C: Tracking> DerefMut for Tracked<C> {
    fn deref_mut(&mut self) -> &mut C {
        self.coarse()
    }
}

transparent!(Tracked<C: Tracking>, inner);

impl<C: Tracking> Node for Tracked<C> {
    node_of_inner!(C, inner);

    fn sync(&mut self, now: &Self, at: &Path<'_>, out: &mut Patch) {
        match self.stamp.compared(&now.stamp) {
            Known::Same => return,
            Known::Recorded if !now.log.is_given_up() && !at.is_deep() => {
                let mark = out.mark();
                if self.inner.replay(&now.inner, &now.log, at, out).is_none() {
                    self.inner.sync(&now.inner, at, out);
                }
                out.settle(mark, at, &now.inner);
            }
            Known::Recorded | Known::Nothing => self.inner.sync(&now.inner, at, out),
        }
        self.stamp.agree(&now.stamp);
    }

    fn child(&mut self, segment: &str) -> Option<&mut dyn Target> {
        self.coarse().child(segment)
    }

    fn edit(&mut self, edit: Edit<'_>) -> Option<Result<(), Fault>> {
        Node::edit(self.coarse(), edit)
    }
}
