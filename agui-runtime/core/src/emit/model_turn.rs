//! The message that carries all calls in one model turn.

use std::fmt;

use super::parent_receipt::{ParentReceipt, sealed};
use super::{Emit, MessageRef};
use crate::protocol::TextMessageRole;

/// The assistant message for one model turn, before the model has said or called anything.
///
/// A model may make several calls in one turn without any text. Each call that names the turn as its
/// [`parent`](crate::future::CallTool::parent) belongs to the same assistant message; without a parent, each call gets a separate
/// message, and model providers refuse such a history, because they expect all results in a turn behind one message. If the model
/// has written text, name its [`MessageRef`] instead: text and calls then form one message.
///
/// A turn sends nothing: the client creates the message at the first call that names the turn (AG-UI 1.0, section "Tool calls").
/// Without calls there is no message.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// let turn = run.turn();
/// for name in ["rice", "salt"] {
///     run.call(price { name: name.to_owned() }).parent(&turn).await?.run().await;
/// }
/// # Ok(())
/// # }
/// # use agui_runtime::{protocol::Event, testing};
/// # let events = futures::executor::block_on(testing::run(Chef::new(), testing::input("Rice.")));
/// # let parents = events.iter().filter_map(|event| match event {
/// #     Event::ToolCallStart(start) => Some(start.parent_message_id.clone()),
/// #     _ => None,
/// # }).collect::<Vec<_>>();
/// # assert!(parents.len() == 2 && parents[0].is_some() && parents[0] == parents[1], "{parents:?}");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ModelTurn(MessageRef);

impl Emit {
    /// Begins a model turn: the message that its calls share. Sends nothing; see [`ModelTurn`].
    pub fn turn(&self) -> ModelTurn {
        let (id, tag) =
            self.act(|kernel, author| (kernel.parent_of_calls(author, None), kernel.tag_of(author)));
        ModelTurn(MessageRef::new(id, TextMessageRole::Assistant, tag))
    }
}

impl ParentReceipt for ModelTurn {
    fn receipt(&self) -> &MessageRef {
        &self.0
    }
}

impl sealed::Sealed for ModelTurn {}

impl fmt::Debug for ModelTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ModelTurn").field(self.0.id()).finish()
    }
}
