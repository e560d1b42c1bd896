//! The receipt of a call.

use crate::protocol::ToolCallId;

/// The receipt of a tool call: it names the call and borrows nothing.
///
/// Take it before the call is answered, for later writes that must name the call:
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

    /// Returns the id of the call on the wire.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 180 }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let call = run.call(price { name: "rice".to_owned() }).await?;
    /// let receipt = call.receipt();
    /// assert_eq!(receipt.id(), call.id());
    /// call.run().await;
    /// # Ok(())
    /// # }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
    /// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
    /// ```
    #[must_use]
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }
}
