//! A tool call's receipt.

use crate::protocol::ToolCallId;

/// A tool call's receipt: names the call and borrows nothing.
///
/// Take the receipt before the call has a result, for later writes that must name the call:
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
    pub(crate) fn new(id: ToolCallId) -> Self {
        Self { id }
    }

    /// Returns the call's id on the wire.
    #[must_use]
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }
}
