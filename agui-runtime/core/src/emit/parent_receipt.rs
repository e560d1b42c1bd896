//! Message receipts to which a call can belong.

use std::rc::Rc;
use std::sync::Arc;

use super::MessageRef;

/// A receipt that names a message as the parent of a call or a subagent.
///
/// Ids are not enough: clients refuse or warn about an id that names no message, or another author's message:
///
/// ```
/// use agui_runtime::prelude::*;
///
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<u32, Stop> {
/// let message = run.say("Let me look.").await;
/// let call = run.call(price { name: "rice".to_owned() }).parent(&message).await?;
/// # Ok(call.run().await)
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`parentMessageId` names a message of the run, and `{Self}` is not the receipt of one",
    label = "not the receipt of a message",
    note = "pass the receipt that `run.say(..).await` or `text.end()` returned, by reference"
)]
pub trait ParentReceipt: sealed::Sealed {
    #[doc(hidden)]
    fn receipt(&self) -> &MessageRef;
}

impl ParentReceipt for MessageRef {
    fn receipt(&self) -> &MessageRef {
        self
    }
}

pub(super) mod sealed {
    pub trait Sealed {}
    impl Sealed for super::MessageRef {}
}

/// Implements the trait for references and other pointers to a receipt.
macro_rules! through {
    ($($Pointer:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<R: ParentReceipt + ?Sized> ParentReceipt for $Pointer {
            fn receipt(&self) -> &MessageRef {
                (**self).receipt()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<R: sealed::Sealed + ?Sized> sealed::Sealed for $Pointer {}
    )*};
}

through!(&R, &mut R, Box<R>, Rc<R>, Arc<R>);
