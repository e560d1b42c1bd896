//! Operations that somebody else wrote: a model, a person, another program.

use std::fmt;

use super::handle::StateHandle;
use super::{State, StateError, apply};
use crate::emit::{Act, Do, Emit, Fields};
use crate::protocol::{JsonPatch, PatchOperation, StateDeltaEvent};

impl<S: State> StateHandle<S> {
    /// Applies operations (RFC 6902) to the state and sends them as they are: one STATE_DELTA, also for a `test` that changes
    /// nothing. For patches that come from elsewhere; changes of your own are [`update`](Self::update)s.
    ///
    /// All of them apply, or none: the state then is what it was. So that the client's document stays the one this state writes,
    /// they must lead to such a document: an operation that adds a member the type does not know is refused. A path through a member
    /// `__proto__`, which clients in JavaScript refuse, goes out as the change it makes.
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
    /// [`StateError::OtherDocument`] when the result has another form than the state writes. Nothing is sent then.
    pub fn patch(&self, operations: impl Into<Vec<PatchOperation>>) -> Do<'_, PatchState<'_, S>> {
        Do::new(self.emit(), PatchState { handle: self, operations: operations.into() })
    }
}

/// The act of sending operations of others; see [`StateHandle::patch`].
pub struct PatchState<'h, S: State> {
    handle: &'h StateHandle<S>,
    operations: Vec<PatchOperation>,
}

impl<S: State> Act<'_> for PatchState<'_, S> {
    type Output = Result<(), StateError>;

    fn act(self, emit: &Emit, fields: Fields) -> Self::Output {
        let Self { handle, operations } = self;
        let before = handle.with(|synced| {
            let mut next = synced.live.clone();
            apply(&mut next, &operations)?;
            if synced.shadow.holds() && !operations.iter().any(reaches_prototype) {
                let mut document = synced.shadow.document()?;
                apply(&mut document, &operations)?;
                if !crate::json::same(&document, &next.document()?) {
                    return Err(StateError::OtherDocument);
                }
                let owed = synced.owed(emit)?;
                synced.shadow.count_as_sent(&next);
                let delta = StateDeltaEvent::new(JsonPatch::from(operations));
                synced.tell(emit, owed, delta.into(), fields);
            } else {
                // The client has not what the operations are for, or does not apply them.
                let owed = synced.owed(emit)?;
                if let Some(event) = synced.shadow.flush(&next)?.event()? {
                    synced.tell(emit, owed, event, fields);
                }
            }
            Ok(std::mem::replace(&mut synced.live, next))
        })?;
        // The old state's destructor is user code.
        drop(before);
        Ok(())
    }
}

/// Whether the JavaScript clients refuse the operation for its path. The last ones before 1.0 throw an error then, which ends the
/// process of CopilotKit's runtime.
fn reaches_prototype(operation: &PatchOperation) -> bool {
    let from = match operation {
        PatchOperation::Move(moved) => Some(&moved.from),
        PatchOperation::Copy(copy) => Some(&copy.from),
        _ => None,
    };
    [Some(operation.path()), from].into_iter().flatten().any(|pointer| {
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
