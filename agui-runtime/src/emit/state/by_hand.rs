//! Patches written elsewhere: by a model, a user, another program.

use std::fmt;

use super::handle::StateHandle;
use super::part::Holder;
use crate::emit::{Emit, RunWrite, WriteFuture};
use crate::json::patch::patched;
use crate::kernel::Fields;
use crate::protocol::{JsonPatch, PatchOperation, StateDeltaEvent};
use crate::state::{ApplyError, State, StateError, read_patched};

impl<S: State> StateHandle<S> {
    /// Applies operations (RFC 6902) to the state and sends them unchanged in one STATE_DELTA, also for a
    /// `test` that changes nothing. Use it for patches from elsewhere; make changes of your own with
    /// [`update`](Self::update).
    ///
    /// Either all operations apply, or the state stays as it was. The state is read from its patched JSON, so
    /// fields that serde skips have their defaults. The operations must lead to a document that this
    /// state would write itself, so that the client's document stays equal to it: an operation that adds a
    /// member unknown to the type is refused. In an agent among the tools of another, the paths are relative to its own state, and
    /// the difference goes out in place of the operations. An operation on a path through a member `__proto__`, which
    /// JavaScript clients refuse, is replaced by the change that it makes.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::protocol::PatchOperation;
    ///
    /// /// Changes the list the way a model wrote it down.
    /// #[tool]
    /// async fn edit(list: &StateHandle<Vec<String>>, patch: String) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    ///     let operations: Vec<PatchOperation> = serde_json::from_str(&patch)?;
    ///     Ok(list.patch(operations).await?)
    /// }
    /// # /// Keeps a list.
    /// # #[agent(state = Vec<String>, tools = [edit])]
    /// # async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    /// # run.state().adopt_or_snapshot(&input).await?;
    /// # let patch = r#"[{"op":"add","path":"/-","value":"rice"}]"#.to_owned();
    /// # run.call(edit { patch }).await?.run().await.unwrap();
    /// # Ok(())
    /// # }
    /// # let input = agui_runtime::protocol::RunAgentInput::new("thread", "run", vec![]);
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Keeper::new(), input));
    /// # assert!(events.iter().any(|event| event.event_type().to_string() == "STATE_DELTA"), "{events:#?}");
    /// ```
    ///
    /// # Errors
    /// [`StateError::NoBaseline`], [`StateError::Reentrant`]; [`StateError::Patch`] with the first
    /// operation that does not apply; [`StateError::OtherDocument`] when the result is not a document that
    /// the state writes. Nothing is sent then.
    pub fn patch(&self, operations: impl Into<Vec<PatchOperation>>) -> WriteFuture<'_, PatchState<'_, S>> {
        WriteFuture::new(self.emit(), PatchState { handle: self, operations: operations.into() })
    }
}

/// The write that sends patches from elsewhere; see [`StateHandle::patch`].
///
/// ```
/// use agui_runtime::future::{PatchState, WriteFuture};
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// # use agui_runtime::{StateHandle, state::StateError};
///
/// # async fn example(list: &StateHandle<Vec<String>>) -> Result<(), StateError> {
/// let first = JsonPointer::root().child("0");
/// let patch: WriteFuture<'_, PatchState<'_, Vec<String>>> = list.patch([PatchOperation::remove(first)]);
/// patch.await?;
/// # Ok(())
/// # }
/// ```
pub struct PatchState<'h, S: State> {
    handle: &'h StateHandle<S>,
    operations: Vec<PatchOperation>,
}

impl<S: State> RunWrite<'_> for PatchState<'_, S> {
    type Output = Result<(), StateError>;

    fn act(self, emit: &Emit, fields: Fields) -> Self::Output {
        let Self { handle, operations } = self;
        let cell = match handle.holder() {
            Holder::Own(cell) => cell,
            // The operations are relative to the part, so that the difference goes out in their place.
            Holder::Part(_) => return patch_part(handle, &operations, fields),
        };
        let before = cell.with(|synced| {
            let document = patched(synced.live.document()?, &operations).map_err(ApplyError::from)?;
            let next: S = read_patched(&document, &operations)?;
            if synced.shadow.holds_all_of(&synced.live) && !operations.iter().any(reaches_prototype) {
                if !crate::json::same(&document, &next.document()?) {
                    return Err(StateError::OtherDocument);
                }
                let owed = synced.owed(emit)?;
                synced.shadow.count_as_sent(&next);
                let delta = StateDeltaEvent::new(JsonPatch::from(operations));
                synced.tell(emit, owed, delta.into(), fields);
            } else {
                // The client lacks the document that the operations apply to, or cannot apply them.
                let owed = synced.owed(emit)?;
                if let Some(event) = synced.shadow.flush(&next)?.event()? {
                    synced.tell(emit, owed, event, fields);
                }
            }
            Ok(std::mem::replace(&mut synced.live, next))
        })?;
        // The destructor of the old state is user code.
        drop(before);
        Ok(())
    }
}

/// Applies the operations to a part of the state.
fn patch_part<S: State>(
    handle: &StateHandle<S>,
    operations: &[PatchOperation],
    fields: Fields,
) -> Result<(), StateError> {
    let patched = handle.change(
        |live| {
            let document = patched(live.document()?, operations).map_err(ApplyError::from)?;
            let next: S = read_patched(&document, operations)?;
            match crate::json::same(&document, &next.document()?) {
                true => Ok(std::mem::replace(live, next)),
                false => Err(StateError::OtherDocument),
            }
        },
        fields,
    )?;
    patched.map(drop)
}

/// Returns true if the JavaScript clients refuse the operation because of its path. The last ones before
/// 1.0 throw an error then, which ends the process of CopilotKit's runtime.
fn reaches_prototype(operation: &PatchOperation) -> bool {
    [Some(operation.path()), operation.source()].into_iter().flatten().any(|pointer| {
        let mut before = String::new();
        pointer.segments().any(|segment| {
            let refused = segment == "__proto__" || (segment == "prototype" && before == "constructor");
            before = segment;
            refused
        })
    })
}

impl<S: State> fmt::Debug for PatchState<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatchState").field("operations", &self.operations).finish_non_exhaustive()
    }
}
