use crate::protocol::ToolCallId;

/// The receipt of a tool call: names it, borrows nothing.
///
/// Take it before the call is answered, for what must name the call afterwards:
///
/// ```
/// # use agui_runtime::prelude::*;
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 1 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<u32, Stop> {
/// # let signature = String::new();
/// let call = run.call(price { name: "rice".to_owned() }).await?;
/// let receipt = call.receipt();
/// let cents = call.run().await;
/// run.encrypted(&receipt, signature).await;
/// # Ok(cents)
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRef {
    id: ToolCallId,
}

impl CallRef {
    pub(super) fn new(id: ToolCallId) -> Self {
        Self { id }
    }

    /// The id the call has on the wire.
    #[must_use]
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }
}
