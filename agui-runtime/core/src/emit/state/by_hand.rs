//! Patches from elsewhere: a model, a user, another program.

use std::fmt;

use super::handle::StateHandle;
use super::part::StateHolder;
use crate::emit::{Emit, RunWrite, WriteFuture};
use crate::json::patch::patched;
use crate::kernel::WriteFields;
use crate::protocol::{JsonPatch, PatchOperation, StateDeltaEvent};
use crate::state::{ApplyError, State, StateError, read_patched};

impl<S: State> StateHandle<S> {
    /// Applies operations (RFC 6902) to the state and sends them unchanged in one STATE_DELTA, even a `test` that changes nothing.
    /// For patches from elsewhere; make your own changes with [`update`](Self::update).
    ///
    /// Either all operations apply, or the state stays unchanged. The new state is read from the patched JSON, so fields that
    /// serde skips get defaults. The patched document must equal what the new state itself writes, so that the client's document
    /// stays equal: an operation that adds an unknown member is refused. In an agent called as another agent's tool, paths are
    /// relative to the called agent's state, and the run sends the difference in place of the operations. An operation on a path
    /// through a member `__proto__`, which JavaScript clients refuse, is replaced by the resulting change.
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
    /// [`StateError::NoBaseline`], [`StateError::Reentrant`]; [`StateError::Patch`] with the first operation that does not apply;
    /// [`StateError::OtherDocument`] if the state writes a different document. After an error nothing is sent.
    pub fn patch(&self, operations: impl Into<Vec<PatchOperation>>) -> WriteFuture<'_, PatchState<'_, S>> {
        WriteFuture::new(self.emit(), PatchState { handle: self, operations: operations.into() })
    }
}

/// The write behind [`StateHandle::patch`].
pub struct PatchState<'h, S: State> {
    handle: &'h StateHandle<S>,
    operations: Vec<PatchOperation>,
}

impl<S: State> RunWrite<'_> for PatchState<'_, S> {
    type Output = Result<(), StateError>;

    fn act(self, emit: &Emit, fields: WriteFields) -> Self::Output {
        let Self { handle, operations } = self;
        let cell = match handle.holder() {
            StateHolder::Own(cell) => cell,
            // The operations are relative to the part, so that the difference goes out in their place.
            StateHolder::Part(_) => return patch_part(handle, &operations, fields),
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

/// Applies the operations to a subagent's part of the state.
fn patch_part<S: State>(
    handle: &StateHandle<S>,
    operations: &[PatchOperation],
    fields: WriteFields,
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

/// True if JavaScript clients refuse the operation's path. The latest legacy clients then throw an error, which ends the
/// CopilotKit runtime process.
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
