use std::fmt;

use super::content::{Change, Content, Follow};
use super::{Activity, ActivityError};
use crate::emit::emitter::SpanGuard;
use crate::emit::span::Slot;
use crate::emit::{Act, Do, Emit, Fields};
use crate::protocol::MessageId;

/// An activity about to be shown; awaiting it sends ACTIVITY_SNAPSHOT.
pub type OpenActivity<'w, T> = Do<'w, StartActivity<T>>;

/// The act of showing an activity.
pub struct StartActivity<T> {
    value: T,
    follow: Follow<T>,
}

impl<T: Activity> StartActivity<T> {
    pub(in crate::emit) fn new(value: T) -> Self {
        Self { value, follow: Content::of }
    }
}

impl<T: Activity> Do<'_, StartActivity<T>> {
    /// Tells every change as ACTIVITY_DELTA, however small the activity is: for user interfaces that show what changes, and would
    /// start anew with another ACTIVITY_SNAPSHOT.
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
    /// # async fn example(run: &Emit) -> Result<(), agui_runtime::ActivityError> {
    /// let mut progress = run.activity(Progress { percent: 0 }).deltas().await?;
    /// progress.update(|progress| progress.percent = 50).await?; // [{"op":"add","path":"/percent","value":50}]
    /// # Ok(())
    /// # }
    /// ```
    pub fn deltas(self) -> Self {
        self.with(|start| start.follow = Content::in_deltas)
    }
}

impl<'w, T> Act<'w> for StartActivity<T> {
    type Output = Result<ActivityHandle<'w, T>, ActivityError>;

    fn act(self, emit: &'w Emit, fields: Fields) -> Self::Output {
        let (content, json) = (self.follow)(&self.value)?;
        let slot = emit
            .act(|kernel, author| kernel.open_activity(author, content.kind().into(), json, None, fields));
        Ok(ActivityHandle { span: SpanGuard::new(emit, slot), live: self.value, content })
    }
}

/// An activity the client shows (AG-UI 1.0, section "Activity"), and the only way to send ACTIVITY_DELTA.
///
/// Made by [`Emit::activity`], so there is no delta before the snapshot it applies to. The client keeps showing it after
/// the handle is gone; that it is gone means that nothing changes any more.
///
/// It borrows the run like every span, so the run cannot finish or restate the conversation while it may still change:
///
/// ```compile_fail,E0502
/// # use agui_runtime::prelude::*;
/// # use agui_runtime::{ActivityError, Finished, protocol::Message};
/// # async fn example<A: Agent, T: Activity>(run: &mut Run<A>, plan: T) -> Result<(), ActivityError> {
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
    content: Content<T>,
}

impl<T> ActivityHandle<'_, T> {
    /// Changes the activity and tells the client: one ACTIVITY_DELTA with what changed, nothing when nothing did, an
    /// ACTIVITY_SNAPSHOT when that is shorter.
    ///
    /// The change happens when the future is awaited and the run has room.
    ///
    /// # Errors
    /// [`ActivityError`] when the changed content has no JSON form or is not an object: nothing was sent, and the next
    /// update sends that change too.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
    /// struct Plan {
    ///     steps: Vec<String>,
    ///     at: usize,
    /// }
    ///
    /// # async fn example(run: &Emit, steps: Vec<String>) -> Result<(), agui_runtime::ActivityError> {
    /// let mut plan = run.activity(Plan { steps, at: 0 }).await?;
    /// while plan.read(|plan| plan.at < plan.steps.len()) {
    ///     plan.update(|plan| plan.at += 1).await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn update<R, F: FnOnce(&mut T) -> R>(&mut self, edit: F) -> Do<'_, UpdateActivity<'_, T, F>> {
        let slot = self.span.slot();
        let act = UpdateActivity { slot, live: &mut self.live, content: &mut self.content, edit };
        Do::new(self.span.emit(), act)
    }

    /// Looks at the activity as it is now.
    pub fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.live)
    }

    /// The id of the activity's message on the wire.
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

/// The act of changing an activity.
pub struct UpdateActivity<'a, T, F> {
    slot: Slot,
    live: &'a mut T,
    content: &'a mut Content<T>,
    edit: F,
}

impl<R, T, F: FnOnce(&mut T) -> R> Act<'_> for UpdateActivity<'_, T, F> {
    type Output = Result<R, ActivityError>;

    fn act(self, emit: &Emit, fields: Fields) -> Self::Output {
        let returned = (self.edit)(self.live);
        let mut fields = fields;
        while let Some(change) = self.content.flush(self.live)? {
            let told = emit.hub().act(|kernel| match change {
                Change::Delta(patch) => kernel.change_activity(self.slot, patch, fields),
                Change::Whole(content) => {
                    kernel.restart_activity(self.slot, content, fields);
                    Ok(())
                }
            });
            match told {
                Ok(()) => break,
                // The conversation was restated with activities: the client may have dropped this one.
                Err(unused) => (fields, ()) = (unused, self.content.lose()),
            }
        }
        Ok(returned)
    }
}
