//! The activity guard: a snapshot when the activity opens, deltas when it changes.

use std::fmt;

use super::content::{ActivityChange, ActivityContent, TrackContentFn};
use super::{Activity, ActivityError};
use crate::emit::emitter::SpanGuard;
use crate::emit::{Emit, PlainEdit, RunWrite, WriteFuture};
use crate::kernel::{SpanSlot, WriteFields};
use crate::protocol::MessageId;

/// An activity about to be shown; awaiting it sends ACTIVITY_SNAPSHOT. Returned by [`Run::activity`](crate::Run::activity).
pub type OpenActivity<'w, T> = WriteFuture<'w, StartActivity<T>>;

/// The write behind [`Run::activity`](crate::Run::activity) and [`TypedEmit::activity`](crate::TypedEmit::activity).
pub struct StartActivity<T> {
    /// An error if the content is refused before anything is sent.
    value: Result<T, ActivityError>,
    follow: TrackContentFn<T>,
}

impl<T: Activity> StartActivity<T> {
    pub(crate) fn new(value: T) -> Self {
        Self::attempt(Ok(value))
    }

    pub(crate) fn attempt(value: Result<T, ActivityError>) -> Self {
        Self { value, follow: ActivityContent::new }
    }
}

impl<T: Activity> WriteFuture<'_, StartActivity<T>> {
    /// Sends every change as ACTIVITY_DELTA, however small the activity: for user interfaces that animate changes and would
    /// restart at another ACTIVITY_SNAPSHOT.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
    /// struct Progress {
    ///     percent: u32,
    /// }
    ///
    /// # async fn example<A: Agent>(run: &Run<A>) -> Result<(), agui_runtime::events::ActivityError> where Progress: agui_runtime::events::ActivityOf<A> {
    /// let mut progress = run.activity(Progress { percent: 0 }).deltas().await?;
    /// progress.update(|progress| progress.percent = 50).await?; // [{"op":"add","path":"/percent","value":50}]
    /// # Ok(())
    /// # }
    /// ```
    pub fn deltas(self) -> Self {
        self.with(|start| start.follow = ActivityContent::in_deltas)
    }
}

impl<'w, T> RunWrite<'w> for StartActivity<T> {
    type Output = Result<ActivityHandle<'w, T>, ActivityError>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> Self::Output {
        let value = self.value?;
        let (content, json) = (self.follow)(&value)?;
        let slot = emit
            .act(|kernel, author| kernel.open_activity(author, content.kind().into(), json, None, fields));
        Ok(ActivityHandle { span: SpanGuard::new(emit, slot), live: value, content })
    }
}

/// An activity that the client shows (AG-UI 1.0, section "Activity"), and the only way to send ACTIVITY_DELTA.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::{ActivityHandle, events::ActivityError};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// /// How far the work is.
/// #[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
/// struct Progress {
///     percent: u32,
/// }
///
/// async fn finish(progress: &mut ActivityHandle<'_, Progress>) -> Result<(), ActivityError> {
///     progress.update(|progress| progress.percent = 100).await
/// }
///
/// /// Cooks with you.
/// #[agent(activities = [Progress])]
/// async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
///     let mut progress = run.activity(Progress { percent: 0 }).await?;
///     finish(&mut progress).await?;
///     Ok(())
/// }
/// ```
///
/// Created by [`Run::activity`](crate::Run::activity), so no delta precedes the snapshot. After the handle is dropped, the client
/// keeps showing the activity, which no longer changes.
///
/// The handle borrows the run like every span, so the run cannot finish or restate the conversation while the activity may still
/// change:
///
/// ```compile_fail,E0502
/// # use agui_runtime::prelude::*;
/// # use agui_runtime::events::{ActivityError, ActivityOf};
/// # use agui_runtime::{FinishedRun, protocol::Message};
/// # async fn example<A: Agent, T: ActivityOf<A>>(run: &mut Run<A>, plan: T) -> Result<(), ActivityError> {
/// let mut plan = run.activity(plan).await?;
/// run.messages_snapshot(vec![]).await;
/// plan.update(|_| ()).await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "an activity whose handle is dropped never changes"]
pub struct ActivityHandle<'w, T> {
    span: SpanGuard<'w>,
    live: T,
    content: ActivityContent<T>,
}

impl<T> ActivityHandle<'_, T> {
    /// Changes the activity and sends the change: one ACTIVITY_DELTA with the differences, no event without differences, or an
    /// ACTIVITY_SNAPSHOT if shorter.
    ///
    /// The change happens when the future is awaited and the run has room.
    ///
    /// # Errors
    /// [`ActivityError`] if the changed content has no JSON form or is not an object: nothing was sent, and the next update
    /// includes this change.
    pub fn update<R, F>(&mut self, edit: F) -> WriteFuture<'_, UpdateActivity<'_, T, F, R>>
    where
        F: FnOnce(&mut T) -> R + PlainEdit<R>,
    {
        let Self { span, live, content, .. } = self;
        let act = UpdateActivity { slot: span.slot(), live, content, edit, call: |edit, live| edit(live) };
        WriteFuture::new(span.emit(), act)
    }

    /// Reads the activity's current content.
    pub fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.live)
    }

    /// Returns the id of the activity's message on the wire.
    pub fn id(&self) -> MessageId {
        self.span.emit().hub().act(|kernel| match kernel.message_id_of(self.span.slot()) {
            Some(id) => id.clone(),
            None => kernel.unseen_message(),
        })
    }
}

impl<T> fmt::Debug for ActivityHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActivityHandle").field("activity", &self.content.kind()).finish_non_exhaustive()
    }
}

/// The write behind [`ActivityHandle::update`].
pub struct UpdateActivity<'a, T, F, R> {
    slot: SpanSlot,
    live: &'a mut T,
    content: &'a mut ActivityContent<T>,
    edit: F,
    /// Calls the closure. Chosen where the write is created, so that a wrong closure gives one error instead of one for each use.
    call: fn(F, &mut T) -> R,
}

impl<R, T, F> RunWrite<'_> for UpdateActivity<'_, T, F, R> {
    type Output = Result<R, ActivityError>;

    fn act(self, emit: &Emit, fields: WriteFields) -> Self::Output {
        let returned = (self.call)(self.edit, self.live);
        let mut fields = fields;
        while let Some(change) = self.content.flush(self.live)? {
            let sent = emit.hub().act(|kernel| match change {
                ActivityChange::Delta(patch) => kernel.change_activity(self.slot, patch, fields),
                ActivityChange::Whole(content) => {
                    kernel.restart_activity(self.slot, content, fields);
                    Ok(())
                }
            });
            match sent {
                Ok(()) => break,
                // The conversation was restated with activities: the client may have dropped this one.
                Err(unused) => (fields, ()) = (unused, self.content.lose()),
            }
        }
        Ok(returned)
    }
}
